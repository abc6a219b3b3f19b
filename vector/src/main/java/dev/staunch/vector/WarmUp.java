package dev.staunch.vector;

import com.sun.management.ThreadMXBean;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs kernels repeatedly on small operands of its own until the JVM has compiled them: they are
 * then about as fast as the kernels that they replace, or faster, and leave no vectors on the heap.
 * Speed alone would not tell, because the other kernels may not be compiled yet, either.
 */
final class WarmUp implements UnaryOperator<Set<KernelGroup>> {
  /**
   * After this time it is enough that the kernels of a group are fast on the whole: some may stay
   * slower than the old ones on operands this small, or leave some vectors.
   */
  static final long EACH_NANOS = 8_000_000_000L;

  /** Turns after which the old kernels are compiled, too, so that they can serve as a measure. */
  static final int LEAST_TURNS = 20;

  /**
   * A new kernel counts as compiled if it takes at most this many times as long as the old one.
   * Before that it takes many times as long.
   */
  private static final double TOLERANCE = 1.5;

  /** In a group that is fast on the whole, one kernel may take this many times as long. */
  private static final double WORST = 4;

  private static final long BUDGET = 1 << 24;

  private final KernelSet before;
  private final KernelSet kernels;
  private final int leastTurns;
  private final long nanos;

  /**
   * @param before the set that {@code kernels} is to replace
   * @param leastTurns the fewest turns, in each of which every kernel runs for a while
   * @param nanos the time for one attempt, if that is not needed for the turns
   */
  WarmUp(KernelSet before, KernelSet kernels, int leastTurns, long nanos) {
    this.before = before;
    this.kernels = kernels;
    this.leastTurns = leastTurns;
    this.nanos = nanos;
  }

  /** Runs {@code work} on a new daemon thread, which ends with it. */
  static void start(Runnable work) {
    Thread thread = new Thread(work, "staunch-vector-warm-up");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Returns the groups whose kernels have become fast enough; takes seconds. A group that is
   * missing may become fast in another attempt.
   */
  @Override
  public Set<KernelGroup> apply(Set<KernelGroup> groups) {
    try (OffHeap memory = OffHeap.of(MemoryOptions.withBudget(BUDGET));
        ResourceScope scope = ResourceScope.open(memory, "warm-up")) {
      WarmUpOperands old = new WarmUpOperands(before, scope);
      WarmUpOperands fresh = new WarmUpOperands(kernels, scope);
      try {
        List<Race> races = races(groups, old, fresh);
        run(races);
        return fast(races);
      } finally {
        Reference.reachabilityFence(old); // has the tensors that the runs read and write
        Reference.reachabilityFence(fresh);
      }
    }
  }

  private static List<Race> races(
      Set<KernelGroup> groups, WarmUpOperands old, WarmUpOperands fresh) {
    List<Race> races = new ArrayList<>();
    for (KernelGroup group : groups) {
      List<Runnable> replaced = old.runs(group);
      List<Runnable> replacing = fresh.runs(group);
      for (int i = 0; i < replaced.size(); i++) {
        races.add(new Race(group, replaced.get(i), replacing.get(i)));
      }
    }
    return races;
  }

  private void run(List<Race> races) {
    long start = System.nanoTime();
    List<Race> slow = new ArrayList<>(races);
    for (int turns = 1;
        !slow.isEmpty() && (turns <= leastTurns || System.nanoTime() - start < nanos);
        turns++) {
      slow.forEach(Race::goOn);
      if (turns >= leastTurns) {
        slow.removeIf(Race::isWon);
      }
    }
  }

  /** The groups whose kernels are fast in the geometric mean, and none of them slow. */
  private static Set<KernelGroup> fast(List<Race> races) {
    Set<KernelGroup> fast =
        races.stream()
            .collect(
                Collectors.groupingBy(
                    race -> race.group,
                    Collectors.averagingDouble(race -> Math.log(race.factor()))))
            .entrySet()
            .stream()
            .filter(mean -> mean.getValue() <= Math.log(TOLERANCE))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    races.stream().filter(race -> race.factor() > WORST).forEach(race -> fast.remove(race.group));
    return fast;
  }

  /** A kernel and the one that it is to replace. */
  private static final class Race {
    /** The JVM compiles code that has run thousands of times, however short a run is. */
    private static final long TURN_NANOS = 3_000_000;

    /** A compiled kernel leaves at most a few small arrays. */
    private static final long SOME_BYTES = 1024;

    /** Or this fraction of what it left before it was compiled. */
    private static final long FEWER = 64;

    private static final @Nullable ThreadMXBean THREADS =
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean ? bean : null;

    private final KernelGroup group;
    private final Runnable old;
    private final Runnable fresh;
    private long bestOfOld = Long.MAX_VALUE;
    private long bestOfFresh = Long.MAX_VALUE;

    /** The least bytes that a run of the new kernel left on the heap. */
    private long leastOfFresh = Long.MAX_VALUE;

    /** What its second run left: the first loads classes. */
    private long early;

    private int runs;

    Race(KernelGroup group, Runnable old, Runnable fresh) {
      this.group = group;
      this.old = old;
      this.fresh = fresh;
    }

    /** Runs both some more. */
    void goOn() {
      long end = System.nanoTime() + TURN_NANOS;
      do {
        bestOfOld = Math.min(bestOfOld, nanos(old));
        long before = allocated();
        bestOfFresh = Math.min(bestOfFresh, nanos(fresh));
        long left = allocated() - before;
        leastOfFresh = Math.min(leastOfFresh, left);
        early = ++runs == 2 ? left : early;
      } while (System.nanoTime() - end < 0);
    }

    /** Whether the new kernel is compiled, and not much slower than the old one. */
    boolean isWon() {
      return leastOfFresh <= Math.max(SOME_BYTES, early / FEWER) && factor() <= TOLERANCE;
    }

    /** How many times as long the new one takes, at best. */
    double factor() {
      return (double) Math.max(1, bestOfFresh) / Math.max(1, bestOfOld);
    }

    /** How many bytes this thread has allocated so far; always the same if the JVM does not say. */
    private static long allocated() {
      return THREADS == null ? 0 : THREADS.getCurrentThreadAllocatedBytes();
    }

    private static long nanos(Runnable kernel) {
      long start = System.nanoTime();
      kernel.run();
      return System.nanoTime() - start;
    }
  }
}
