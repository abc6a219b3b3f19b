package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random calls of operations, answered by the plain kernels and by those of this module: the same
 * results within rule S1, and the same bits each time (E1).
 *
 * <p>{@code -Drandom.calls} sets how many calls there are; without it, they are a {@linkplain
 * RandomCalls#ROUND round}. {@code -Drandom.seed} sets the first seed.
 */
class SetsAgreeTest {
  private static final long CALLS = Long.getLong("random.calls", RandomCalls.ROUND);
  private static final long SEED = Long.getLong("random.seed", 1);

  /** Differences after which the rest is left out. */
  private static final int ENOUGH = 10;

  @Test
  void bothSetsGiveTheSameWithinRounding() {
    OffHeap memory = OffHeap.withBudget(1L << 30);
    List<String> differences = new ArrayList<>();
    for (long i = 0; i < CALLS && differences.size() < ENOUGH; i++) {
      String difference = difference(memory, SEED + i);
      if (difference != null) {
        differences.add("seed " + SEED + " case " + i + ": " + difference);
      }
    }
    assertEquals("", String.join("\n", differences));
    assertEquals(0, memory.account().bytes());
  }

  /** What differs in the call of this seed; null if nothing does. */
  static @Nullable String difference(OffHeap memory, long seed) {
    try (ResourceScope scope = ResourceScope.open(memory, "call")) {
      RandomOperands draw = new RandomOperands(scope, new Random(seed), RandomCalls.numbers(seed));
      SetCall call = RandomCalls.next(seed, draw);
      String difference = Agreement.difference(scope, call, seed);
      return difference == null ? null : call + " of numbers " + draw.numbers() + " " + difference;
    }
  }
}
