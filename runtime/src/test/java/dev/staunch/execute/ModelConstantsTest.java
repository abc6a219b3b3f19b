package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.Reachable;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A module's tensors are constants until one is written. */
class ModelConstantsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope home = ResourceScope.open(memory, "model");
  private final DenseTensor weight = tensor(home);
  private final ObjectValue module = new ObjectValue(new ClassLayout("m", List.of("w")), home);

  ModelConstantsTest() {
    module.set(0, weight);
  }

  @AfterEach
  void everyByteGoesBackWithTheModel() {
    home.close();
    assertEquals(0, memory.account().bytes());
  }

  private static DenseTensor tensor(ResourceScope scope) {
    return (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(64));
  }

  private Constant constant(ModelConstants constants) {
    return Objects.requireNonNull(constants.find(weight));
  }

  @Test
  void onlyWhatTheModuleHoldsIsConstant() {
    ModelConstants constants = ModelConstants.of(module, Reachable.of(module));
    assertTrue(constant(constants).tensor().is(weight));
    assertNull(constants.find(tensor(home)));
    assertNull(ModelConstants.NONE.find(weight));
  }

  @Test
  void anObjectOfOneRequestHasNone() {
    ObjectValue passing = new ObjectValue(new ClassLayout("m", List.of("w")));
    passing.set(0, weight);
    assertNull(ModelConstants.of(passing, Reachable.of(passing)).find(weight));
  }

  @Test
  void aFormIsPackedOnceOnTheModelsAccount() {
    Constant constant = constant(ModelConstants.of(module, Reachable.of(module)));
    long before = home.account().bytes();
    DenseTensor packed = constant.packed("rows", (tensor, scope) -> tensor(scope));
    assertNotNull(packed);
    assertTrue(home.account().bytes() > before);
    long after = home.account().bytes();
    assertSame(packed, constant.packed("rows", (tensor, scope) -> tensor(scope)));
    assertEquals(after, home.account().bytes());
  }

  @Test
  void withoutMemoryThereIsNoPackedForm() {
    Constant constant = constant(ModelConstants.of(module, Reachable.of(module)));
    assertNull(constant.packed("rows", (tensor, scope) -> Fault.value("no room")));
    assertNotNull(constant.packed("rows", (tensor, scope) -> tensor(scope)));
  }

  /** As happens when a page of a mapped file is gone: the next request packs anew. */
  @Test
  void m4APackingThatIsThrownOutOfLeavesNothing() {
    Constant constant = constant(ModelConstants.of(module, Reachable.of(module)));
    long before = memory.account().bytes();
    for (int i = 0; i < 3; i++) {
      assertThrows(
          InternalError.class,
          () ->
              constant.packed(
                  "rows",
                  (tensor, scope) -> {
                    tensor(scope);
                    throw new InternalError("a page is gone");
                  }));
      assertEquals(before, memory.account().bytes());
    }
    assertNotNull(constant.packed("rows", (tensor, scope) -> tensor(scope)));
  }

  /** A request may need the memory that is left. */
  @Test
  void theLastOfTheMemoryIsNotTakenForPackedForms() {
    Constant constant = constant(ModelConstants.of(module, Reachable.of(module)));
    long left = memory.budgetBytes() - memory.account().bytes() - 384;
    assertInstanceOf(
        DenseTensor.class, DenseTensor.allocate(home, DType.FLOAT32, Shape.of(left / 4)));
    assertNull(constant.packed("rows", (tensor, scope) -> tensor(scope)));
  }

  @Test
  void whatIsWrittenIsNoConstantAnyMoreThroughWhateverView() {
    ModelConstants constants = ModelConstants.of(module, Reachable.of(module));
    Constant constant = constant(constants);
    try (ResourceScope request = ResourceScope.open(memory, "request")) {
      Object view = weight.view(request, weight.layout());
      constants.beforeWrite(tensor(request));
      assertTrue(constant.isCurrent());
      constants.beforeWrite(view);
    }
    assertFalse(constant.isCurrent());
    assertNull(constants.find(weight));
    assertFalse(Constant.isValidFor(constant, weight));
  }
}
