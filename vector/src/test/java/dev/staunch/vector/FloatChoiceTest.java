package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** {@code where} and {@code masked_fill} of float32 are bit-identical on both sets of kernels. */
class FloatChoiceTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();

  /** Negative zero, and a NaN with a payload, too. */
  private static final int[] STRANGE = {
    0x80000000, 0x7fc00001, 0xff800000, 0x00000001, 0x3f800000, 0
  };

  /** What is done to a mask and two tensors of 70 x 90 elements. */
  @FunctionalInterface
  private interface Work {
    Tensor of(Tensor mask, Tensor a, Tensor b);
  }

  /** Counts how often the set is asked for the loop of a choice. */
  private static final class Asked extends LayeredKernelSet {
    private final AtomicInteger choices = new AtomicInteger();

    Asked() {
      super("asked", new VectorKernels(PLAIN));
    }

    @Override
    public @Nullable RowFormula rowFormula(DType dtype, String name, double... constants) {
      if (name.equals(FloatChoice.NAME)) {
        choices.incrementAndGet();
      }
      return super.rowFormula(dtype, name, constants);
    }
  }

  private static Tensor operand(Context context, int seed) {
    Random random = new Random(seed);
    float[] numbers = new float[6300];
    for (int i = 0; i < numbers.length; i++) {
      int strange = STRANGE[random.nextInt(STRANGE.length)];
      numbers[i] = random.nextInt(5) == 0 ? Float.intBitsToFloat(strange) : random.nextFloat();
    }
    return context.tensor(numbers).view(70, 90);
  }

  private static List<Integer> results(KernelSet kernels, Work work) {
    ContextOptions options =
        ContextOptions.standard().withCatalog(StandardOperations.catalog().with(kernels));
    try (OffHeap memory = OffHeap.withBudget(1 << 24)) {
      List<Integer> bits = new ArrayList<>();
      try (Context context = Context.open(memory, options)) {
        Tensor mask = operand(context, 1).gt(0.5);
        Tensor result = work.of(mask, operand(context, 2), operand(context, 3));
        for (float each : result.contiguous().floats()) {
          bits.add(Float.floatToRawIntBits(each));
        }
      }
      assertEquals(0, memory.account().bytes());
      return bits;
    }
  }

  /** Compares; the loop on vectors must be used. */
  private static void compare(Work work) {
    Asked asked = new Asked();
    assertEquals(results(PLAIN, work), results(asked, work));
    assertTrue(asked.choices.get() > 0);
  }

  private static Tensor call(String name, Tensor first, Object... others) {
    Object[] all = new Object[others.length + 1];
    all[0] = first;
    System.arraycopy(others, 0, all, 1, others.length);
    return first.context().apply(name, all);
  }

  @Test
  void rowsAndNumbers() {
    compare((mask, a, b) -> call("where", mask, a, b));
    compare((mask, a, b) -> call("where", mask, a.select(0, 3).select(0, 3), b));
    compare((mask, a, b) -> call("where", mask, a, b.select(0, 3).select(0, 3)));
    compare((mask, a, b) -> call("where", mask, a, a.context().full(-0.0f)));
    compare((mask, a, b) -> call("masked_fill", a, mask, Double.NEGATIVE_INFINITY));
    compare((mask, a, b) -> call("masked_fill", a, mask, 3L));
    compare((mask, a, b) -> call("masked_fill_", a, mask, -1e9));
    compare((mask, a, b) -> call("masked_fill_", a, mask, b.select(0, 1).select(0, 0)));
  }

  @Test
  void broadcastAndStridedOperands() {
    compare((mask, a, b) -> call("where", mask.narrow(0, 3, 1), a, b));
    compare((mask, a, b) -> call("where", mask, a.narrow(0, 3, 1), b));
    compare((mask, a, b) -> call("where", mask.t(), a.t(), b.t()));
    compare((mask, a, b) -> call("where", mask.narrow(1, 1, 80), a.narrow(1, 2, 80), 2.0));
    compare((mask, a, b) -> call("masked_fill", a, mask.select(0, 0), -1e9));
    compare((mask, a, b) -> call("masked_fill_", a.t(), mask.t(), -1e9));
    Work apart = (mask, a, b) -> call("where", mask, a.narrow(1, 3, 1), b);
    assertEquals(results(PLAIN, apart), results(new VectorKernels(PLAIN), apart));
    Work turned = (mask, a, b) -> call("where", mask.t().contiguous().t(), a, b);
    assertEquals(results(PLAIN, turned), results(new VectorKernels(PLAIN), turned));
  }

  /** Every byte other than 0 is true. */
  @Test
  void bytesThatOtherCodeHasWritten() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment truths = arena.allocate(256);
      MemorySegment yes = arena.allocate(1024, Float.BYTES);
      MemorySegment no = arena.allocate(1024, Float.BYTES);
      MemorySegment out = arena.allocate(1024, Float.BYTES);
      for (int i = 0; i < 256; i++) {
        truths.set(JAVA_BYTE, i, (byte) i);
        yes.setAtIndex(JAVA_FLOAT, i, i);
        no.setAtIndex(JAVA_FLOAT, i, -1 - i);
      }
      for (int count : new int[] {1, 3, 7, 16, 31, 200, 250}) {
        out.fill((byte) 0);
        new FloatChoice().run(truths, 256 - count, yes, 1, no, 2, out, 3, count);
        for (int i = 0; i < count; i++) {
          float expected = 256 - count + i == 0 ? -3 - i : 1 + i;
          assertEquals(expected, out.getAtIndex(JAVA_FLOAT, 3L + i));
        }
        assertEquals(0, out.getAtIndex(JAVA_FLOAT, 3L + count), "behind the row");
      }
      new FloatChoice().run(truths, 0, yes, 0, no, 0, out, 0, 256);
      assertEquals(-1, out.getAtIndex(JAVA_FLOAT, 0));
      assertEquals(255, out.getAtIndex(JAVA_FLOAT, 255));
    }
  }
}
