package dev.staunch.dispatch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.Pending;
import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.KernelBench;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A user's kernel that does something other than its schema declares is refused when it is
 * registered, or caught at its own call, by name and line (S3). The first eleven kernels were also
 * given to libtorch, which noticed none of them when they were registered.
 */
class LyingKernelsTest {
  private static final SourceLocation LINE = SourceLocation.of("model.py", 7, 3);

  private final ResourceScope scope = ResourceScope.open(OffHeap.withBudget(1 << 20), "lies");
  private final KernelBench bench = new KernelBench(scope);

  @AfterEach
  void nothingIsLeft() {
    scope.close();
  }

  private DenseTensor tensor() {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(2));
    tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, 0, 1);
    tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, 1, 2);
    return tensor;
  }

  private Object called(String schema, Kernel kernel, Object... arguments) {
    Catalog catalog = StandardOperations.catalog().toBuilder().define(schema, kernel).build();
    String name = schema.substring(0, schema.indexOf('('));
    Door door = Door.to(Objects.requireNonNull(catalog.find(name)));
    return door.call(bench, arguments, null, LINE);
  }

  private static Kernel one(Kernel.One kernel) {
    return kernel;
  }

  private static Kernel many(Kernel.Many kernel) {
    return kernel;
  }

  private static void refused(String schema, Kernel kernel) {
    Catalog.Builder catalog = new Catalog.Builder();
    assertThrows(IllegalArgumentException.class, () -> catalog.define(schema, kernel));
  }

  /** Asserts that the call is a fault with these words that names the operation and the line. */
  private void caught(String words, String schema, Kernel kernel, Object... arguments) {
    Object outcome = called(schema, kernel, arguments);
    Object last = outcome instanceof Object[] several ? several[several.length - 1] : outcome;
    Fault fault = assertInstanceOf(Fault.class, settled(Objects.requireNonNull(last)));
    assertEquals(schema.substring(0, schema.indexOf('(')), fault.operation());
    assertEquals(LINE, fault.source());
    assertTrue(fault.message().contains(words), fault.message());
  }

  private static Object settled(Object value) {
    return value instanceof Pending later ? Objects.requireNonNull(later.peek()) : value;
  }

  @Test
  void aResultWhereTheSchemaHasNoneIsRefused() {
    refused("my::switched(bool on) -> ()", one(call -> None.NONE));
  }

  @Test
  void noResultWhereTheSchemaHasOneIsRefused() {
    Kernel.NoResult nothing = call -> null;
    refused("my::silent(Tensor x) -> Tensor", nothing);
  }

  @Test
  @SuppressWarnings("NullAway") // the lie
  void nullForAResultIsCaught() {
    caught("returned null", "my::empty(Tensor x) -> Tensor", one(call -> null), tensor());
  }

  @Test
  void anArgumentLeftBesideTheResultIsCaught() {
    Kernel.One both = call -> new Object[] {call.value(0), 3L};
    caught("returned 2 values where its schema says int", "my::leaves(int a) -> int", both, 1L);
  }

  @Test
  void moreResultsThanTheSchemaHasAreCaught() {
    Kernel three = many(call -> new Object[] {1L, 2L, 3L});
    caught("for 2 results", "my::more(int a) -> (int, int)", three, 1L);
  }

  @Test
  void anIntForATensorIsCaught() {
    caught(
        "returned int where its schema says Tensor", "my::int(int a) -> Tensor", one(c -> 1L), 1L);
  }

  @Test
  void noneForATensorIsCaught() {
    Kernel none = one(call -> None.NONE);
    caught("returned None where its schema says Tensor", "my::none(int a) -> Tensor", none, 1L);
  }

  @Test
  void anIntForAFloatAndFloatsForIntsAreCaught() {
    caught("returned int where its schema says float", "my::f(int a) -> float", one(c -> 1L), 1L);
    caught(
        "where its schema says List[int]",
        "my::floats(int a) -> int[]",
        one(call -> List.of(1L, 2.0)),
        1L);
  }

  @Test
  void anArgumentThatIsNotMarkedIsNotWritten() {
    DenseTensor x = tensor();
    Kernel.One writes =
        call -> {
          call.tensor(0).segment().setAtIndex(ValueLayout.JAVA_FLOAT, 0, 9);
          return 0L;
        };
    caught("may write only what its schema marks", "my::writes(Tensor x) -> int", writes, x);
    Kernel.One throughAView =
        call -> {
          DenseTensor view = (DenseTensor) call.tensor(0).view(call.scope(), call.layout(0));
          view.segment().setAtIndex(ValueLayout.JAVA_FLOAT, 0, 9);
          return 0L;
        };
    caught("may write only", "my::views(Tensor x) -> int", throughAView, x);
    Kernel.One listed =
        call -> {
          ((DenseTensor) call.list(0).getFirst()).segment().fill((byte) 9);
          return 0L;
        };
    caught("may write only", "my::listed(Tensor[] x) -> int", listed, new ArrayList<>(List.of(x)));
    assertArrayEquals(new float[] {1, 2}, HostTensors.toFloats(x));
  }

  @Test
  void aListThatIsNotMarkedIsNotChanged() {
    List<Object> list = new ArrayList<>(List.of(1L));
    Kernel.One adds = call -> call.list(0).add(2L);
    caught("may write only", "my::adds(int[] x) -> bool", adds, list);
    assertEquals(List.of(1L), list);
    assertEquals(true, called("my::adds(int[](a!) x) -> bool", adds, list));
    assertEquals(List.of(1L, 2L), list);
  }

  @Test
  void whatAKernelPutsIntoAListIsTheCallersOwn() {
    DenseTensor x = tensor();
    List<Object> list = new ArrayList<>(List.of(1L));
    Kernel.One adds = call -> call.list(0).addAll(List.of(call.value(1), List.of(call.value(1))));
    assertEquals(true, called("my::adds(t[](a!) list, Tensor x) -> bool", adds, list, x));
    assertEquals(List.of(1L, x, List.of(x)), list);
  }

  @Test
  void anObjectThatIsNotMarkedIsNotChanged() {
    DenseTensor x = tensor();
    ObjectValue object = new ObjectValue(new ClassLayout("M", List.of("x", "self")));
    object.set(0, x);
    object.set(1, object);
    Kernel.One sets = call -> set((ObjectValue) call.value(0), 0, 1L);
    caught("may write only", "my::sets(Any x) -> Any", sets, object);
    Kernel.One within = call -> set((ObjectValue) part(call.list(0).getFirst(), 1), 0, 1L);
    caught("may write only", "my::within(Any[] x) -> Any", within, List.of(object));
    Kernel.One writes = call -> ((DenseTensor) part(call.value(0), 0)).segment().fill((byte) 9);
    caught("may write only", "my::writes(Any x) -> Any", writes, object);
    assertArrayEquals(new float[] {1, 2}, HostTensors.toFloats(x));
    assertSame(x, called("my::x(Any(a) x) -> Any(a)", one(c -> part(c.value(0), 0)), object));
    assertSame(object, called("my::o(Any(a) x) -> Any(a)", one(c -> part(c.value(0), 1)), object));
    Kernel.One marked = call -> set((ObjectValue) call.value(0), 0, 1L);
    assertSame(object, called("my::sets(Any(a!) x) -> Any(a!)", marked, object));
    assertEquals(1L, object.get(0));
  }

  private static Object set(ObjectValue object, int slot, Object value) {
    object.set(slot, value);
    return object;
  }

  private static Object part(Object object, int slot) {
    return Objects.requireNonNull(((ObjectValue) object).get(slot));
  }

  @Test
  void memoryOfAnArgumentThatIsNotMarkedIsNotReturned() {
    DenseTensor x = tensor();
    caught("memory of `x`", "my::same(Tensor x) -> Tensor", one(call -> call.value(0)), x);
    Kernel view = one(call -> call.tensor(0).view(call.scope(), Layout.contiguous(Shape.of(1))));
    caught("memory of `x`", "my::part(Tensor x) -> Tensor", view, x);
    caught(
        "memory of `y`",
        "my::second(int a, Tensor y) -> (int, Tensor[])",
        many(call -> new Object[] {1L, List.of(call.value(1))}),
        1L,
        x);
    Kernel later = one(call -> call.environment().defer(() -> call.value(0)));
    caught("memory of `x`", "my::late(Tensor x) -> Tensor", later, x);
  }

  @Test
  void aKernelWhoseNumberOfResultsIsAnotherIsRefused() {
    refused("my::typed(Tensor x) -> (Tensor, Tensor)", one(call -> call.value(0)));
    refused("my::typed(Tensor x) -> Tensor", many(call -> new Object[] {call.value(0)}));
  }

  @Test
  void whatIsMarkedMayBeWrittenAndReturned() {
    DenseTensor x = tensor();
    Kernel.One writes =
        call -> {
          call.tensor(0).segment().setAtIndex(ValueLayout.JAVA_FLOAT, 0, 9);
          return call.value(0);
        };
    assertSame(x, called("my::fill_(Tensor(a!) x) -> Tensor(a!)", writes, x));
    assertArrayEquals(new float[] {9, 2}, HostTensors.toFloats(x));
    assertSame(x, called("my::same(Tensor(a) x) -> Tensor(a)", one(call -> call.value(0)), x));
  }

  @Test
  void aViewThatIsMarkedIsTheCallersToWrite() {
    Kernel.One part = call -> call.tensor(0).view(call.scope(), Layout.contiguous(Shape.of(1)));
    DenseTensor x = tensor();
    Object result = called("my::part(Tensor(a) x) -> Tensor(a)", part, x);
    DenseTensor view = assertInstanceOf(DenseTensor.class, result);
    assertFalse(view.isLent());
    view.segment().setAtIndex(ValueLayout.JAVA_FLOAT, 0, 9);
    assertArrayEquals(new float[] {9, 2}, HostTensors.toFloats(x));
  }

  @Test
  void whatAKernelWasLentIsNotItsOwnAfterwards() {
    List<DenseTensor> kept = new ArrayList<>();
    Kernel.One keeps = call -> (long) (kept.add(call.tensor(0)) ? call.tensor(0).rank() : 0);
    assertEquals(1L, called("my::keeps(Tensor x) -> int", keeps, tensor()));
    assertTrue(kept.getFirst().isClosed());
  }

  @Test
  void anOperandIsReadAsItIs() {
    Kernel.One sum =
        call -> {
          Call inner = call.withEnvironment(call.environment());
          return (double) inner.tensor(0).segment().getAtIndex(ValueLayout.JAVA_FLOAT, 1);
        };
    assertEquals(2.0, called("my::second(Tensor x) -> float", sum, tensor().named("features")));
  }
}
