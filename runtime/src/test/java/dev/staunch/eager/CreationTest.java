package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CreationTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final Context context = Context.open(memory, StandardOperations.catalog());

  @AfterEach
  void everyByteGoesBack() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void nestedArraysGiveShapeAndDType() {
    Tensor floats = context.tensor(new float[][] {{1, 2, 3}, {4, 5, 6}});
    assertEquals(Shape.of(2, 3), floats.shape());
    assertEquals(DType.FLOAT32, floats.dtype());
    assertArrayEquals(new float[] {1, 2, 3, 4, 5, 6}, floats.floats());
    assertEquals(DType.BOOL, context.tensor(new boolean[] {true, false}).dtype());
    assertEquals(DType.INT16, context.tensor(new short[][][] {{{1}}}).dtype());
    assertEquals(DType.INT8, context.tensor(new byte[] {-1}).dtype());
    assertArrayEquals(new long[] {1, 2}, context.tensor(new Integer[] {1, 2}).longs());
  }

  @Test
  void aBoxedValueHasNoDimensions() {
    assertEquals(Shape.SCALAR, context.tensor(2.5).shape());
    assertEquals(DType.FLOAT64, context.tensor(2.5).dtype());
    assertEquals(7, context.tensor(7).itemLong());
  }

  @Test
  void emptyArraysKeepTheirDimensions() {
    assertEquals(Shape.of(0), context.tensor(new float[0]).shape());
    assertEquals(Shape.of(2, 0), context.tensor(new float[2][0]).shape());
    assertEquals(Shape.of(0, 0), context.tensor(new float[0][]).shape());
  }

  @Test
  void aRaggedArrayIsAShapeFaultThatNamesThePlace() {
    Tensor ragged = context.tensor(new int[][][] {{{1, 2}, {3, 4}}, {{5, 6}, {7}}});
    StaunchException.ShapeException thrown =
        assertThrows(StaunchException.ShapeException.class, ragged::longs);
    assertEquals(
        "the nested array is ragged: [1][1] has 1 element where 2 are expected",
        thrown.getMessage());
    assertEquals("CreationTest.java", UserLineTest.file(thrown));
  }

  @Test
  void otherJavaTypesAreADTypeFault() {
    assertThrows(
        StaunchException.DTypeException.class, () -> context.tensor(new String[] {"a"}).floats());
    assertThrows(
        StaunchException.ValueException.class,
        () -> context.tensor(new float[][] {{1}, null}).floats());
    String message =
        "a tensor cannot be made of a collection; give numbers or booleans, or arrays of them";
    assertEquals(message, message(context.tensor(List.of(1, 2))));
  }

  private static String message(Tensor tensor) {
    return assertThrows(StaunchException.class, tensor::shape).getMessage();
  }

  @Test
  void aRangeTellsItsStepAsItWasGiven() {
    assertEquals("the step of a range must not be 0", message(context.arange(0, 5, 0)));
    assertEquals("the step of a range must not be 0.0", message(context.arange(0.5, 5, 0)));
  }

  @Test
  void anEquationForAnotherNumberOfOperandsIsAFault() {
    assertEquals(
        "the equation 'ij,jk' is written for 2 operands, but einsum got 1",
        message(context.einsum("ij,jk", context.ones(2, 2))));
  }

  @Test
  void aComplexNumberLosesItsImaginaryPart() {
    Tensor imaginary = context.apply("complex", context.zeros(1), context.ones(1));
    assertEquals(0, imaginary.to(DType.FLOAT32).item());
    assertEquals(0, imaginary.to(DType.INT64).itemLong());
    assertFalse(imaginary.to(DType.BOOL).itemBoolean(), "as in PyTorch");
    assertEquals(DType.COMPLEX128, context.ones(1).to(DType.COMPLEX128).dtype());
  }

  @Test
  void segmentsAreCopied() {
    MemorySegment raw = MemorySegment.ofArray(new int[] {1, 2, 3, 4});
    Tensor tensor = context.tensor(DType.INT32, Shape.of(2, 2), raw);
    raw.fill((byte) 0);
    int[] back = new int[4];
    tensor.t().copyTo(MemorySegment.ofArray(back));
    assertArrayEquals(new int[] {1, 3, 2, 4}, back);
    assertThrows(
        StaunchException.ShapeException.class,
        () -> tensor.copyTo(MemorySegment.ofArray(new byte[15])));
  }

  @Test
  void sequencesAndConstantsHavePyTorchsDTypes() {
    assertArrayEquals(new long[] {0, 1, 2}, context.arange(3).longs());
    assertEquals(DType.INT64, context.arange(3).dtype());
    assertArrayEquals(new float[] {0, 0.5f}, context.arange(0, 1, 0.5).floats());
    assertArrayEquals(new float[] {0, 0.5f, 1}, context.linspace(0, 1, 3).floats());
    assertArrayEquals(new float[] {1, 10, 100}, context.logspace(0, 2, 3, 10).floats());
    assertArrayEquals(new float[] {1, 0, 0, 0, 1, 0}, context.eye(2, 3).floats());
    assertEquals(DType.INT64, context.full(7L, 2).dtype());
    assertEquals(DType.FLOAT32, context.full(7.0, 2).dtype());
    assertEquals(DType.FLOAT16, context.zeros(DType.FLOAT16, 1).dtype());
    assertArrayEquals(
        new float[] {1, 1, 5, 5},
        context.cat(0, context.ones(2), context.fullLike(context.ones(2), 5)).floats());
    assertEquals(Shape.of(2, 3), context.stack(0, context.ones(3), context.zeros(3)).shape());
  }

  @Test
  void aNegativeSizeIsAValueFault() {
    StaunchException.ValueException thrown =
        assertThrows(StaunchException.ValueException.class, () -> context.zeros(-1).floats());
    assertEquals("CreationTest.java", UserLineTest.file(thrown));
  }

  @Test
  void aTensorBeyondTheBudgetIsAnOutOfMemoryFault() {
    assertThrows(StaunchException.OutOfMemoryException.class, () -> context.zeros(1 << 20).value());
  }

  @Test
  void elementsComeOutAsAnyJavaType() {
    Tensor tensor = context.tensor(new double[][] {{0, 1.5}, {-2.5, 300}});
    assertArrayEquals(new int[] {0, 1, -2, 300}, tensor.ints());
    assertArrayEquals(new short[] {0, 1, -2, 300}, tensor.shorts());
    assertArrayEquals(new byte[] {0, 1, -2, 44}, tensor.bytes());
    assertArrayEquals(new boolean[] {false, true, true, true}, tensor.booleans());
    double[][] nested = (double[][]) tensor.toNestedArray();
    assertArrayEquals(new double[] {-2.5, 300}, nested[1]);
    assertEquals(300.0, tensor.max().toNestedArray());
    assertEquals(1.5, tensor.get(0, 1).item());
    assertTrue(tensor.ne(0).any().itemBoolean());
  }

  @Test
  void onlyASingleElementIsAnItem() {
    Tensor pair = context.ones(2);
    StaunchException.ValueException thrown =
        assertThrows(StaunchException.ValueException.class, pair::item);
    assertEquals(
        "a tensor of 2 elements is not one value; take one element before", thrown.getMessage());
    assertNotNull(thrown.fault().source());
  }

  @Test
  void rangesTakeADType() {
    assertEquals(DType.INT32, context.arange(DType.INT32, 3).dtype());
    assertArrayEquals(new int[] {1, 3}, context.arange(DType.INT32, 1, 5, 2).ints());
    assertEquals(DType.FLOAT64, context.arange(DType.FLOAT64, 0.5, 2.0, 0.5).dtype());
    assertEquals(DType.FLOAT64, context.linspace(DType.FLOAT64, 0, 1, 3).dtype());
    assertEquals(DType.INT16, context.randint(DType.INT16, 0, 9, 4).dtype());
  }

  @Test
  void aSegmentOfAClosedArenaIsAClosedFaultThatNamesIt() {
    Arena arena = Arena.ofConfined();
    MemorySegment elements = arena.allocate(8);
    arena.close();
    Tensor made = context.tensor(DType.FLOAT32, Shape.of(2), elements);
    StaunchException.ClosedException thrown =
        assertThrows(StaunchException.ClosedException.class, made::floats);
    assertTrue(thrown.getMessage().contains("segment `elements`"), thrown.getMessage());
  }

  @Test
  void aSegmentOfAnotherThreadIsAValueFaultThatNamesIt() throws Exception {
    try (Arena arena = Arena.ofConfined();
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      MemorySegment elements = arena.allocate(8);
      Tensor made = other.submit(() -> context.tensor(DType.FLOAT32, Shape.of(2), elements)).get();
      StaunchException.ValueException thrown =
          assertThrows(StaunchException.ValueException.class, made::floats);
      assertTrue(thrown.getMessage().contains("segment `elements`"), thrown.getMessage());
    }
  }
}
