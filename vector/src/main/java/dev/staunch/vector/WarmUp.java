package dev.staunch.vector;

import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Runs float32 kernels repeatedly on small operands of its own until they are about as fast as the
 * kernels that they replace, or faster: then the JVM has compiled them.
 */
final class WarmUp implements Predicate<Set<KernelGroup>> {
  /** Compilation takes long on a busy machine, and never succeeds on one without vectors. */
  static final long LIMIT_NANOS = 300_000_000_000L;

  /** Turns after which the old kernels are compiled, too, so that they can serve as a measure. */
  static final int LEAST_TURNS = 50;

  /**
   * A new kernel counts as compiled if it takes at most this many times as long as the old one.
   * Before that it takes many times as long.
   */
  private static final double TOLERANCE = 1.5;

  /**
   * After this time it is enough that the kernels are as fast as that on the whole: some may stay
   * slower than the old ones on operands this small.
   */
  private static final long EACH_NANOS = 8_000_000_000L;

  private static final long BUDGET = 1 << 24;

  private final KernelSet before;
  private final KernelSet kernels;
  private final int leastTurns;
  private final long limitNanos;

  /**
   * @param before the set that {@code kernels} is to replace
   * @param leastTurns the fewest turns, in each of which every kernel runs for a while
   * @param limitNanos the time after which the attempt has failed
   */
  WarmUp(KernelSet before, KernelSet kernels, int leastTurns, long limitNanos) {
    this.before = before;
    this.kernels = kernels;
    this.leastTurns = leastTurns;
    this.limitNanos = limitNanos;
  }

  /** Runs {@code work} on a new daemon thread, which ends with it. */
  static void start(Runnable work) {
    Thread thread = new Thread(work, "staunch-vector-warm-up");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns whether the kernels of these groups have become fast enough; takes seconds. */
  @Override
  public boolean test(Set<KernelGroup> groups) {
    try (OffHeap memory = OffHeap.of(MemoryOptions.withBudget(BUDGET));
        ResourceScope scope = ResourceScope.open(memory, "warm-up")) {
      WarmUpOperands old = new WarmUpOperands(before, scope);
      WarmUpOperands fresh = new WarmUpOperands(kernels, scope);
      List<Race> races = new ArrayList<>();
      for (KernelGroup group : groups) {
        List<Runnable> replaced = old.runs(group);
        List<Runnable> replacing = fresh.runs(group);
        for (int i = 0; i < replaced.size(); i++) {
          races.add(new Race(replaced.get(i), replacing.get(i)));
        }
      }
      return run(races);
    }
  }

  private boolean run(List<Race> races) {
    long start = System.nanoTime();
    List<Race> slow = new ArrayList<>(races);
    boolean won;
    long passed;
    int turns = 0;
    do {
      slow.forEach(Race::goOn);
      turns++;
      passed = System.nanoTime() - start;
      if (turns >= leastTurns) {
        slow.removeIf(race -> race.factor() <= TOLERANCE);
      }
      won =
          slow.isEmpty()
              || (turns >= leastTurns && passed > EACH_NANOS && mean(races) <= TOLERANCE);
    } while (!won && passed < limitNanos);
    return won;
  }

  private static double mean(List<Race> races) {
    return Math.exp(races.stream().mapToDouble(it -> Math.log(it.factor())).average().orElse(0));
  }

  /** A kernel and the one that it is to replace. */
  private static final class Race {
    /** The JVM compiles code that has run thousands of times, however short a run is. */
    private static final long TURN_NANOS = 3_000_000;

    private final Runnable old;
    private final Runnable fresh;
    private long bestOfOld = Long.MAX_VALUE;
    private long bestOfFresh = Long.MAX_VALUE;

    Race(Runnable old, Runnable fresh) {
      this.old = old;
      this.fresh = fresh;
    }

    /** Runs both some more. */
    void goOn() {
      long end = System.nanoTime() + TURN_NANOS;
      do {
        bestOfOld = Math.min(bestOfOld, nanos(old));
        bestOfFresh = Math.min(bestOfFresh, nanos(fresh));
      } while (System.nanoTime() - end < 0);
    }

    /** How many times as long the new one takes, at best. */
    double factor() {
      return (double) Math.max(1, bestOfFresh) / Math.max(1, bestOfOld);
    }

    private static long nanos(Runnable kernel) {
      long start = System.nanoTime();
      kernel.run();
      return System.nanoTime() - start;
    }
  }
}
