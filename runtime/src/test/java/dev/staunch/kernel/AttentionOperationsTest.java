package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AttentionOperationsTest {
  private static final Object NONE = None.NONE;

  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final KernelBench bench = new KernelBench(scope);
  private final Random random = new Random(20260322);

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Object run(String name, Object... arguments) {
    return Objects.requireNonNull(bench.run("aten::" + name, arguments));
  }

  private DenseTensor random(long... sizes) {
    Shape shape = Shape.of(sizes);
    double[] values = random.doubles(shape.elements(), -1, 1).toArray();
    return (DenseTensor) HostTensors.doubles(scope, shape, values);
  }

  private DenseTensor mask(int... flags) {
    byte[] bytes = new byte[flags.length];
    for (int i = 0; i < flags.length; i++) {
      bytes[i] = (byte) flags[i];
    }
    return (DenseTensor) HostTensors.bools(scope, Shape.of(2, flags.length / 2), bytes);
  }

  /** The arguments of a layer of width 4 with 2 heads, after its input. */
  private List<Object> layer() {
    return new ArrayList<>(
        List.of(
            4L,
            2L,
            random(12, 4),
            random(12),
            random(4, 4),
            random(4),
            true,
            false,
            1e-5,
            random(4),
            random(4),
            random(4),
            random(4),
            random(7, 4),
            random(7),
            random(4, 7),
            random(4),
            NONE,
            NONE));
  }

  private Object layer(Object input, List<Object> rest) {
    List<Object> arguments = new ArrayList<>(rest);
    arguments.add(0, input);
    return run("_transformer_encoder_layer_fwd", arguments.toArray());
  }

  private static double[] part(double[] values, int from, int count) {
    return Arrays.copyOfRange(values, from, from + count);
  }

  @Test
  void aNestedTensorGoesThroughALayerAsEachOfItsSequencesAlone() {
    double[] values = HostTensors.toDoubles(random(2, 5, 4));
    Arrays.fill(values, 12, 20, Double.NaN);
    DenseTensor input = (DenseTensor) HostTensors.doubles(scope, Shape.of(2, 5, 4), values);
    Object nested =
        run("_nested_tensor_from_mask", input, mask(1, 1, 1, 0, 0, 1, 1, 1, 1, 1), true);
    List<Object> parameters = layer();
    Object padded = run("to_padded_tensor", layer(nested, parameters), 0.5, NONE);
    double[] found = HostTensors.toDoubles((DenseTensor) padded);

    Object first = HostTensors.doubles(scope, Shape.of(1, 3, 4), part(values, 0, 12));
    Object second = HostTensors.doubles(scope, Shape.of(1, 5, 4), part(values, 20, 20));
    double[] alone = HostTensors.toDoubles((DenseTensor) layer(first, parameters));
    double[] other = HostTensors.toDoubles((DenseTensor) layer(second, parameters));
    for (int i = 0; i < found.length; i++) {
      double expected = i < 12 ? alone[i] : i < 20 ? 0.5 : other[i - 20];
      assertEquals(expected, found[i], 1e-12);
    }
  }

  @Test
  void aMaskWithGapsMakesNoNestedTensor() {
    DenseTensor input = random(2, 3, 4);
    Object made = run("_nested_tensor_from_mask", input, mask(1, 0, 1, 1, 1, 1), true);
    assertEquals(
        "`mask` must keep the first elements of each row, but one follows a hidden element; move"
            + " the padding to the end",
        assertInstanceOf(Fault.class, made).message());
  }

  @Test
  void aPlainTensorIsNotPadded() {
    Object made = run("to_padded_tensor", random(2, 3), 0.0, NONE);
    assertEquals(FaultType.VALUE, assertInstanceOf(Fault.class, made).type());
  }

  @Test
  void weightsThatNobodyNeedsAreLeftOut() {
    DenseTensor x = random(1, 3, 4);
    Object[] results =
        (Object[])
            run(
                "_native_multi_head_attention",
                x,
                x,
                x,
                4L,
                2L,
                random(12, 4),
                random(12),
                random(4, 4),
                random(4),
                NONE,
                false,
                true,
                NONE);
    assertEquals(Shape.of(1, 3, 4), ((DenseTensor) results[0]).shape());
    assertEquals(Shape.of(0), ((DenseTensor) results[1]).shape());
  }

  @Test
  void aMaskForAnotherLengthIsNamedWithWhatWasExpected() {
    List<Object> parameters = layer();
    parameters.set(17, mask(0, 1, 0, 1));
    parameters.set(18, 1L);
    Fault fault = assertInstanceOf(Fault.class, layer(random(2, 3, 4), parameters));
    assertEquals("a mask of type 1 must be [2, 3], but it is [2, 2]", fault.message());
  }

  @Test
  void droppedWeightsAreScaledUp() {
    DenseTensor query = random(1, 64, 2);
    DenseTensor key = (DenseTensor) HostTensors.doubles(scope, Shape.of(1, 1, 2), 1, 2);
    DenseTensor value = (DenseTensor) HostTensors.doubles(scope, Shape.of(1, 1, 1), 3);
    Object result =
        run("scaled_dot_product_attention", query, key, value, NONE, 0.5, false, NONE, false);
    double[] values = HostTensors.toDoubles((DenseTensor) result);
    assertEquals(List.of(0.0, 6.0), Arrays.stream(values).distinct().sorted().boxed().toList());
  }

  @Test
  void headsThatDoNotDivideAreAFault() {
    DenseTensor query = random(1, 4, 3, 2);
    DenseTensor key = random(1, 3, 3, 2);
    Object result =
        run("scaled_dot_product_attention", query, key, key, NONE, 0.0, false, NONE, true);
    assertEquals(FaultType.SHAPE, assertInstanceOf(Fault.class, result).type());
  }

  @Test
  void aCancelledLayerReturnsTheCancellationAndItsMemory() {
    DenseTensor input = random(2, 3, 4);
    List<Object> parameters = layer();
    long held = memory.account().bytes();
    bench.cancel("enough");
    Fault fault = assertInstanceOf(Fault.class, layer(input, parameters));
    assertEquals(FaultType.CANCELLED, fault.type());
    assertEquals(held, memory.account().bytes());
  }

  @Test
  void whatALayerMakesOnItsWayIsGivenBack() {
    DenseTensor input = random(2, 3, 4);
    List<Object> parameters = layer();
    long held = memory.account().bytes();
    ((DenseTensor) layer(input, parameters)).close();
    assertEquals(held, memory.account().bytes());
  }
}
