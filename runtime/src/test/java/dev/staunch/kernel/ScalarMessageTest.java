package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The messages of operations on scalars and containers that fail, and the effects on their
 * surroundings.
 */
class ScalarMessageTest {
  private final ResourceScope scope = ResourceScope.open(OffHeap.withBudget(1 << 20), "test");
  private final RecordingEnvironment environment = new RecordingEnvironment(scope);

  @AfterEach
  void closeScope() {
    scope.close();
    assertEquals(0, scope.account().bytes());
  }

  private Object run(String name, Object... arguments) {
    return Objects.requireNonNull(environment.run(name, arguments));
  }

  private Fault fault(String name, Object... arguments) {
    return assertInstanceOf(Fault.class, run(name, arguments));
  }

  @Test
  void aListIndexOutOfRangeIsAnIndexFault() {
    Fault fault = fault("aten::__getitem__.t", List.of(1L, 2L), 2L);
    assertEquals(FaultType.INDEX, fault.type());
    assertEquals("index 2 is out of range for a list of 2 elements", fault.message());
  }

  @Test
  void aMissingKeyIsNamed() {
    Fault fault = fault("aten::__getitem__.Dict_str", Map.of("a", 1L), "zz");
    assertEquals(FaultType.INDEX, fault.type());
    assertEquals("KeyError: zz", fault.message());
  }

  @Test
  void dividingIntsByZeroIsAFaultAndFloatsGiveInfinity() {
    assertEquals("integer division by 0", fault("aten::floordiv.int", 1L, 0L).message());
    assertEquals("integer remainder by 0", fault("aten::remainder.int", 1L, 0L).message());
    assertEquals(Double.POSITIVE_INFINITY, run("aten::div.int", 1L, 0L));
    assertEquals(Double.POSITIVE_INFINITY, run("aten::floordiv.float", 0.5, 0.0));
  }

  @Test
  void aRangeWithoutStepIsAFault() {
    assertEquals(
        "the step of a range must not be 0", fault("aten::__range_length", 0L, 5L, 0L).message());
  }

  @Test
  void onlyTensorsOfOneElementAreScalars() {
    Object three = HostTensors.floats(scope, Shape.of(3), 1, 2, 4);
    Object empty = HostTensors.floats(scope, Shape.of(0));
    assertEquals(
        "a tensor of 3 elements is not one number; take one element, as `x[0]` does",
        fault("aten::item", three).message());
    assertEquals(
        "a tensor of 0 elements is neither true nor false; use `any` or `all`",
        fault("aten::Bool.Tensor", empty).message());
    assertEquals(3.5, run("aten::Float.Tensor", HostTensors.floats(scope, Shape.of(1), 3.5f)));
  }

  @Test
  void numbersBecomeTensorsWithoutDimensions() {
    DenseTensor made = assertInstanceOf(DenseTensor.class, run("prim::NumToTensor.Scalar", 7L));
    assertEquals("int64[]", made.describe());
    assertEquals(7L, run("aten::item", made));
  }

  @Test
  void resultsThatAreListsAreNewAndMutable() {
    List<Object> list = new ArrayList<>(Arrays.asList(1L, 2L));
    for (String copy : List.of("aten::list.t", "aten::copy.t")) {
      @SuppressWarnings("unchecked") // the schema says list
      List<Object> made = (List<Object>) run(copy, list);
      made.add(3L);
    }
    assertEquals(List.of(1L, 2L), list);
  }

  @Test
  void tensorsAreKeysByIdentity() {
    Object key = HostTensors.floats(scope, Shape.of(1), 1);
    Object twin = HostTensors.floats(scope, Shape.of(1), 1);
    assertEquals(5L, run("aten::__getitem__.Dict_Tensor", Map.of(key, 5L), key));
    assertEquals(false, run("aten::__contains__.Tensor", Map.of(key, 5L), twin));
  }

  @Test
  void lengthsCountBytesOfUtf8() {
    assertEquals(5L, run("aten::len.str", "n\u00e9\u00e9"));
    assertEquals("\u00e9", run("aten::slice.str", "n\u00e9\u00e9", 1L, 3L, 1L));
  }

  @Test
  void raisingKeepsTheMessageVerbatim() {
    Fault named = fault("prim::RaiseException", "No. ", "builtins.ValueError");
    assertEquals(FaultType.SCRIPT_RAISED, named.type());
    assertEquals("No. ", named.message());
    assertEquals("builtins.ValueError", named.raised());
    Fault plain = fault("prim::RaiseException", "x", None.NONE);
    assertEquals("RuntimeError", plain.raised());
  }

  @Test
  void theGradientModeBelongsToTheEnvironment() {
    assertEquals(true, run("aten::is_grad_enabled"));
    assertNull(environment.run("aten::set_grad_enabled", false));
    assertFalse(environment.gradEnabled());
    assertEquals(false, run("aten::is_grad_enabled"));
  }

  @Test
  void warningsGoToTheEnvironment() {
    assertNull(environment.run("aten::warn", "careful", 2L));
    assertTrue(environment.printed().contains("warning: careful"));
  }
}
