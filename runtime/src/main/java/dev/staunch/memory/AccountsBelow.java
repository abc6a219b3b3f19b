package dev.staunch.memory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The accounts below one that has any, and what the members of its gone ones went through. */
final class AccountsBelow {
  /** Odd, and near the golden ratio of an int's range: neighbours lie far apart. */
  private static final int SPREAD = 0x9E3779B9;

  final Set<Account> live = ConcurrentHashMap.newKeySet();

  /** Of the account that came last; racing ones may get the same. */
  private int hash;

  private Members.Counts gone = Members.Counts.NONE; // guarded by this

  /** The hash code of a new account. */
  int nextHash() {
    hash += SPREAD;
    return hash;
  }

  boolean forget(Account child) {
    if (!live.remove(child)) {
      return false;
    }
    Members.Counts counts = child.takeCounts();
    synchronized (this) {
      gone = gone.plus(counts);
    }
    return true;
  }

  synchronized Members.Counts gone() {
    return gone;
  }

  /** What was counted so far, which begins anew. */
  synchronized Members.Counts takeGone() {
    Members.Counts taken = gone;
    gone = Members.Counts.NONE;
    return taken;
  }
}
