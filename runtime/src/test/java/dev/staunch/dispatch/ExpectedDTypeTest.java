package dev.staunch.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.KernelBench;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The dtype that a kernel expected is data, from which the text and the remedy (F9) follow. */
class ExpectedDTypeTest {
  private final ResourceScope scope = ResourceScope.open(OffHeap.withBudget(1 << 20), "expected");
  private final KernelBench bench = new KernelBench(scope);

  @AfterEach
  void nothingIsLeft() {
    scope.close();
  }

  /** The fault of a user's kernel that takes {@code a} of int64 and {@code b} of float32. */
  private Fault refused(Object wanted, Object found) {
    Kernel.One kernel = call -> Fault.dtype("no").withExpected(wanted, found);
    Catalog catalog =
        StandardOperations.catalog().toBuilder()
            .define("my::op(Tensor a, Tensor b) -> Tensor", kernel)
            .build();
    Door door = Door.to(Objects.requireNonNull(catalog.find("my::op")));
    Object[] arguments = {tensor(DType.INT64), tensor(DType.FLOAT32)};
    SourceLocation line = SourceLocation.of("model.py", 7, 3);
    return assertInstanceOf(Fault.class, door.call(bench, arguments, null, line));
  }

  private DenseTensor tensor(DType dtype) {
    return (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(2));
  }

  @Test
  void theTextFollowsFromWhatIsExpected() {
    assertEquals("int64", ExpectedDType.of(DType.INT64).toString());
    assertEquals(
        "index of int64 or int32",
        ExpectedDType.of(DType.INT64, DType.INT32).in("index").toString());
    assertEquals(
        "operands of float32, float64 or bfloat16",
        ExpectedDType.of(DType.FLOAT32, DType.FLOAT64, DType.BFLOAT16).ofAll().toString());
    assertEquals("the same dtype bool", ExpectedDType.same(DType.BOOL).toString());
    assertEquals("a result that fits int64", ExpectedDType.stored(DType.INT64).toString());
  }

  @Test
  void theFaultHasBothTheTextAndTheRemedy() {
    Fault fault = refused(ExpectedDType.FLOATING.in("a"), DType.INT64);
    assertEquals("no; cast `a` with `to(float32)` before `my::op`", fault.message());
    assertEquals("a of a floating dtype", fault.expected());
    assertEquals("int64", fault.actual());
    assertEquals(
        "no; cast `b` with `to(int64)` before `my::op`",
        refused(ExpectedDType.INTEGER, DType.FLOAT32).message());
    assertEquals(
        "no; cast `a` with `to(float32)` before `my::op`",
        refused(ExpectedDType.same(DType.FLOAT32), DType.INT64).message());
  }

  @Test
  void nothingIsReadFromWords() {
    Fault fault = refused("a of a floating dtype", "int64");
    assertEquals("no", fault.message());
    assertEquals("a of a floating dtype", fault.expected());
    assertEquals("int64", fault.actual());
  }
}
