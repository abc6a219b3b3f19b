package dev.staunch.kernel;

import static dev.staunch.operation.None.NONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.Fault;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Overloads that libtorch has had only since 1.13, or whose parameters accept more since then. */
class NewerOverloadsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final RecordingEnvironment environment = new RecordingEnvironment(scope);

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Object run(String name, Object... arguments) {
    return Objects.requireNonNull(environment.run("aten::" + name, arguments));
  }

  private double element(Object result, long at) {
    DenseTensor tensor = assertInstanceOf(DenseTensor.class, result);
    return Elements.asDouble(tensor.segment(), tensor.dtype(), tensor.layout().offset() + at);
  }

  private DenseTensor floats(Shape shape, float... values) {
    return (DenseTensor) HostTensors.floats(scope, shape, values);
  }

  @Test
  void theEndsOfALinspaceMayBeTensorsWithoutDimensions() {
    DenseTensor one = floats(Shape.of(), 1);
    DenseTensor three = floats(Shape.of(), 3);
    for (Object result :
        List.of(
            run("linspace", 1L, 3L, 3L, NONE, NONE, NONE, NONE),
            run("linspace.Tensor_Tensor", one, three, 3L, NONE, NONE, NONE, NONE),
            run("linspace.Tensor_Scalar", one, 3.0, 3L, NONE, NONE, NONE, NONE),
            run("linspace.Scalar_Tensor", 1.0, three, 3L, NONE, NONE, NONE, NONE))) {
      assertEquals(1, element(result, 0));
      assertEquals(2, element(result, 1));
      assertEquals(3, element(result, 2));
    }
  }

  @Test
  void anEndOfALinspaceWithDimensionsIsRefused() {
    DenseTensor row = floats(Shape.of(1), 1);
    Object result = run("linspace.Scalar_Tensor", 0L, row, 3L, NONE, NONE, NONE, NONE);
    assertEquals(
        "the ends of a linspace are numbers, but one has the shape [1]; take one element, as `x[0]`"
            + " does",
        assertInstanceOf(Fault.class, result).message());
  }

  @Test
  void aCorrectionOfVarianceMayBeAnyNumber() {
    DenseTensor row = floats(Shape.of(4), 1, 2, 3, 6);
    assertEquals(14 / 2.5, element(run("var.correction", row, NONE, 1.5, false), 0), 1e-6);
    assertEquals(14 / 4.0, element(run("var.correction", row, NONE, 0L, false), 0), 1e-6);
    assertEquals(14 / 3.0, element(run("var.correction", row, NONE, NONE, false), 0), 1e-6);
  }

  @Test
  void severalDimensionsAreTestedAtOnce() {
    DenseTensor cube = floats(Shape.of(2, 1, 2), 0, 1, 0, 0);
    Object one = run("any.dims", cube, List.of(0L, -1L), false);
    assertEquals(Shape.of(1), assertInstanceOf(DenseTensor.class, one).shape());
    assertEquals(1, element(one, 0));
    Object kept = run("all.dims", cube, NONE, true);
    assertEquals(Shape.of(1, 1, 1), assertInstanceOf(DenseTensor.class, kept).shape());
    assertEquals(0, element(kept, 0));
    Object each = run("all.dims", cube, List.of(), false);
    assertEquals(Shape.of(2, 1, 2), assertInstanceOf(DenseTensor.class, each).shape());
    assertEquals(1, element(each, 1));
    assertEquals(1, element(run("any.dims", floats(Shape.of(), 3), NONE, false), 0));
    assertInstanceOf(Fault.class, run("any.dims", cube, List.of(0L, -3L), false));
  }

  private Object bytes(DType dtype, Shape shape, long seed) {
    Random random = new Random(seed);
    DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, dtype, shape);
    for (long i = 0; i < made.elements(); i++) {
      Elements.putLong(made.segment(), dtype, i, random.nextInt(256) - 128);
    }
    return made;
  }

  @Test
  void matricesOfBytesAreMultipliedInInts() {
    for (long inner : new long[] {0, 1, 7, 300}) {
      Object left = bytes(DType.INT8, Shape.of(5, inner), inner);
      Object right = bytes(DType.INT8, Shape.of(inner, 3), inner + 1);
      DenseTensor result = assertInstanceOf(DenseTensor.class, run("_int_mm", left, right));
      assertEquals(DType.INT32, result.dtype());
      assertEquals(Shape.of(5, 3), result.shape());
      for (long i = 0; i < 15; i++) {
        double sum = 0;
        for (long k = 0; k < inner; k++) {
          sum += element(left, i / 3 * inner + k) * element(right, k * 3 + i % 3);
        }
        assertEquals(sum, element(result, i));
      }
    }
  }

  @Test
  void theProductOfBytesTakesNothingElse() {
    Object bytes = bytes(DType.INT8, Shape.of(2, 2), 1);
    assertRefused(
        "_int_mm takes matrices of int8, but `mat2` is int32",
        bytes,
        bytes(DType.INT32, Shape.of(2, 2), 1));
    assertRefused(
        "a 2x2 matrix cannot be multiplied by a 3x2 matrix",
        bytes,
        bytes(DType.INT8, Shape.of(3, 2), 1));
    assertRefused(
        "the second operand of _int_mm must be a matrix, but it is int8[2]",
        bytes,
        bytes(DType.INT8, Shape.of(2), 1));
  }

  private void assertRefused(String message, Object left, Object right) {
    Fault fault = assertInstanceOf(Fault.class, run("_int_mm", left, right));
    assertEquals(message, fault.message());
  }
}
