package dev.staunch.memory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The accounts below one that has any, and what the members of its gone ones went through. */
final class AccountsBelow {
  /** Odd, and near the golden ratio of an int's range: neighbours lie far apart. */
  private static final int SPREAD = 0x9E3779B9;

  final Set<Account> live = ConcurrentHashMap.newKeySet();

  /** Of the account that came last; racing ones may get the same. */
  private int hash;

  /** Held while an account goes and its counts come here, and by who adds counts up. */
  private final ReentrantLock lock = new ReentrantLock();

  private Members.Counts gone = Members.Counts.NONE; // guarded by the lock

  /** The hash code of a new account. */
  int nextHash() {
    hash += SPREAD;
    return hash;
  }

  /** Takes {@code child} out if it is idle still; who sees that it is gone sees its counts here. */
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

  /** For one that may have been taken out, and has got an account below it again. */
  void putBack(Account child) {
    lock.lock();
    try {
      live.add(child);
    } finally {
      lock.unlock();
    }
  }

  /** Lets no account go until {@link #letGo}. */
  @SuppressWarnings("LockNotBeforeTry") // its caller lets go of all that it keeps
  void keep() {
    lock.lock();
  }

  void letGo() {
    if (lock.isHeldByCurrentThread()) {
      lock.unlock();
    }
  }

  /** What was counted of those that are gone; for who {@linkplain #keep keeps} the others. */
  Members.Counts gone() {
    return gone;
  }

  /** What was counted so far, which begins anew. */
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
