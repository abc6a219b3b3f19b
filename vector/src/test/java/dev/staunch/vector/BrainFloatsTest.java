package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compares casts from and to bfloat16, and formulas between them, with the plain kernels. */
class BrainFloatsTest {
  private static final VectorKernels KERNELS = new VectorKernels(StandardOperations.plainKernels());
  private static final int ALL = 1 << Short.SIZE;

  private final Random random = new Random(3);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 26));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingIsHeld() {
    scope.close();
    assertEquals(0, memory.account().bytes());
    memory.close();
  }

  private DenseTensor tensor(DType dtype, long elements) {
    return (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(elements));
  }

  private static Copy.Request request(DType from, DType to, long at, long into, long count) {
    Shape shape = Shape.of(count);
    long[] one = {1};
    return new Copy.Request(
        from, new Layout(shape, one, at), to, new Layout(shape, one.clone(), into));
  }

  @Test
  void everyBfloat16IsWidenedAsByThePlainSet() {
    DenseTensor narrow = tensor(DType.BFLOAT16, ALL);
    for (int i = 0; i < ALL; i++) {
      narrow.segment().setAtIndex(JAVA_SHORT, i, (short) i);
    }
    for (int count : new int[] {1, 15, 16, 17, 33, ALL - 5}) {
      DenseTensor wide = tensor(DType.FLOAT32, count + 2L);
      wide.segment().setAtIndex(JAVA_FLOAT, count + 1L, 7);
      Copy.Request request = request(DType.BFLOAT16, DType.FLOAT32, 5, 1, count);
      assertEquals(BrainFloatCopy.class, KERNELS.copy(request).getClass());
      assertSame(null, KERNELS.copy(request).run(new Run(scope), narrow, wide));
      for (int i = 0; i < count; i++) {
        int bits = Float.floatToRawIntBits(wide.segment().getAtIndex(JAVA_FLOAT, i + 1L));
        assertEquals((i + 5) << Short.SIZE, bits);
      }
      assertEquals(7, wide.segment().getAtIndex(JAVA_FLOAT, count + 1L), "what lies behind");
    }
  }

  @Test
  void floatsOfAllKindsAreRoundedAsByThePlainSet() {
    int most = 1 << 17;
    DenseTensor wide = tensor(DType.FLOAT32, most);
    for (int i = 0; i < most; i++) {
      int upper = random.nextInt() << Short.SIZE;
      int lower = new int[] {0, 0x7fff, 0x8000, 0x8001, 0xffff, random.nextInt(ALL)}[i % 6];
      wide.segment().setAtIndex(JAVA_FLOAT, i, Float.intBitsToFloat(upper | lower));
    }
    for (int count : new int[] {1, 31, 32, 65, most}) {
      DenseTensor expected = tensor(DType.BFLOAT16, most + 1L);
      DenseTensor found = tensor(DType.BFLOAT16, most + 1L);
      Copy.Request request = request(DType.FLOAT32, DType.BFLOAT16, 0, 1, count);
      StandardOperations.plainKernels().copy(request).run(new Run(scope), wide, expected);
      KERNELS.copy(request).run(new Run(scope), wide, found);
      assertEquals(-1, expected.segment().mismatch(found.segment()), "of " + count);
    }
  }

  @Test
  void aCancelledCastSaysSo() {
    Fault fault = Fault.cancelled(CancelReason.USER, "enough");
    Copy.Request request = request(DType.FLOAT32, DType.BFLOAT16, 0, 0, 1 << 18);
    DenseTensor wide = tensor(DType.FLOAT32, 1 << 18);
    DenseTensor narrow = tensor(DType.BFLOAT16, 1 << 18);
    assertSame(fault, KERNELS.copy(request).run(new Run(scope, fault), wide, narrow));
  }

  @Test
  void formulasOfNarrowNumbersAreThoseOfFloatsRoundedOnce() {
    ContextOptions options =
        ContextOptions.standard().withCatalog(StandardOperations.catalog().with(KERNELS));
    try (OffHeap own = OffHeap.withBudget(1L << 26);
        Context context = Context.open(own, options)) {
      for (DType narrow : new DType[] {DType.BFLOAT16, DType.FLOAT16}) {
        for (int count : new int[] {1, 64, 100, 1024, 1500, 40_000}) {
          Tensor a = context.uniform(-3, 3, count).to(narrow);
          Tensor b = context.uniform(-3, 3, count).to(narrow);
          for (String each : new String[] {"exp", "tanh", "silu", "sin", "sqrt"}) {
            same(context.apply(each, a.to(DType.FLOAT32)).to(narrow), context.apply(each, a));
          }
          same(a.to(DType.FLOAT32).mul(b.to(DType.FLOAT32)).to(narrow), a.mul(b));
          same(a.to(DType.FLOAT32).add(0.5).to(narrow), a.add(0.5));
        }
      }
    }
  }

  private static void same(Tensor expected, Tensor found) {
    assertEquals(-1, expected.value().segment().mismatch(found.value().segment()));
  }
}
