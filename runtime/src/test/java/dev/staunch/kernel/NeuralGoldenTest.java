package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.MessageRules;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class NeuralGoldenTest {
  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  @TestFactory
  Stream<DynamicTest> everyOperationReturnsWhatLibtorchReturns() throws IOException {
    return NeuralGoldens.read().stream()
        .map(golden ->
            DynamicTest.dynamicTest(golden.name() + ":" + golden.line(), () -> check(golden)));
  }

  private void check(NeuralGoldens.Case golden) {
    try (ResourceScope own = ResourceScope.open(memory, "case")) {
      List<Object> arguments = new ArrayList<>();
      golden.arguments().forEach(text -> arguments.add(NeuralGoldens.argument(own, text)));
      long held = memory.account().bytes();
      Object[] results = run(own, "aten::" + golden.name(), arguments.toArray());
      if (golden.error().contains("not implemented for 'Half'")) {
        assertEquals(rounded(own, golden), halves(results[0]), "libtorch 1.13 lacks it on the CPU");
        return;
      }
      if (!golden.error().isEmpty()) {
        Fault fault = assertInstanceOf(Fault.class, results[0], golden.error());
        assertTrue(fault.type() != FaultType.INTERNAL, fault::toString);
        assertEquals(List.of(), MessageRules.complaints(fault.message()), fault.message());
        assertEquals(held, memory.account().bytes(), "scratch memory of a failed call");
        assertEquals(golden.arguments().size(), arguments.size()); // reachable until here
        return;
      }
      compare(own, golden, arguments, results);
    }
    assertEquals(0, memory.account().bytes());
  }

  /** The operation's result for the same numbers in float32, rounded to float16. */
  private List<Float> rounded(ResourceScope own, NeuralGoldens.Case golden) {
    Object[] wide =
        golden.arguments().stream()
            .map(text -> NeuralGoldens.argument(own, text.replace("float16", "float32")))
            .toArray();
    List<Float> values = new ArrayList<>();
    for (float value : HostTensors.toFloats(dense(run(own, "aten::" + golden.name(), wide)[0]))) {
      values.add(Float.float16ToFloat(Float.floatToFloat16(value)));
    }
    return values;
  }

  private static List<Float> halves(Object result) {
    assertEquals(DType.FLOAT16, dense(result).dtype());
    List<Float> values = new ArrayList<>();
    for (double value : HostTensors.toDoubles(dense(result))) {
      values.add((float) value);
    }
    return values;
  }

  private static DenseTensor dense(Object result) {
    return assertInstanceOf(DenseTensor.class, result);
  }

  private static void compare(
      ResourceScope own, NeuralGoldens.Case golden, List<Object> arguments, Object[] results) {
    int next = 0;
    for (NeuralGoldens.Expectation expectation : golden.expected()) {
      Object found = expectation.after() < 0 ? results[next++] : arguments.get(expectation.after());
      DenseTensor actual = assertInstanceOf(DenseTensor.class, found, () -> found.toString());
      DenseTensor expected = NeuralGoldens.tensor(own, expectation.tensor());
      assertEquals("", NeuralGoldens.difference(expected, actual));
    }
    assertEquals(results.length, next);
  }

  private Object[] run(ResourceScope own, String name, Object... arguments) {
    Object result = Objects.requireNonNull(new KernelBench(own).run(name, arguments));
    return result instanceof Object[] several ? several : new Object[] {result};
  }

  private Fault fault(String name, Object... arguments) {
    return assertInstanceOf(Fault.class, run(scope, name, arguments)[0]);
  }

  private DenseTensor floats(Shape shape) {
    return (DenseTensor) HostTensors.floats(scope, shape, new float[(int) shape.elements()]);
  }

  private DenseTensor ids(long... values) {
    return (DenseTensor) HostTensors.longs(scope, Shape.of(values.length), values);
  }

  @Test
  void anIdOutsideTheTableIsNamedWithItsPosition() {
    Fault fault =
        fault("aten::embedding", floats(Shape.of(50, 4)), ids(1, 2, 3, 1000), -1L, false, false);
    assertEquals(FaultType.INDEX, fault.type());
    assertEquals(
        "id 1000 at position 3 is outside the embedding table of 50 rows", fault.message());
    assertEquals("0 <= id < 50", fault.expected());
    assertEquals("1000", fault.actual());
  }

  @Test
  void offsetsThatDecreaseAreAFault() {
    Fault fault =
        fault(
            "aten::embedding_bag",
            floats(Shape.of(5, 2)),
            ids(0, 1, 2, 3),
            ids(0, 3, 1),
            false,
            0L,
            false,
            None.NONE,
            false);
    assertEquals("offsets must not decrease, but offsets[2] is 1 after 3", fault.message());
  }

  @Test
  void mismatchedMatricesAreNamedInLibtorchsWords() {
    Fault fault =
        fault("aten::linear", floats(Shape.of(3, 15)), floats(Shape.of(32, 16)), None.NONE);
    assertEquals("a 3x15 matrix cannot be multiplied by a 16x32 matrix", fault.message());
    assertEquals("input [*, 16]", fault.expected());
    assertEquals("[3, 15]", fault.actual());
  }

  @Test
  void trainingOnOneValuePerChannelGivesZerosAndAVarianceThatIsUndefined() {
    DenseTensor mean = floats(Shape.of(3));
    DenseTensor variance = floats(Shape.of(3));
    DenseTensor input = floats(Shape.of(1, 3));
    Object none = None.NONE;
    Object result =
        new KernelBench(scope)
            .run("aten::batch_norm", input, none, none, mean, variance, true, 1.0, 1e-5, false);
    assertArrayEquals(new float[3], HostTensors.toFloats((DenseTensor) result));
    assertArrayEquals(HostTensors.toFloats(input), HostTensors.toFloats(mean));
    assertArrayEquals(
        new float[] {Float.NaN, Float.NaN, Float.NaN}, HostTensors.toFloats(variance));
  }

  @Test
  void theGradientFlagFollowsTheOperands() {
    KernelBench bench = new KernelBench(scope);
    bench.setGradEnabled(true);
    DenseTensor weight = floats(Shape.of(2, 3)).requiringGrad(scope, true);
    Object product = bench.run("aten::mm", weight, floats(Shape.of(3, 2)));
    assertTrue(assertInstanceOf(DenseTensor.class, product).requiresGrad());
  }

  @Test
  void aCancelledProductReturnsTheCancellation() {
    Catalog plain = StandardOperations.catalog().with(StandardOperations.plainKernels());
    KernelBench bench =
        new KernelBench(scope) {
          @Override
          public Catalog catalog() {
            return plain;
          }
        };
    bench.cancel("enough");
    Object product = bench.run("aten::mm", floats(Shape.of(2, 3)), floats(Shape.of(3, 2)));
    Fault fault = assertInstanceOf(Fault.class, product);
    assertEquals(FaultType.CANCELLED, fault.type());
  }

  @Test
  void aLargeCancelledProductDoesSoWithAnyKernels() {
    KernelBench bench = new KernelBench(scope);
    bench.cancel("enough");
    DenseTensor b = floats(Shape.of(1024, 1024));
    Object product = bench.run("aten::mm", floats(Shape.of(512, 1024)), b);
    Fault fault = assertInstanceOf(Fault.class, product);
    assertEquals(FaultType.CANCELLED, fault.type());
  }
}
