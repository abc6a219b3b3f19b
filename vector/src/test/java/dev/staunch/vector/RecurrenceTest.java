package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.KernelSet;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares the steps of recurrent layers with the plain kernels. */
@ParameterizedClass
@EnumSource(names = {"FLOAT32", "FLOAT64"})
class RecurrenceTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final KernelSet KERNELS = new VectorKernels(PLAIN);

  @Parameter private DType dtype = DType.FLOAT32;

  private final Random random = new Random(6);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 28));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  @Test
  void recurrentCellsWalkThroughStepsOfAnySizes() {
    for (int round = 0; round < 60; round++) {
      for (Recurrence.Cell cell : Recurrence.Cell.values()) {
        walk(cell, 1 + random.nextInt(40), 1 + random.nextInt(5), round % 2 == 0, round % 3 == 0);
      }
    }
  }

  @Test
  void anLstmOfAConstantWeightTakesItsGatesTogether() {
    for (int batch = 1; batch <= 4; batch++) {
      walk(Recurrence.Cell.LSTM, 48, batch, true, batch % 2 == 0);
    }
  }

  @Test
  void aCancelledWalkEnds() {
    aCancelledWalkEnds(false);
  }

  @Test
  void aCancelledWalkByAConstantWeightEnds() {
    aCancelledWalkEnds(true);
  }

  private void aCancelledWalkEnds(boolean constant) {
    Fault stop = Fault.of(FaultType.CANCELLED, "enough");
    Walk walk = new Walk(Recurrence.Cell.LSTM, 16, 2, true);
    Run run = new Run(scope, stop);
    assertSame(
        stop,
        KERNELS
            .recurrence(walk.request(constant ? run.constant(walk.parameters().hidden()) : null))
            .run(
                run,
                walk.parameters(),
                walk.gates,
                walk.steps(false),
                walk.states(),
                walk.states(),
                walk.output(),
                0));
  }

  private void walk(Recurrence.Cell cell, int size, int batch, boolean biased, boolean backwards) {
    Walk walk = new Walk(cell, size, batch, biased);
    double[][] states = walk.states();
    double[][] cells = cell == Recurrence.Cell.LSTM ? walk.states() : new double[batch][0];
    double[][] plainStates = copy(states);
    double[][] plainCells = copy(cells);
    DenseTensor found = walk.output();
    DenseTensor expected = walk.output();
    Run run = new Run(scope);
    Recurrence.Request request =
        walk.request(biased ? run.constant(walk.parameters().hidden()) : null);
    Recurrence fast = KERNELS.recurrence(request);
    assertSame(
        dtype == DType.FLOAT32 ? FloatRecurrence.class : DoubleRecurrence.class, fast.getClass());
    Recurrence.Steps steps = walk.steps(backwards);
    assertNull(fast.run(run, walk.parameters(), walk.gates, steps, states, cells, found, 2));
    assertNull(
        PLAIN
            .recurrence(request)
            .run(run, walk.parameters(), walk.gates, steps, plainStates, plainCells, expected, 2));
    double allowed = Elements.allowed(dtype, 2e-5);
    for (long row = 0; row < found.shape().size(0); row++) {
      for (int i = 2; i < 2 + size; i++) {
        long place = row * found.shape().size(1) + i;
        String at = "%s of %d, %d sequences, row %d".formatted(cell, size, batch, row);
        assertEquals(Elements.get(expected, place), Elements.get(found, place), allowed, at);
      }
    }
    close(plainStates, states);
    close(plainCells, cells);
  }

  private static @Nullable Layout layout(@Nullable DenseTensor tensor) {
    return tensor == null ? null : tensor.layout();
  }

  private static double[][] copy(double[][] rows) {
    return Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
  }

  private void close(double[][] expected, double[][] found) {
    double allowed = Elements.allowed(dtype, 2e-5);
    for (int row = 0; row < expected.length; row++) {
      assertEquals(expected[row].length, found[row].length);
      for (int i = 0; i < expected[row].length; i++) {
        assertEquals(expected[row][i], found[row][i], allowed);
      }
    }
  }

  /** The operands of steps with ever fewer sequences. */
  private final class Walk {
    private static final int STEPS = 4;
    private final Recurrence.Cell cell;
    private final int size;
    private final int batch;
    private final int[] sizes;
    private final int[] starts = new int[STEPS];
    private final Recurrence.Parameters parameters;
    private final DenseTensor gates;

    Walk(Recurrence.Cell cell, int size, int batch, boolean biased) {
      this.cell = cell;
      this.size = size;
      this.batch = batch;
      int width = size * (cell == Recurrence.Cell.LSTM ? 4 : cell == Recurrence.Cell.GRU ? 3 : 1);
      sizes = IntStream.range(0, STEPS).map(t -> Math.max(1, batch - t / 2)).toArray();
      for (int t = 1; t < STEPS; t++) {
        starts[t] = starts[t - 1] + sizes[t - 1];
      }
      DenseTensor bias = biased ? small(width) : null;
      parameters = new Recurrence.Parameters(small(width, size), bias, null);
      gates = small(starts[STEPS - 1] + sizes[STEPS - 1], width);
    }

    private DenseTensor small(long... sizesOfAll) {
      DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(sizesOfAll));
      for (long i = 0; i < made.elements(); i++) {
        Elements.set(made, i, random.nextDouble() - 0.5);
      }
      return made;
    }

    Recurrence.Parameters parameters() {
      return parameters;
    }

    Recurrence.Request request(@Nullable Constant constant) {
      return new Recurrence.Request(
          dtype, cell, parameters.hidden().layout(), layout(parameters.bias()), null, constant);
    }

    Recurrence.Steps steps(boolean backwards) {
      return new Recurrence.Steps(starts, sizes, backwards);
    }

    double[][] states() {
      return IntStream.range(0, batch)
          .mapToObj(row -> random.doubles(size, -1, 1).toArray())
          .toArray(double[][]::new);
    }

    DenseTensor output() {
      return small(starts[STEPS - 1] + sizes[STEPS - 1], size + 3L);
    }
  }
}
