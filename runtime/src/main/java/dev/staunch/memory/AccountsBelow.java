package dev.staunch.memory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The accounts below an account that has any, and the counts of those that have been removed. */
final class AccountsBelow {
  /** Odd, and near the golden ratio of an int's range, so that neighbours lie far apart. */
  private static final int SPREAD = 0x9E3779B9;

  final Set<Account> live = ConcurrentHashMap.newKeySet();

  /** The hash of the last account created; racing threads may get the same one. */
  private int hash;

  /**
   * Held while an account is removed and its counts move here, and by threads that add counts up.
   */
  private final ReentrantLock lock = new ReentrantLock();

  private Members.Counts gone = Members.Counts.NONE; // guarded by the lock

  /** The hash code of a new account. */
  int nextHash() {
    hash += SPREAD;
    return hash;
  }

  /**
   * Removes {@code child} if it is still idle; a thread that finds it gone finds its counts here.
   */
  boolean forgetIdle(Account child) {
    lock.lock();
    try {
      if (!live.contains(child) || !child.isIdle()) {
        return false;
      }
      gone = gone.plus(child.takeCounts());
      return live.remove(child);
    } finally {
      lock.unlock();
    }
  }

  /** For an account that may have been removed, and has an account below it again. */
  void putBack(Account child) {
    lock.lock();
    try {
      live.add(child);
    } finally {
      lock.unlock();
    }
  }

  /** Prevents the removal of accounts until {@link #letGo}. */
  @SuppressWarnings("LockNotBeforeTry") // the caller releases everything that it keeps
  void keep() {
    lock.lock();
  }

  void letGo() {
    if (lock.isHeldByCurrentThread()) {
      lock.unlock();
    }
  }

  /** The counts of the removed accounts; for a thread that {@linkplain #keep keeps} the others. */
  Members.Counts gone() {
    return gone;
  }

  /** The counts so far; counting starts again from zero. */
  Members.Counts takeGone() {
    lock.lock();
    try {
      Members.Counts taken = gone;
      gone = Members.Counts.NONE;
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
