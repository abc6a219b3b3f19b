package dev.staunch.memory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The accounts below one that has any, and what its gone ones went through. */
final class AccountsBelow {
  final Set<Account> live = ConcurrentHashMap.newKeySet();
  final LongAdder made = new LongAdder();
  final LongAdder explicit = new LongAdder();
  final LongAdder byScope = new LongAdder();
  final LongAdder reaped = new LongAdder();

  boolean forget(Account child) {
    if (!live.remove(child)) {
      return false;
    }
    Members.Counts counts = child.takeCounts();
    made.add(counts.made());
    explicit.add(counts.explicit());
    byScope.add(counts.byScope());
    reaped.add(counts.reaped());
    return true;
  }

  Members.Counts gone() {
    return new Members.Counts(made.sum(), explicit.sum(), byScope.sum(), reaped.sum());
  }

  Members.Counts takeGone() {
    return new Members.Counts(
        made.sumThenReset(),
        explicit.sumThenReset(),
        byScope.sumThenReset(),
        reaped.sumThenReset());
  }
}
