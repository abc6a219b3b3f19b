package dev.staunch.kernel.loop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.memory.OffHeap;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Bools are combined by truth value, wherever they are in memory and whatever byte stands for true.
 */
class BoolPointwiseTest {
  private static final long SEED = 3;
  private static final int[] SIZES = {0, 1, 7, 8, 9, 63, 4095, 4096, 4097, 9001};
  private static final byte[] TRUE = {1, 1, 2, 127, -1, -128};

  /** Each operation's result for its operands. */
  private static final Map<String, Predicate<boolean[]>> PAIRS =
      Map.ofEntries(
          Map.entry("logical_and", it -> it[0] && it[1]),
          Map.entry("logical_or", it -> it[0] || it[1]),
          Map.entry("logical_xor", it -> it[0] != it[1]),
          Map.entry("bitwise_and.Tensor", it -> it[0] && it[1]),
          Map.entry("bitwise_or.Tensor", it -> it[0] || it[1]),
          Map.entry("bitwise_xor.Tensor", it -> it[0] != it[1]),
          Map.entry("eq.Tensor", it -> it[0] == it[1]),
          Map.entry("ne.Tensor", it -> it[0] != it[1]),
          Map.entry("lt.Tensor", it -> !it[0] && it[1]),
          Map.entry("le.Tensor", it -> !it[0] || it[1]),
          Map.entry("gt.Tensor", it -> it[0] && !it[1]),
          Map.entry("ge.Tensor", it -> it[0] || !it[1]),
          Map.entry("mul.Tensor", it -> it[0] && it[1]),
          Map.entry("maximum", it -> it[0] || it[1]),
          Map.entry("minimum", it -> it[0] && it[1]));

  private final Random random = new Random(SEED);

  @Test
  void operandsLieTogether() {
    PAIRS.forEach((name, truth) -> run(name, truth, 2, 1));
    run("logical_not", it -> !it[0], 1, 1);
    run("bitwise_not", it -> !it[0], 1, 1);
    run("where.self", it -> it[0] ? it[1] : it[2], 3, 1);
  }

  @Test
  void operandsLieApart() {
    PAIRS.forEach((name, truth) -> run(name, truth, 2, 3));
    run("logical_not", it -> !it[0], 1, 3);
    run("bitwise_not", it -> !it[0], 1, 3);
    run("where.self", it -> it[0] ? it[1] : it[2], 3, 3);
  }

  @Test
  void sumsOfBoolsAreTruths() {
    try (OffHeap memory = OffHeap.withBudget(64L << 20);
        Context context = Context.open(memory)) {
      Tensor a = bools(context, 9001, 1);
      Tensor b = bools(context, 9001, 1);
      boolean[] first = truths(a);
      boolean[] second = truths(b);
      boolean[] either = new boolean[first.length];
      for (int i = 0; i < either.length; i++) {
        either[i] = first[i] || second[i];
      }
      assertArrayEquals(either, truths(context.apply("aten::add.Tensor", a, b, 1L)));
      assertArrayEquals(first, truths(context.apply("aten::add.Tensor", a, b, 0L)));
    }
  }

  @Test
  void anOperandMayBeOneTruthARowOrANumber() {
    try (OffHeap memory = OffHeap.withBudget(64L << 20);
        Context context = Context.open(memory)) {
      Tensor a = bools(context, 70 * 33, 1).view(70, 33);
      Tensor row = bools(context, 33, 1);
      boolean[] first = truths(a);
      boolean[] second = truths(row);
      boolean[] transposed = truths(a.t());
      Tensor yes = context.tensor(true);
      for (int i = 0; i < first.length; i++) {
        assertEquals(first[i / 70 + i % 70 * 33], transposed[i]);
      }
      boolean[] both = truths(context.apply("aten::logical_and", a, row));
      boolean[] turned = truths(context.apply("aten::logical_xor", a.t().contiguous(), a.t()));
      boolean[] same = truths(context.apply("aten::logical_and", a, yes));
      boolean[] opposite = truths(context.apply("aten::eq.Scalar", a, false));
      for (int i = 0; i < first.length; i++) {
        assertEquals(first[i] && second[i % 33], both[i], "of a row");
        assertEquals(false, turned[i], "transposed");
        assertEquals(first[i], same[i], "of one");
        assertEquals(!first[i], opposite[i], "of a number");
      }
    }
  }

  @Test
  void anOperandIsWritten() {
    try (OffHeap memory = OffHeap.withBudget(64L << 20);
        Context context = Context.open(memory)) {
      Tensor a = bools(context, 5000, 3);
      Tensor b = bools(context, 5000, 1);
      boolean[] first = truths(a);
      boolean[] second = truths(b);
      context.apply("aten::logical_xor_", a, b).value();
      boolean[] found = truths(a);
      for (int i = 0; i < first.length; i++) {
        assertEquals(first[i] != second[i], found[i]);
      }
      context.apply("aten::logical_not_", a).value();
      boolean[] opposite = truths(a);
      for (int i = 0; i < first.length; i++) {
        assertEquals(!found[i], opposite[i]);
      }
    }
  }

  private void run(String name, Predicate<boolean[]> truth, int operands, int step) {
    try (OffHeap memory = OffHeap.withBudget(64L << 20);
        Context context = Context.open(memory)) {
      for (int size : SIZES) {
        List<Tensor> tensors = new ArrayList<>();
        List<boolean[]> values = new ArrayList<>();
        for (int k = 0; k < operands; k++) {
          tensors.add(bools(context, size, step));
          values.add(truths(tensors.getLast()));
        }
        boolean[] expected = new boolean[size];
        for (int i = 0; i < size; i++) {
          boolean[] elements = new boolean[operands];
          for (int k = 0; k < operands; k++) {
            elements[k] = values.get(k)[i];
          }
          expected[i] = truth.test(elements);
        }
        Tensor result = context.apply("aten::" + name, tensors.toArray());
        assertEquals(DType.BOOL, result.dtype());
        String what = name + " of " + size + " by " + step + ", seed " + SEED;
        assertArrayEquals(expected, truths(result), what);
        for (int i = 0; i < size; i++) {
          assertEquals(expected[i] ? 1 : 0, result.value().segment().get(JAVA_BYTE, i), what);
        }
      }
    }
  }

  /** Random bools, {@code step} apart; true is often a byte other than 1. */
  private Tensor bools(Context context, int size, int step) {
    Tensor made = context.zeros(DType.BOOL, (long) size * step);
    for (int i = 0; i < size * step; i++) {
      byte value = random.nextBoolean() ? TRUE[random.nextInt(TRUE.length)] : 0;
      made.value().segment().set(JAVA_BYTE, i, value);
    }
    return step == 1 ? made : made.view(size, step).select(1, 1);
  }

  private static boolean[] truths(Tensor tensor) {
    DenseTensor dense = tensor.value();
    boolean[] truths = new boolean[(int) dense.elements()];
    long rows = dense.shape().rank() == 2 ? dense.shape().size(0) : 1;
    long columns = truths.length / Math.max(1, rows);
    int last = dense.shape().rank() - 1;
    for (int i = 0; i < truths.length; i++) {
      long row = i / columns;
      long at =
          dense.layout().offset()
              + (last == 1 ? row * dense.layout().stride(0) : 0)
              + i % columns * dense.layout().stride(last);
      truths[i] = dense.segment().get(JAVA_BYTE, at) != 0;
    }
    return truths;
  }
}
