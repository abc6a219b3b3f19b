package dev.staunch.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts the off-heap bytes held, exactly (M4), and keeps them within a budget. Accounts nest
 * (process, model, request): what one holds its parents hold too.
 *
 * <p>An account takes its bytes from its parent and keeps up to {@link #MOST_CREDIT} that are not
 * in use as credit, so that requests do not fight for one counter; credit counts as held by nobody
 * and is called in before an allocation is refused. Figures read while others allocate are a
 * moment's; at rest they are exact. Thread-safe.
 */
public final class Account {
  static final long MOST_CREDIT = 64 << 10;
  private static final long FIRST_CREDIT = 1 << 10;
  private static final VarHandle SPARE;
  private static final VarHandle QUOTA;
  private static final VarHandle PEAK;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      SPARE = lookup.findVarHandle(Account.class, "spare", long.class);
      QUOTA = lookup.findVarHandle(Account.class, "quota", long.class);
      PEAK = lookup.findVarHandle(Account.class, "peak", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final String name;
  private final @Nullable Account parent;
  private final long budget;
  private final int depth;
  private final Members members = new Members();

  /** This or the nearest account above it that has a budget; null if only the process has. */
  private final @Nullable Account bounded;

  private volatile @Nullable Below below;

  /** Bytes taken from the parent, less those given back; the root has its budget from the start. */
  private volatile long quota;

  /** Bytes of the quota that nobody uses. */
  private volatile long spare;

  private volatile long peak;
  private volatile long credit;
  private volatile boolean retired;

  /** Keeps the reference that tells of an abandoned scope reachable. */
  @Nullable Object watch;

  /** The accounts below one that has any, and what its gone ones went through. */
  private static final class Below {
    final Set<Account> live = ConcurrentHashMap.newKeySet();
    final LongAdder made = new LongAdder();
    final LongAdder explicit = new LongAdder();
    final LongAdder byScope = new LongAdder();
    final LongAdder reaped = new LongAdder();

    boolean forget(Account child) {
      if (!live.remove(child)) {
        return false;
      }
      Members.Counts counts = child.counts();
      made.add(counts.made());
      explicit.add(counts.explicit());
      byScope.add(counts.byScope());
      reaped.add(counts.reaped());
      return true;
    }

    Members.Counts gone() {
      return new Members.Counts(made.sum(), explicit.sum(), byScope.sum(), reaped.sum());
    }
  }

  private Account(String name, @Nullable Account parent, long budget) {
    this.name = name;
    this.parent = parent;
    this.budget = budget;
    if (parent == null) {
      this.depth = 0;
      this.bounded = null;
      quota = budget;
      spare = budget;
    } else {
      this.depth = parent.depth + 1;
      this.bounded = budget == Long.MAX_VALUE ? parent.bounded : this;
    }
  }

  static Account root(String name, long budget) {
    return new Account(name, null, budget);
  }

  /** An account within this one; it stays in reports until it is retired and empty. */
  Account child(String childName, long childBudget) {
    Account child = new Account(childName, this, childBudget);
    child.attach();
    return child;
  }

  /** Puts this where reports find it, and its parents if they were taken out meanwhile. */
  private void attach() {
    if (parent != null) {
      parent.below().live.add(this);
      if (parent.retired) {
        parent.attach();
      }
    }
  }

  private Below below() {
    Below now = below;
    return now != null ? now : madeBelow();
  }

  private synchronized Below madeBelow() {
    Below now = below;
    if (now == null) {
      now = new Below();
      below = now;
    }
    return now;
  }

  public String name() {
    return name;
  }

  /** The most bytes this may hold by itself; {@link Long#MAX_VALUE} if only its parents' limit. */
  public long budgetBytes() {
    return budget;
  }

  /** Bytes held now; those of the tensors alone, without the pool's rounding. */
  public long bytes() {
    long unused = unused(); // read before the quota: a bystander may read too much, not too little
    return Math.max(0, quota - unused);
  }

  /**
   * The most bytes held at once so far. Exact for an account without children that one thread uses;
   * otherwise credit counts as held, at most 64 KiB for each child.
   */
  public long peakBytes() {
    return peak;
  }

  Members members() {
    return members;
  }

  /** Bytes given out, credit of the children included: cheap to read. */
  long granted() {
    return quota - spare;
  }

  private long unused() {
    long sum = 0;
    for (Account child : children()) {
      sum += child.unused();
    }
    return sum + spare;
  }

  /** The accounts right below that still stand; may change while it is read. */
  Set<Account> children() {
    Below now = below;
    return now == null ? Set.of() : now.live;
  }

  /**
   * Counts {@code bytes} as held; else nothing, and returns the account whose budget forbids it.
   */
  @Nullable Account take(long bytes) {
    long free = spare;
    while (free >= bytes) {
      if (SPARE.compareAndSet(this, free, free - bytes)) {
        notePeak(quota - (free - bytes));
        return null;
      }
      free = spare;
    }
    return grow(bytes);
  }

  private @Nullable Account grow(long bytes) {
    if (parent == null) {
      return this;
    }
    long extra = nextCredit();
    while (true) {
      long free = spare;
      if (free >= bytes) {
        if (SPARE.compareAndSet(this, free, free - bytes)) {
          notePeak(quota - (free - bytes));
          return null;
        }
        continue;
      }
      long asked = saturatedSum(bytes - free, extra);
      Account refused = raiseQuota(asked) ? parent.take(asked) : this;
      if (refused == null) {
        SPARE.getAndAdd(this, asked);
        continue;
      }
      if (refused != this) {
        QUOTA.getAndAdd(this, -asked);
        removeIfIdle();
      }
      if (extra == 0) {
        return refused;
      }
      extra = 0;
    }
  }

  /** Grows with use: an account that allocates once or twice keeps nothing back. */
  private long nextCredit() {
    if (retired) {
      return 0;
    }
    long now = credit;
    credit = now == 0 ? FIRST_CREDIT : Math.min(MOST_CREDIT, now * 4);
    return now;
  }

  private static long saturatedSum(long a, long b) {
    return a > Long.MAX_VALUE - b ? a : a + b;
  }

  private boolean raiseQuota(long bytes) {
    while (true) {
      long now = quota;
      if (bytes > budget - now) {
        return false;
      }
      if (QUOTA.compareAndSet(this, now, now + bytes)) {
        return true;
      }
    }
  }

  private void notePeak(long held) {
    long seen = peak;
    while (held > seen && !PEAK.compareAndSet(this, seen, held)) {
      seen = peak;
    }
  }

  /** Counts {@code bytes} as given back. */
  void give(long bytes) {
    long free = (long) SPARE.getAndAdd(this, bytes) + bytes;
    if (parent != null && (free > 2 * credit || keepsNothing())) {
      shrink();
    }
  }

  /** Whether there may be no credit: after the end, and while a hand-over exceeds a budget. */
  private boolean keepsNothing() {
    if (retired) {
      return true;
    }
    for (Account each = bounded; each != null; each = parentOf(each).bounded) {
      if (each.isAboveBudget()) {
        return true;
      }
    }
    return false;
  }

  private boolean isAboveBudget() {
    return quota > budget;
  }

  private void shrink() {
    long keep = keepsNothing() ? 0 : credit;
    long free = spare;
    while (free > keep && !SPARE.compareAndSet(this, free, keep)) {
      free = spare;
    }
    if (free > keep) {
      returnToParent(free - keep);
    }
    removeIfIdle();
  }

  private void returnToParent(long bytes) {
    QUOTA.getAndAdd(this, -bytes);
    if (parent != null) {
      parent.give(bytes);
    }
  }

  /** Calls in the credit of all accounts below, and of this one unless it is the root. */
  void callInCredit() {
    for (Account child : children()) {
      child.callInCredit();
    }
    if (parent != null) {
      long free = (long) SPARE.getAndSet(this, 0L);
      if (free > 0) {
        returnToParent(free);
        removeIfIdle(); // who retired it meanwhile saw a quota
      }
    }
  }

  /** Charges {@code to} with bytes that this account held; no budget refuses a hand-over. */
  boolean transfer(long bytes, Account to) {
    Account from = this;
    Account target = to;
    if (root() != to.root()) {
      return false;
    }
    while (from != target) {
      if (from.depth >= target.depth) {
        QUOTA.getAndAdd(from, -bytes);
        from.removeIfIdle();
        from = parentOf(from);
      } else {
        QUOTA.getAndAdd(target, bytes);
        target.notePeak(target.granted());
        if (target.isAboveBudget()) {
          target.callInCredit();
        }
        target = parentOf(target);
      }
    }
    return true;
  }

  private static Account parentOf(Account account) {
    return java.util.Objects.requireNonNull(account.parent);
  }

  /** The account of the whole process. */
  Account root() {
    Account account = this;
    while (account.parent != null) {
      account = account.parent;
    }
    return account;
  }

  /** Says that the scope is closed: no credit any more, and out of the reports once empty. */
  void retire() {
    retired = true;
    watch = null;
    shrink();
  }

  boolean isRetired() {
    return retired;
  }

  void removeIfIdle() {
    if (retired && parent != null && quota == 0 && children().isEmpty() && members.isEmpty()) {
      if (parent.below().forget(this)) {
        parent.removeIfIdle();
      }
    }
  }

  /** What the members of this and of all accounts below, gone ones included, went through. */
  Members.Counts counts() {
    Members.Counts sum = members.counts();
    Below now = below;
    if (now != null) {
      sum = sum.plus(now.gone());
      for (Account child : now.live) {
        sum = sum.plus(child.counts());
      }
    }
    return sum;
  }

  /** This and all accounts below it that still stand. */
  List<Account> tree() {
    List<Account> all = new ArrayList<>();
    all.add(this);
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).children());
    }
    return all;
  }

  @Override
  public String toString() {
    return name + ": " + ByteCount.text(bytes());
  }
}
