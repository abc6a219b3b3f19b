package dev.staunch.memory;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the off-heap bytes held, exactly, and keeps them within a budget. Accounts nest (process,
 * model, request): what an account holds, its parents hold too.
 *
 * <p>An account takes its bytes from its parent and keeps up to {@link #MOST_CREDIT} unused bytes
 * as credit, so that requests do not contend for one counter. Credit counts as held by nobody, and
 * is called in before an allocation is refused. Figures read while other threads allocate are
 * momentary; at rest they are exact. Thread-safe.
 */
public final class Account {
  static final long MOST_CREDIT = 64 << 10;
  private static final long FIRST_CREDIT = 1 << 10;

  /** Tells the reaper that a scope can no longer be closed. */
  static final class Abandoned extends PhantomReference<Object> {
    final Account account;

    Abandoned(Object scope, Account account, ReferenceQueue<Object> queue) {
      super(scope, queue);
      this.account = account;
    }
  }

  private final String name;
  private final @Nullable Account parent;
  private final long budget;
  private final int depth;
  private final int hash;
  private final Members members;

  /**
   * This account, or the nearest one above it that has a budget; null if only the process has one.
   */
  private final @Nullable Account bounded;

  private volatile @Nullable AccountsBelow below;

  private volatile long credit;
  private volatile boolean retired;

  /** Keeps the reference that reports an abandoned scope reachable. */
  @Nullable Object watch;

  private Account(String name, @Nullable Account parent, long budget) {
    this.name = Objects.requireNonNull(name, "name");
    this.parent = parent;
    this.budget = budget;
    this.members = parent == null ? new Members(budget, null) : new Members(0, parent.members);
    if (parent == null) {
      this.depth = 0;
      this.hash = 0;
      this.bounded = null;
    } else {
      this.depth = parent.depth + 1;
      this.hash = parent.below().nextHash();
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

  /** Adds this account to the reports, along with any parents that were removed meanwhile. */
  private void attach() {
    parentOf(this).below().live.add(this);
    for (Account up = parentOf(this); up.retired && up.parent != null; up = up.parent) {
      up.parent.below().putBack(up);
    }
  }

  private AccountsBelow below() {
    AccountsBelow now = below;
    return now != null ? now : madeBelow();
  }

  private synchronized AccountsBelow madeBelow() {
    AccountsBelow now = below;
    if (now == null) {
      now = new AccountsBelow();
      below = now;
    }
    return now;
  }

  public String name() {
    return name;
  }

  /**
   * The most bytes this account may hold by itself; {@link Long#MAX_VALUE} if only its parents
   * limit it.
   */
  public long budgetBytes() {
    return budget;
  }

  /**
   * The names of those that keep closed bytes from being released: operations and requests that
   * were running when the bytes were closed.
   */
  public List<String> heldBy() {
    return members.holds().awaited();
  }

  /** The bytes held now: those of the tensors alone, without the pool's rounding. */
  public long bytes() {
    long unused = unused(); // before the quota: a reader may see too much, never too little
    return Math.max(0, members.quota - unused);
  }

  /**
   * The most bytes held at once so far. Exact for an account without children that a single thread
   * uses; otherwise credit counts as held, at most 64 KiB for each child.
   */
  public long peakBytes() {
    return members.peak;
  }

  Members members() {
    return members;
  }

  /** The bytes given out, including the children's credit; cheap to read. */
  long granted() {
    return members.granted();
  }

  /**
   * The bytes that this account holds itself, without those of the accounts below and without
   * credit.
   */
  long ownBytes() {
    long own = granted();
    for (Account each : children()) {
      own -= each.members.quota;
    }
    return Math.max(0, own);
  }

  private long unused() {
    if (children().isEmpty()) {
      return members.spare;
    }
    long sum = 0;
    for (Account each : tree()) {
      sum += each.members.spare;
    }
    return sum;
  }

  /** The accounts directly below that still exist; may change while it is read. */
  Set<Account> children() {
    AccountsBelow now = below;
    return now == null ? Set.of() : now.live;
  }

  /**
   * Counts {@code bytes} as held and returns null; or counts nothing and returns the account whose
   * budget forbids it.
   */
  @Nullable Account take(long bytes) {
    return members.enter(bytes, null, false) ? null : grow(bytes);
  }

  /**
   * Tries once with credit and once without: more tries would make a refusal costlier at each
   * level.
   */
  private @Nullable Account grow(long bytes) {
    return grow(bytes, true) == null ? null : grow(bytes, false);
  }

  /**
   * Takes {@code bytes} from the nearest account above that has enough to spare and hands them
   * down; each account on the way keeps some as credit. A loop, however deeply accounts are nested.
   */
  private @Nullable Account grow(long bytes, boolean forCredit) {
    long[] asked = new long[depth + 1]; // indexed by the distance above this account
    asked[0] = bytes;
    Account giver = this;
    int above = 0;
    while (!giver.members.enter(asked[above], null, false)) {
      long more = saturatedSum(asked[above], forCredit ? giver.nextCredit() : 0);
      if (giver.parent == null || !giver.members.raiseQuota(more, giver.budget)) {
        takeBack(asked, above);
        return giver;
      }
      giver = giver.parent;
      asked[++above] = more;
    }
    Account taker = this;
    for (int i = 0; i < above; i++) {
      taker.credit(asked[i + 1] - asked[i]);
      taker = parentOf(taker);
    }
    return null;
  }

  /** Keeps {@code bytes} of what the parent granted as credit; the rest is in use. */
  private void credit(long bytes) {
    long free = members.leave(bytes, null);
    members.notePeak(members.quota - free);
  }

  /**
   * Lowers the quotas of the {@code count} lowest accounts again, after they were raised in vain.
   */
  private void takeBack(long[] asked, int count) {
    Account taker = this;
    for (int i = 0; i < count; i++) {
      taker.members.addQuota(-asked[i + 1]);
      taker.removeIfIdle();
      taker = parentOf(taker);
    }
  }

  /** Grows with use: an account that allocates only once or twice keeps no credit. */
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

  /** Counts {@code bytes} as given back. */
  void give(long bytes) {
    settle(members.leave(bytes, null));
  }

  /** As {@link #give}, and unlinks {@code leaving}, which has ended, from {@code home}. */
  void give(long bytes, Members home, Life leaving) {
    if (home == members) {
      settle(home.leave(bytes, leaving));
    } else {
      home.remove(leaving);
      give(bytes);
    }
  }

  /**
   * Returns to the parents what is too much of the {@code free} spare bytes, and removes retired
   * accounts that are now empty. Called after the latch was held. A thread that retires this
   * account or calls credit in either takes the latch later and finds the bytes, or took it earlier
   * and is seen here.
   */
  private void settle(long free) {
    if (!isTooMuch(free)) {
      return;
    }
    Account highest = this;
    for (long more = shrink(); more > 0; ) {
      highest = parentOf(highest);
      more = highest.isTooMuch(highest.members.leave(more, null)) ? highest.shrink() : 0;
    }
    for (Account at = this; ; at = parentOf(at)) {
      if (at.retired) { // most are not
        at.removeIfIdle();
      }
      if (at == highest) {
        return;
      }
    }
  }

  /** Whether this account may not keep {@code free} spare bytes; a retired one may keep none. */
  private boolean isTooMuch(long free) {
    return parent != null
        && (free > 2 * credit || retired || (bounded != null && isAnyAboveBudget()));
  }

  /**
   * Whether a hand-over put this account or one above over its budget; then credit is not allowed.
   */
  private boolean isAnyAboveBudget() {
    for (Account each = bounded; each != null; each = parentOf(each).bounded) {
      if (each.isAboveBudget()) {
        return true;
      }
    }
    return false;
  }

  private boolean isAboveBudget() {
    return members.quota > budget;
  }

  /** Gives up excess credit; returns how much, for the parent to take back. */
  private long shrink() {
    return members.cut(retired || isAnyAboveBudget() ? 0 : credit);
  }

  /** Calls in the credit of all accounts below, and of this one unless it is the root. */
  void callInCredit() {
    for (Account each : tree().reversed()) {
      each.callInOwnCredit();
    }
  }

  private void callInOwnCredit() {
    if (parent == null) {
      return;
    }
    long free = members.cut(0);
    if (free > 0) {
      parent.give(free);
      removeIfIdle(); // a thread that retired it meanwhile saw a quota
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
        from.members.addQuota(-bytes);
        from.removeIfIdle();
        from = parentOf(from);
      } else {
        target.members.addQuota(bytes);
        target.members.notePeak(target.granted());
        if (target.isAboveBudget()) {
          target.callInCredit();
        }
        target = parentOf(target);
      }
    }
    return true;
  }

  private static Account parentOf(Account account) {
    return Objects.requireNonNull(account.parent);
  }

  /** The account of the whole process. */
  Account root() {
    Account account = this;
    while (account.parent != null) {
      account = account.parent;
    }
    return account;
  }

  /**
   * Called when the scope is closed: the account keeps no more credit, and leaves the reports once
   * empty.
   */
  void retire() {
    retired = true;
    watch = null;
    long over = shrink();
    if (parent != null && over > 0) {
      parent.give(over);
    }
    removeIfIdle(); // a reader that no longer finds it in the reports finds its bytes given back
  }

  boolean isRetired() {
    return retired;
  }

  /**
   * Removes this account from the reports once its scope is closed and nothing is left; likewise
   * upwards.
   */
  void removeIfIdle() {
    Account at = this;
    while (at.retired && at.parent != null && at.isIdle() && at.parent.below().forgetIdle(at)) {
      at = at.parent;
    }
  }

  boolean isIdle() {
    return retired && members.quota == 0 && children().isEmpty() && members.isEmpty();
  }

  /**
   * What happened to the members of this account and all below, including removed ones. The counts
   * never fall, because no count moves from one account to another meanwhile.
   */
  Members.Counts counts() {
    List<AccountsBelow> kept = new ArrayList<>();
    try {
      return countsOf(this, kept);
    } finally {
      kept.forEach(AccountsBelow::letGo);
    }
  }

  private static Members.Counts countsOf(Account top, List<AccountsBelow> kept) {
    Members.Counts sum = Members.Counts.NONE;
    List<Account> all = new ArrayList<>(List.of(top));
    for (int i = 0; i < all.size(); i++) {
      Account each = all.get(i);
      AccountsBelow under = each.below;
      if (under != null) {
        kept.add(under);
        under.keep();
        sum = sum.plus(under.gone());
        all.addAll(under.live);
      }
      sum = sum.plus(each.members.counts());
    }
    return sum;
  }

  /** Takes the counts out of this account, since a removed account may be put back. */
  Members.Counts takeCounts() {
    AccountsBelow now = below;
    Members.Counts own = members.takeCounts();
    return now == null ? own : own.plus(now.takeGone());
  }

  /** This account and all below it that still exist. */
  List<Account> tree() {
    List<Account> all = new ArrayList<>();
    all.add(this);
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).children());
    }
    return all;
  }

  /** {@code request 7 (closed): 4 MiB, held by aten::mm}, if it has {@code bytes}. */
  String text(long bytes) {
    List<String> by = heldBy();
    String held = by.isEmpty() ? "" : ", held by " + String.join(" and ", by);
    return name + (retired ? " (closed)" : "") + ": " + ByteCount.text(bytes) + held;
  }

  /**
   * Accounts come and go with requests: the JVM's own identity hash takes longer than all the rest.
   */
  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return text(bytes());
  }
}
