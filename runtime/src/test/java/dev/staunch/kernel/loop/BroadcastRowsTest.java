package dev.staunch.kernel.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.kernel.Sample;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Operands that broadcast along the innermost dimensions, and views with short rows, are combined
 * to the same elements as their copies without gaps.
 */
class BroadcastRowsTest {
  private static final long SEED = 11;
  private static final int CASES = Sample.whole() ? 400 : 120;
  private static final String[] BINARY = {
    "add.Tensor",
    "sub.Tensor",
    "mul.Tensor",
    "div.Tensor",
    "maximum",
    "lt.Tensor",
    "remainder.Tensor",
    "atan2"
  };
  private static final DType[] DTYPES = {
    DType.FLOAT32, DType.FLOAT64, DType.BFLOAT16, DType.INT64, DType.INT32, DType.UINT8
  };

  private final Random random = new Random(SEED);

  @Test
  void theyAreCombinedAsTheirCopiesAre() {
    for (int i = 0; i < CASES; i++) {
      try (OffHeap memory = OffHeap.withBudget(64L << 20);
          Context context = Context.open(memory)) {
        compare(context, i);
      }
    }
  }

  private void compare(Context context, int number) {
    long[] shape = shape();
    DType dtype = DTYPES[random.nextInt(DTYPES.length)];
    boolean same = random.nextBoolean();
    Tensor a = operand(context, shape, dtype);
    Tensor b = operand(context, shape, same ? dtype : DTYPES[random.nextInt(DTYPES.length)]);
    Tensor mask = operand(context, shape, DType.INT64).gt(4);
    for (String operation : BINARY) {
      boolean isScaled = operation.startsWith("add") || operation.startsWith("sub");
      assertSame(number, operation, context, shape, isScaled ? List.of(1L) : List.of(), a, b);
    }
    assertSame(number, "where.self", context, shape, List.of(), mask, a, b);
    assertSame(number, "tanh", context, shape, List.of(), a);
  }

  /** Sizes of which the last, or the last two, are small. */
  private long[] shape() {
    long[] shape = new long[2 + random.nextInt(3)];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = 1 + random.nextInt(i == shape.length - 1 ? 20 : i == shape.length - 2 ? 700 : 3);
    }
    return shape;
  }

  /** A view that broadcasts to {@code shape}, permuted, with gaps or with dimensions of size 1. */
  private Tensor operand(Context context, long[] shape, DType dtype) {
    int rank = shape.length;
    int gap = random.nextInt(3) == 0 ? 2 : 0;
    long[] sizes = shape.clone();
    for (int i = 0; i < rank; i++) {
      sizes[i] = random.nextInt(3) == 0 ? 1 : sizes[i];
    }
    sizes[rank - 1] += gap;
    Tensor whole =
        context.randint(1, 9, sizes).to(dtype).narrow(rank - 1, gap / 2, sizes[rank - 1] - gap);
    if (rank < 4 || random.nextBoolean()) {
      return whole;
    }
    return whole.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2);
  }

  private static void assertSame(
      int number,
      String operation,
      Context context,
      long[] shape,
      List<Object> numbers,
      Tensor... operands) {
    List<Object> views = new ArrayList<>(List.of(operands));
    List<Object> copies = new ArrayList<>();
    for (Tensor each : operands) {
      copies.add(each.expand(shape).contiguous().view(-1));
    }
    views.addAll(numbers);
    copies.addAll(numbers);
    Tensor got = context.apply("aten::" + operation, views.toArray());
    Tensor wanted = context.apply("aten::" + operation, copies.toArray());
    Tensor right = wanted.to(DType.FLOAT64);
    Tensor mine = got.expand(shape).contiguous().view(-1).to(DType.FLOAT64);
    assertEquals(wanted.dtype(), got.dtype());
    assertEquals(
        true,
        context.applyValue("aten::allclose", mine, right, 0.0, 0.0, true),
        () -> "case " + number + ": " + operation + " of " + views);
  }
}
