package dev.staunch.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock of one word for a few fields and a few instructions: one compare-and-set to take and a
 * store to let go. Who finds it taken spins. Not reentrant; nothing that waits is called while it
 * is held, and whoever takes it has asked for room on the stack.
 */
abstract class Latch {
  private static final int SPINS = 64;
  private static final VarHandle LOCKED;

  static {
    try {
      LOCKED = MethodHandles.lookup().findVarHandle(Latch.class, "locked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // read through the handle
  private boolean locked;

  final boolean tryLock() {
    return LOCKED.compareAndSet(this, false, true);
  }

  final void lock() {
    if (!tryLock()) {
      spin();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but how soon the lock is free
  private void spin() {
    for (int spins = 1; !tryLock(); spins++) {
      if (spins % SPINS == 0) {
        Thread.yield(); // its holder may have lost its processor
      } else {
        Thread.onSpinWait();
      }
    }
  }

  final void unlock() {
    LOCKED.setRelease(this, false);
  }
}
