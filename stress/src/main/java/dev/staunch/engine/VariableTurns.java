package dev.staunch.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Turns at a {@link Variable} (E1). */
public final class VariableTurns {
  private VariableTurns() {}

  /** A variable and what it guards: two cells that only a writer changes, both together. */
  private static final class Cells {
    final Variable variable = new Variable();
    private int left;
    private int right;
    private int turns;

    /** Queues for a turn; the thread that ends a turn takes the turns that this grants. */
    int push(boolean exclusive) {
      Access access = new Access(new Turn(Uses.NONE), variable, exclusive, exclusive);
      variable.lock();
      boolean granted = variable.append(access);
      variable.unlock();
      return granted ? take(access) : 0;
    }

    private int take(Access first) {
      int seen = 0;
      Access rest = first;
      while (rest != null) {
        Access access = rest;
        rest = access.next;
        access.next = null;
        seen = use(access.exclusive);
        Access more = variable.claimRelease(access) ? variable.release(access.exclusive) : null;
        rest = joined(more, rest);
      }
      return seen;
    }

    private static @Nullable Access joined(@Nullable Access more, @Nullable Access rest) {
      if (more == null) {
        return rest;
      }
      Access last = more;
      while (last.next != null) {
        last = last.next;
      }
      last.next = rest;
      return more;
    }

    private int use(boolean exclusive) {
      if (!exclusive) {
        return left == right ? 0 : -1;
      }
      left++;
      turns++;
      right++;
      return 0;
    }
  }

  /** A free turn is taken by one thread; a thread that finds it taken gets none. */
  @JCStressTest
  @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "one after the other")
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = ACCEPTABLE,
      desc = "one found it taken")
  @State
  public static class TakenAtOnce {
    private final Variable variable = new Variable();
    private final Turn first = new Turn(Uses.NONE);
    private final Turn second = new Turn(Uses.NONE);
    private int turns;

    private int take(Turn turn) {
      if (!variable.tryTake(turn, true)) {
        return 0;
      }
      turns++;
      variable.release(true);
      return 1;
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = take(first);
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = take(second);
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = turns;
    }
  }

  /** Every writer gets its turn, alone. */
  @JCStressTest
  @Outcome(id = "3, 3, 3", expect = ACCEPTABLE, desc = "three turns")
  @State
  public static class WritersInTurn {
    private final Cells cells = new Cells();

    @Actor
    public void one() {
      cells.push(true);
    }

    @Actor
    public void two() {
      cells.push(true);
    }

    @Actor
    public void three() {
      cells.push(true);
    }

    @Arbiter
    public void after(III_Result r) {
      r.r1 = cells.left;
      r.r2 = cells.right;
      r.r3 = cells.turns;
    }
  }

  /** Readers see what one write left, never half of it; no thread waits for ever. */
  @JCStressTest
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "a whole number of writes, all turns over")
  @State
  public static class ReadersAndAWriter {
    private final Cells cells = new Cells();

    @Actor
    public void reader(III_Result r) {
      r.r1 = cells.push(false);
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = cells.push(false);
    }

    @Actor
    public void writer() {
      cells.push(true);
    }

    @Arbiter
    public void after(III_Result r) {
      boolean free = cells.variable.tryTake(new Turn(Uses.NONE), true);
      r.r3 = free && cells.turns == 1 ? 1 : 0;
    }
  }

  /** A thread that reads without a turn sees what one write left, or that it was overtaken. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "1, 1", "-1, 0"},
      expect = ACCEPTABLE,
      desc = "before the write or after it, or refused")
  @State
  public static class ReadWithoutATurn {
    private final Variable variable = new Variable();
    private final Turn writer = new Turn(Uses.NONE);
    private int left;
    private int right;

    @Actor
    public void read(II_Result r) {
      long stamp = variable.stamp();
      int first = left;
      int second = right;
      boolean counts = stamp >= 0 && variable.stamp() == stamp;
      r.r1 = counts ? first : -1;
      r.r2 = counts ? second : 0;
    }

    @Actor
    public void write() {
      if (variable.tryTake(writer, true)) {
        left = 1;
        right = 1;
        variable.release(true);
      }
    }
  }

  /**
   * As above, for a thread that waits for its turn; until its turn is over nobody reads without
   * one.
   */
  @JCStressTest
  @Outcome(
      id = {"0, 0, 1", "-1, 0, 1"},
      expect = ACCEPTABLE,
      desc = "before anybody waited, or refused")
  @State
  public static class ReadBesideOneWhoWaits {
    private final Cells cells = new Cells();

    @Actor
    public void read(III_Result r) {
      long stamp = cells.variable.stamp();
      int first = cells.left;
      int second = cells.right;
      boolean counts = stamp >= 0 && cells.variable.stamp() == stamp;
      r.r1 = counts ? first - second : -1;
    }

    @Actor
    public void write() {
      cells.push(true);
      cells.push(true);
    }

    @Arbiter
    public void after(III_Result r) {
      r.r2 = cells.left - cells.right;
      r.r3 = cells.variable.stamp() > 0 ? 1 : 0;
    }
  }
}
