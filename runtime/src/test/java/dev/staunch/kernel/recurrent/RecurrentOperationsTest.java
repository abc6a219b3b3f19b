package dev.staunch.kernel.recurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.KernelBench;
import dev.staunch.kernel.NeuralGoldens;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Views;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecurrentOperationsTest {
  private static final long SEED = 20260321;

  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final KernelBench bench = new KernelBench(scope);
  private final Random random = new Random(SEED);

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Object run(String name, Object... arguments) {
    return Objects.requireNonNull(bench.run("aten::" + name, arguments));
  }

  private Fault fault(String name, Object... arguments) {
    return assertInstanceOf(Fault.class, run(name, arguments));
  }

  private DenseTensor random(DType dtype, long... sizes) {
    Shape shape = Shape.of(sizes);
    double[] values = random.doubles(shape.elements(), -0.1, 0.1).toArray();
    DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, dtype, shape);
    Operand.of(made).store(values, 0, 1, values.length);
    return made;
  }

  private DenseTensor constant(double value, long... sizes) {
    Shape shape = Shape.of(sizes);
    double[] values = new double[(int) shape.elements()];
    Arrays.fill(values, value);
    return (DenseTensor) HostTensors.doubles(scope, shape, values);
  }

  private DenseTensor longs(long... values) {
    return (DenseTensor) HostTensors.longs(scope, Shape.of(values.length), values);
  }

  /** The parameters of one layer. */
  private List<Object> weights(RecurrentCell kind, DType dtype, long features, long size) {
    long rows = kind.gates() * size;
    return new ArrayList<>(
        List.of(
            random(dtype, rows, features),
            random(dtype, rows, size),
            random(dtype, rows),
            random(dtype, rows)));
  }

  private static Object states(RecurrentCell kind, DenseTensor hidden, DenseTensor cell) {
    return kind.hasCellState() ? new ArrayList<Object>(List.of(hidden, cell)) : hidden;
  }

  @Test
  void aLayerAgreesWithItsCellStepByStep() {
    for (RecurrentCell kind : RecurrentCell.values()) {
      for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
        check(kind, dtype, 6, 135);
      }
    }
  }

  private void check(RecurrentCell kind, DType dtype, int steps, int size) {
    DenseTensor input = random(dtype, steps, 2, 9);
    DenseTensor hidden = random(dtype, 1, 2, size);
    DenseTensor cell = random(dtype, 1, 2, size);
    List<Object> weights = weights(kind, dtype, 9, size);
    Object[] results =
        (Object[])
            run(
                kind.title() + ".input",
                input,
                states(kind, hidden, cell),
                weights,
                true,
                1L,
                0.0,
                false,
                false,
                false);
    DenseTensor output = (DenseTensor) results[0];
    DenseTensor state = first(hidden);
    DenseTensor memoryCell = first(cell);
    for (int t = 0; t < steps; t++) {
      List<Object> arguments = new ArrayList<>(weights);
      arguments.add(0, Views.of(new Call(bench, new Object[0]), input, step(input, t)));
      arguments.add(1, states(kind, state, memoryCell));
      Object next = run(kind.title() + "_cell", arguments.toArray());
      state = (DenseTensor) (next instanceof Object[] both ? both[0] : next);
      memoryCell = next instanceof Object[] both ? (DenseTensor) both[1] : memoryCell;
      DenseTensor found = (DenseTensor) output.view(scope, step(output, t));
      assertEquals("", NeuralGoldens.difference(state, found), kind + " seed " + SEED);
    }
    assertEquals("", NeuralGoldens.difference(state, first((DenseTensor) results[1])));
  }

  private static Layout step(DenseTensor tensor, int t) {
    return Views.selected(tensor.layout(), 0, t);
  }

  private DenseTensor first(DenseTensor states) {
    return (DenseTensor) states.view(scope, step(states, 0));
  }

  @Test
  void dropoutBetweenLayersZeroesElementsAndScalesTheRest() {
    List<Object> weights =
        List.of(constant(1, 1, 1), constant(0, 1, 1), constant(1, 1, 1), constant(0, 1, 1));
    Object[] results =
        (Object[])
            run(
                "rnn_relu.input",
                constant(1, 64, 1, 1),
                constant(0, 2, 1, 1),
                weights,
                false,
                2L,
                0.5,
                true,
                false,
                false);
    double[] values = HostTensors.toDoubles((DenseTensor) results[0]);
    assertEquals(List.of(0.0, 2.0), Arrays.stream(values).distinct().sorted().boxed().toList());
  }

  @Test
  void aParameterThatRequiresAGradientMarksEveryResult() {
    bench.setGradEnabled(true);
    List<Object> weights = weights(RecurrentCell.GRU, DType.FLOAT32, 3, 2);
    weights.set(1, ((DenseTensor) weights.get(1)).requiringGrad(scope, true));
    DenseTensor input = random(DType.FLOAT32, 4, 1, 3);
    DenseTensor hidden = random(DType.FLOAT32, 1, 1, 2);
    Object[] results =
        (Object[]) run("gru.input", input, hidden, weights, true, 1L, 0.0, false, false, false);
    for (Object result : results) {
      assertTrue(((DenseTensor) result).requiresGrad());
    }
  }

  @Test
  void aStateForAnotherBatchIsNamedWithWhatWasExpected() {
    List<Object> weights = weights(RecurrentCell.LSTM, DType.FLOAT32, 3, 2);
    DenseTensor input = random(DType.FLOAT32, 4, 3, 3);
    List<Object> states = List.of(random(DType.FLOAT32, 1, 3, 2), random(DType.FLOAT32, 1, 2, 2));
    Fault fault = fault("lstm.input", input, states, weights, true, 1L, 0.0, false, false, false);
    assertEquals(FaultType.SHAPE, fault.type());
    assertEquals(
        "the cell state of lstm must be [1, 3, 2] (layers times directions, batch, size), but its"
            + " shape is [1, 2, 2]",
        fault.message());
  }

  @Test
  void aPackedSequenceWithoutStepsIsAFault() {
    List<Object> weights = weights(RecurrentCell.TANH, DType.FLOAT32, 3, 2);
    DenseTensor data = random(DType.FLOAT32, 0, 3);
    DenseTensor hidden = random(DType.FLOAT32, 1, 1, 2);
    Fault fault =
        fault("rnn_tanh.data", data, longs(), hidden, weights, true, 1L, 0.0, false, false);
    assertEquals(
        "a sequence needs at least 1 time step, but `batch_sizes` is empty", fault.message());
  }

  @Test
  void aLengthBeyondTheInputIsAFault() {
    DenseTensor input = random(DType.FLOAT32, 5, 2, 1);
    Fault fault = fault("_pack_padded_sequence", input, longs(6, 2), false);
    assertEquals(FaultType.INDEX, fault.type());
    assertEquals("a length of 6 reaches outside the 5 time steps of the input", fault.message());
  }

  @Test
  void aCancelledLayerReturnsTheCancellationAndItsMemory() {
    List<Object> weights = weights(RecurrentCell.LSTM, DType.FLOAT32, 3, 2);
    DenseTensor input = random(DType.FLOAT32, 4, 1, 3);
    List<Object> states = List.of(random(DType.FLOAT32, 1, 1, 2), random(DType.FLOAT32, 1, 1, 2));
    long held = memory.account().bytes();
    bench.cancel("enough");
    Fault fault = fault("lstm.input", input, states, weights, true, 1L, 0.0, false, false, false);
    assertEquals(FaultType.CANCELLED, fault.type());
    assertEquals(held, memory.account().bytes());
  }
}
