package dev.staunch.dispatch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Interceptor;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.KernelBench;
import dev.staunch.kernel.OperandTraits;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The door decides which results require a gradient, in the same way for every operation. */
class GradientFlagsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final KernelBench bench = new KernelBench(scope);
  private DenseTensor plain = floats();
  private DenseTensor flagged = floats();

  @BeforeEach
  void oneTensorRequiresAGradient() {
    bench.setGradEnabled(true);
    plain = floats();
    flagged = floats().requiringGrad(scope, true);
  }

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor floats() {
    return (DenseTensor) HostTensors.floats(scope, Shape.of(2, 2), 4, 1, 2, 3);
  }

  private Object outcome(String name, Object... arguments) {
    CatalogEntry operation = Objects.requireNonNull(StandardOperations.catalog().find(name), name);
    return Door.to(operation).call(bench, arguments, null, null);
  }

  private DenseTensor result(String name, Object... arguments) {
    return assertInstanceOf(DenseTensor.class, outcome(name, arguments));
  }

  @Test
  void aResultRequiresAGradientIfAnOperandDoes() {
    assertTrue(result("aten::mul.Tensor", plain, flagged).requiresGrad());
    assertTrue(result("aten::matmul", flagged, plain).requiresGrad());
    assertFalse(result("aten::mul.Tensor", plain, plain).requiresGrad());
  }

  @Test
  void anElementOfAListIsAnOperandLikeOthers() {
    assertTrue(result("aten::cat", List.of(plain, flagged), 0L).requiresGrad());
    assertFalse(result("aten::cat", List.of(plain, plain), 0L).requiresGrad());
  }

  @Test
  void ofSeveralResultsAllThatAreOfFloatsDo() {
    Object[] logDeterminant = (Object[]) outcome("aten::linalg_slogdet", flagged);
    assertTrue(((DenseTensor) logDeterminant[0]).requiresGrad());
    assertTrue(((DenseTensor) logDeterminant[1]).requiresGrad());
    Object[] greatest = (Object[]) outcome("aten::max.dim", flagged, 0L, false);
    assertTrue(((DenseTensor) greatest[0]).requiresGrad());
    assertFalse(((DenseTensor) greatest[1]).requiresGrad());
  }

  @Test
  void noResultDoesWithoutGradientMode() {
    bench.setGradEnabled(false);
    assertFalse(result("aten::mul.Tensor", plain, flagged).requiresGrad());
    assertFalse(result("aten::t", flagged).requiresGrad());
  }

  @Test
  void withoutGradientModeAParameterIsAnOperandLikeOthers() {
    CatalogEntry product = Objects.requireNonNull(StandardOperations.catalog().find("aten::mm"));
    Call call = new Call(bench, new Object[] {plain, flagged});
    assertEquals(OperandTraits.REQUIRES_GRAD, product.traits(call));
    bench.setGradEnabled(false);
    assertEquals(OperandTraits.USUAL, product.traits(call));
  }

  @Test
  void whatIsNotDifferentiableNeverDoes() {
    Object none = None.NONE;
    assertFalse(result("aten::detach", flagged).requiresGrad());
    assertFalse(result("aten::zeros_like", flagged, none, none, none, none, none).requiresGrad());
  }

  @Test
  void aViewAsksForTheTensorThatItIsAViewOf() {
    assertTrue(result("aten::t", flagged).requiresGrad());
    assertTrue(result("aten::expand_as", flagged, plain).requiresGrad());
    assertFalse(result("aten::expand_as", plain, flagged).requiresGrad());
  }

  @Test
  void aCopyWhereThereMayBeAViewAsksForTheSameTensor() {
    DenseTensor turned = result("aten::t", flagged);
    DenseTensor row = result("aten::reshape", turned, List.of(4L));
    assertTrue(row.storage() != flagged.storage());
    assertTrue(row.requiresGrad());
  }

  @Test
  void whatIsWrittenInPlaceStaysAsItIs() {
    DenseTensor written = result("aten::add_.Tensor", plain, flagged, 1L);
    assertTrue(written.is(plain));
    assertFalse(written.requiresGrad());
  }

  private Object own(Kernel.One kernel, DenseTensor operand, @Nullable Interceptor interceptor) {
    CatalogEntry operation =
        StandardOperations.catalog().toBuilder()
            .one("my::own(Tensor self) -> Tensor", kernel)
            .build()
            .find("my::own");
    return Door.to(Objects.requireNonNull(operation))
        .call(bench, new Object[] {operand}, interceptor, null);
  }

  @Test
  void theResultOfAUsersKernelDoesAsAnyOther() {
    Kernel.One zeros = call -> call.allocate(call.dtype(0), call.tensor(0).shape());
    assertTrue(((DenseTensor) own(zeros, flagged, null)).requiresGrad());
    assertFalse(((DenseTensor) own(zeros, plain, null)).requiresGrad());
  }

  @Test
  void aTensorThatAUsersKernelKeepsIsLeftAsItIs() {
    try (ResourceScope elsewhere = ResourceScope.open(memory, "kept")) {
      DenseTensor kept = (DenseTensor) HostTensors.floats(elsewhere, Shape.of(2), 5, 6);
      DenseTensor given = (DenseTensor) own(call -> kept, flagged, null);
      assertTrue(given.requiresGrad());
      assertFalse(kept.requiresGrad());
      assertArrayEquals(new float[] {5, 6}, HostTensors.toFloats(kept));
    }
  }

  @Test
  void aFaultIsHandedOnAsItIs() {
    Fault fault = Fault.value("no");
    assertEquals("no", ((Fault) own(call -> fault, flagged, null)).message());
  }

  /** This way a recorder need not know which operations are differentiable. */
  @Test
  void anInterceptorSeesWhatCameOutWithItsFlag() {
    List<Boolean> seen = new ArrayList<>();
    Interceptor recorder =
        new Interceptor() {
          @Override
          public @Nullable Object before(
              String operation, Object[] arguments, @Nullable SourceLocation source) {
            return null;
          }

          @Override
          public void after(
              String operation,
              Object[] arguments,
              Object outcome,
              @Nullable SourceLocation source) {
            seen.add(((DenseTensor) outcome).requiresGrad());
          }
        };
    own(call -> call.allocate(call.dtype(0), call.tensor(0).shape()), flagged, recorder);
    own(call -> call.allocate(call.dtype(0), call.tensor(0).shape()), plain, recorder);
    assertEquals(List.of(true, false), seen);
  }
}
