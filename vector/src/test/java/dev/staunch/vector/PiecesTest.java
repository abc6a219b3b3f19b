package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.primitive.Recurrence;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Work that other threads may take in pieces: how many pieces there are, and that their order does
 * not change the result.
 */
class PiecesTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final KernelSet KERNELS = new VectorKernels(PLAIN);

  private final Random random = new Random(5);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 28));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingIsHeld() {
    scope.close();
    assertEquals(0, memory.account().bytes());
    memory.close();
  }

  private DenseTensor numbers(long... sizes) {
    DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(sizes));
    for (long i = 0; i < made.elements(); i++) {
      Elements.set(made, i, random.nextFloat() - 0.5);
    }
    return made;
  }

  @Test
  void aProductByAConstantIsCutBetweenRowsIfThereAreEnough() {
    product(2, 1, 256, 256, 128, true);
    product(2, 1, 97, 64, 1000, true);
    product(4, 1, 300, 210, 251, true);
  }

  @Test
  void aProductOfFewRowsIsCutBetweenColumns() {
    product(2, 1, 32, 1024, 256, true);
    product(4, 1, 50, 1000, 251, true);
    product(2, 1, 1, 1000, 512, true);
    product(2, 1, 2, 500, 1000, true);
  }

  @Test
  void aLargeProductIsCutIntoAFewEvenPieces() {
    product(6, 1, 1030, 1000, 520, true);
    product(2, 1, 1030, 1000, 520, false);
    product(8, 1, 500, 600, 500, true);
  }

  @Test
  void aSmallProductIsNotCut() {
    product(1, 1, 64, 256, 128, true);
    product(1, 1, 95, 90, 1000, true);
    product(1, 1, 32, 1024, 256, false);
    product(1, 1, 1, 500, 512, true);
  }

  @Test
  void productsOfABatchAreSharedOut() {
    product(6, 12, 128, 128, 64, false);
    product(4, 128, 27, 27, 16, false);
    product(1, 30, 3, 3, 3, false);
  }

  private void product(long pieces, int count, int rows, int columns, int depth, boolean constant) {
    DenseTensor a = numbers(count, rows, depth);
    DenseTensor b = numbers(constant ? 1 : count, depth, columns);
    Layout right =
        constant
            ? new Layout(Shape.of(count, depth, columns), new long[] {0, columns, 1}, 0)
            : b.layout();
    DenseTensor found = numbers(count, rows, columns);
    DenseTensor other = numbers(count, rows, columns);
    Run run = new Run(scope);
    MatrixProduct.Request request =
        new MatrixProduct.Request(
            DType.FLOAT32,
            a.layout(),
            right,
            null,
            found.layout(),
            1,
            constant ? run.constant(b) : null);
    MatrixProduct product = KERNELS.matrixProduct(request);
    LastPieceFirst backwards = new LastPieceFirst(scope);
    assertNull(product.run(run, a, b, null, found));
    assertNull(product.run(backwards, a, b, null, other));
    assertEquals(-1, found.segment().mismatch(other.segment()));
    if (FloatVector.SPECIES_PREFERRED.length() == 16) { // pieces are whole tiles and panels
      assertEquals(pieces, backwards.most(), rows + " by " + columns + " by " + depth);
    }
    assertNull(PLAIN.matrixProduct(request).run(run, a, b, null, other));
    for (long i = 0; i < found.elements(); i++) {
      assertEquals(Elements.get(other, i), Elements.get(found, i), 1e-3);
    }
  }

  @Test
  void unitsOfAStepAreSharedOutIfTheyAreMany() {
    step(1, 16);
    step(1, 128);
    step(2, 256);
  }

  private void step(long pieces, int size) {
    int steps = 5;
    DenseTensor gates = numbers(steps, 4L * size);
    DenseTensor hidden = numbers(4L * size, size);
    DenseTensor bias = numbers(4L * size);
    Run run = new Run(scope);
    Recurrence.Request request =
        new Recurrence.Request(
            DType.FLOAT32,
            Recurrence.Cell.LSTM,
            hidden.layout(),
            bias.layout(),
            null,
            run.constant(hidden));
    Recurrence recurrence = KERNELS.recurrence(request);
    Recurrence.Parameters parameters = new Recurrence.Parameters(hidden, bias, null);
    double[][] states = new double[1][size];
    double[][] others = new double[1][size];
    LastPieceFirst backwards = new LastPieceFirst(scope);
    DenseTensor found = walked(recurrence, run, parameters, gates, states);
    DenseTensor other = walked(recurrence, backwards, parameters, gates, others);
    assertEquals(-1, found.segment().mismatch(other.segment()));
    assertArrayEquals(states, others);
    assertEquals(pieces, backwards.most(), size + " units");
  }

  private DenseTensor walked(
      Recurrence recurrence,
      ExecutionContext context,
      Recurrence.Parameters parameters,
      DenseTensor gates,
      double[][] states) {
    int steps = (int) gates.shape().size(0);
    DenseTensor output = numbers(steps, gates.shape().size(1) / 4);
    Recurrence.Steps all =
        new Recurrence.Steps(
            IntStream.range(0, steps).toArray(),
            IntStream.range(0, steps).map(i -> 1).toArray(),
            /* backwards= */ false);
    double[][] cells = new double[1][states[0].length];
    assertNull(recurrence.run(context, parameters, gates, all, states, cells, output, 0));
    return output;
  }

  /** In a single call, and in calls that are too small to be shared out. */
  @Test
  void aLongRowOfAFormulaGivesTheSameInPieces() {
    ContextOptions options =
        ContextOptions.standard().withCatalog(StandardOperations.catalog().with(KERNELS));
    try (Context context = Context.open(memory, options)) {
      int part = 20_001;
      float[] elements = new float[10 * part];
      for (int i = 0; i < elements.length; i++) {
        elements[i] = (float) random.nextGaussian();
      }
      elements[70_000] = Float.NaN;
      elements[140_000] = Float.NEGATIVE_INFINITY;
      Tensor all = context.tensor(elements);
      float[] whole = all.tanh().mul(all).add(1).floats();
      for (int i = 0; i < 10; i++) {
        Tensor some = context.tensor(Arrays.copyOfRange(elements, i * part, (i + 1) * part));
        assertArrayEquals(
            Arrays.copyOfRange(whole, i * part, (i + 1) * part),
            some.tanh().mul(some).add(1).floats());
      }
      assertArrayEquals(whole, all.tanh().mul_(all).add_(1).floats());
    }
  }
}
