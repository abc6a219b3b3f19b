package dev.staunch.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.Pending;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.KernelBench;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.ScopedEnvironment;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.Resource;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A user's kernel has a scope of its own, from which only good results survive (M4). */
class KernelScopeTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final KernelBench bench = new KernelBench(scope);

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  /** A resource whose release fails. */
  private static final class Stubborn extends Resource {
    Stubborn(ResourceScope home) {
      super(
          home,
          () -> {
            throw new IllegalStateException("not released");
          });
    }

    @Override
    public String describe() {
      return "a stubborn resource";
    }
  }

  private static Door door(Catalog.Builder catalog, String schema, Kernel kernel) {
    Catalog whole = catalog.define(schema, kernel).build();
    String name = schema.substring(0, schema.indexOf('('));
    return Door.to(Objects.requireNonNull(whole.find(name)));
  }

  private static Door one(String schema, Kernel.One kernel) {
    return door(new Catalog.Builder(), schema, kernel);
  }

  private Object called(Door door, Object... arguments) {
    return door.call(bench, arguments, null, null);
  }

  private static DenseTensor make(Call call) {
    return (DenseTensor) call.allocate(DType.FLOAT32, Shape.of(16));
  }

  @Test
  void everyOperationOfTheStandardCatalogPromisesToBeTidyAndNoneOfAUser() {
    Catalog standard = StandardOperations.catalog();
    assertTrue(standard.operations().stream().allMatch(CatalogEntry::closesOnFailure));
    Catalog more = standard.toBuilder().one("my::own(int a) -> int", call -> call.value(0)).build();
    assertFalse(Objects.requireNonNull(more.find("my::own")).closesOnFailure());
    assertTrue(Objects.requireNonNull(more.find("aten::add.Tensor")).closesOnFailure());
  }

  @Test
  void aKernelThatPromisesToBeTidyMakesItsTensorsInTheScopeItself() {
    List<DenseTensor> made = new ArrayList<>();
    Door door =
        door(
            new Catalog.Builder().closesOnFailure(),
            "my::fails(int a) -> Tensor",
            (Kernel.One)
                call -> {
                  assertSame(scope, call.scope());
                  made.add(make(call));
                  return Fault.value("failed");
                });
    assertInstanceOf(Fault.class, called(door, 1L));
    assertFalse(made.getFirst().isClosed(), "it broke its promise");
  }

  @Test
  void aTensorThatAFailedKernelHasPutIntoAListIsClosedForWhoeverUsesTheList() {
    Door door =
        one(
            "my::puts(Tensor[](a!) a) -> int",
            call -> {
              call.list(0).add(make(call));
              return Fault.value("failed");
            });
    List<Object> list = new ArrayList<>();
    assertEquals("failed", assertInstanceOf(Fault.class, called(door, list)).message());
    assertEquals(1, list.size());
    assertEquals(0, scope.account().bytes());
    assertEquals(FaultType.CLOSED, assertInstanceOf(Fault.class, called(door, list)).type());
  }

  /** F7: the kernel's own fault leads. */
  @Test
  void whatAReleaseThrowsIsAttachedToTheFaultAndKeepsNothingElse() {
    Door door =
        one(
            "my::stubborn(int a) -> int",
            call -> {
              make(call);
              call.scope().own(new Stubborn(call.scope()));
              make(call);
              return Fault.value("failed");
            });
    Fault fault = assertInstanceOf(Fault.class, called(door, 1L));
    assertEquals("failed", fault.message());
    assertEquals("my::stubborn", fault.operation());
    assertTrue(fault.suppressed().getFirst().message().endsWith("not released"));
    assertEquals(0, scope.account().bytes());
  }

  @Test
  void aFailedCallInsideOfAnotherGivesBackItsOwnAndTheOuterOneItsAll() {
    Door good = one("my::good(int a) -> Tensor", KernelScopeTest::make);
    Door bad =
        one(
            "my::bad(int a) -> int",
            call -> {
              make(call);
              return Fault.value("inner");
            });
    List<Long> bytes = new ArrayList<>();
    Door outer =
        one(
            "my::outer(int a) -> Tensor",
            call -> {
              Object inner = good.call(call.environment(), call.arguments(), null, null);
              bad.call(call.environment(), call.arguments(), null, null);
              bytes.add(scope.account().bytes());
              return call.integer(0) == 0 ? Fault.value("outer") : inner;
            });
    assertInstanceOf(Fault.class, called(outer, 0L));
    assertEquals(0, scope.account().bytes());
    DenseTensor result = assertInstanceOf(DenseTensor.class, called(outer, 1L));
    assertEquals(64, scope.account().bytes());
    assertSame(scope, result.scope());
    assertEquals(List.of(64L, 64L), bytes);
  }

  @Test
  void aResultThatIsStillToComeIsKeptOrGivenBackBeforeAnybodySeesIt() {
    List<Pending> given = new ArrayList<>();
    List<DenseTensor> made = new ArrayList<>();
    Door door =
        one(
            "my::later(int a) -> Tensor",
            call -> {
              made.add(make(call));
              given.add(new Pending());
              return given.getLast();
            });
    Pending good = assertInstanceOf(Pending.class, called(door, 1L));
    Pending bad = assertInstanceOf(Pending.class, called(door, 2L));
    assertNotSame(given.getFirst(), good);
    assertEquals(128, scope.account().bytes());
    List<Boolean> closed = new ArrayList<>();
    bad.whenSettled(() -> closed.add(made.getLast().isClosed()));
    given.getLast().settle(Fault.value("late"));
    given.getFirst().settle(made.getFirst());
    assertEquals(List.of(true), closed);
    assertSame(made.getFirst(), good.peek());
    assertInstanceOf(Fault.class, bad.peek());
    assertEquals(64, scope.account().bytes());
  }

  /** C2: nobody owns its result. */
  @Test
  void whatWorkOfAFailedCallMakesWhenItComesToItIsClosedAtOnce() {
    List<Call> calls = new ArrayList<>();
    Door door =
        one(
            "my::goes_on(int a) -> int",
            call -> {
              calls.add(call);
              return Fault.value("failed");
            });
    assertInstanceOf(Fault.class, called(door, 1L));
    assertTrue(make(calls.getFirst()).isClosed());
    assertEquals(0, scope.account().bytes());
  }

  @Test
  void whatAKernelPutIntoItsOperandsStaysWithItsResult() {
    ClassLayout layout = new ClassLayout("Box", List.of("held"));
    Door door =
        one(
            "my::puts(Tensor[](a!) a, Any(b!) b) -> Tensor",
            call -> {
              call.list(0).add(make(call));
              ((ObjectValue) call.value(1)).set(0, make(call));
              make(call);
              return make(call);
            });
    List<Object> list = new ArrayList<>();
    ObjectValue box = new ObjectValue(layout);
    DenseTensor result = assertInstanceOf(DenseTensor.class, called(door, list, box));
    assertSame(scope, result.scope());
    assertSame(scope, ((DenseTensor) list.getFirst()).scope());
    assertSame(scope, ((DenseTensor) Objects.requireNonNull(box.get(0))).scope());
    assertEquals(3 * 64, scope.account().bytes());
  }

  /**
   * M1: the memory of a tensor that the kernel made goes back once deferred work is done, although
   * the tensor is closed before.
   */
  @Test
  void whatAKernelPutsOffMayTouchWhatTheKernelHasMade() {
    List<Supplier<Object>> works = new ArrayList<>();
    Pending standIn = new Pending();
    Environment puttingOff =
        new ScopedEnvironment(bench, scope) {
          @Override
          public Object defer(Supplier<Object> work) {
            works.add(work);
            return standIn;
          }
        };
    List<DenseTensor> made = new ArrayList<>();
    Door door =
        one(
            "my::drops(int a) -> int",
            call -> {
              made.add(make(call));
              made.getFirst().segment();
              call.environment().defer(() -> 7L);
              return call.value(0);
            });
    assertEquals(1L, door.call(puttingOff, new Object[] {1L}, null, null));
    assertTrue(made.getFirst().isClosed());
    assertEquals(64, scope.account().bytes());
    standIn.settle(works.getFirst().get());
    assertEquals(0, scope.account().bytes());
  }

  @Test
  void anAnswerInTheKernelsPlaceIsLeftAsItIs() {
    Door door = one("my::answered(int a) -> int", call -> Fault.value("failed"));
    DenseTensor made = make(new Call(bench, new Object[0]));
    assertEquals(7L, door.call(bench, new Object[] {1L}, (name, given, at) -> 7L, null));
    assertFalse(made.isClosed());
  }
}
