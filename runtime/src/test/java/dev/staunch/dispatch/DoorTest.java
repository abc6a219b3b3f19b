package dev.staunch.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.Pending;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.SourceLocation;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Interceptor;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.KernelBench;
import dev.staunch.kernel.NestedTensor;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A kernel that returns something other than its schema declares is caught at its own call, by name
 * (S3).
 */
class DoorTest {
  private static final KernelBench BENCH =
      new KernelBench(ResourceScope.open(OffHeap.withBudget(1 << 20), "test"));
  private static final SourceLocation LINE = SourceLocation.of("model.py", 7, 3);

  @TempDir Path folder;

  private static Fault fault(String schema, Kernel kernel) {
    Catalog catalog = StandardOperations.catalog().toBuilder().define(schema, kernel).build();
    String name = schema.substring(0, schema.indexOf('('));
    CatalogEntry definition = Objects.requireNonNull(catalog.find(name));
    Object outcome = Door.to(definition).call(BENCH, new Object[] {1L}, null, LINE);
    Fault fault = assertInstanceOf(Fault.class, outcome);
    assertEquals(name, fault.operation());
    assertEquals(LINE, fault.source());
    assertEquals("a: 1", fault.operands().get(0));
    return fault;
  }

  private static Kernel one(Kernel.One kernel) {
    return kernel;
  }

  @Test
  void anOtherTypeThanDeclaredIsNamed() {
    Fault fault = fault("my::lie(int a) -> Tensor", one(call -> 3L));
    assertEquals(FaultType.INTERNAL, fault.type());
    assertEquals(
        "the kernel of my::lie returned int where its schema says Tensor", fault.message());
    fault("my::none(int a) -> Tensor", one(call -> None.NONE));
    fault("my::real(int a) -> float", one(call -> 1L));
  }

  @Test
  void anOtherNumberOfResultsThanDeclaredIsNamed() {
    Kernel.Many two = call -> new Object[] {1L, 2L};
    Fault fault = fault("my::three(int a) -> (int, int, int)", two);
    assertTrue(fault.message().contains("returned 2 values for 3 results"), fault.message());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aValueThatComesLaterIsHeldToTheSchemaOfItsOwnKernel(boolean closesOnFailure) {
    Pending good = new Pending();
    Pending bad = new Pending();
    Pending twiceLate = new Pending();
    Kernel.Many kernel = call -> new Object[] {good, bad, twiceLate};
    Catalog.Builder catalog = StandardOperations.catalog().toBuilder();
    catalog = closesOnFailure ? catalog.closesOnFailure() : catalog;
    catalog.define("my::late(int a) -> (int, bool, int)", kernel);
    catalog.define("my::one(int a) -> Tensor", one(call -> good));
    Catalog built = catalog.build();
    Door many = Door.to(Objects.requireNonNull(built.find("my::late")));
    Object[] parts = (Object[]) many.call(BENCH, new Object[] {1L}, null, LINE);
    Door single = Door.to(Objects.requireNonNull(built.find("my::one")));
    Object alone = single.call(BENCH, new Object[] {1L}, null, LINE);
    good.settle(1L);
    bad.settle(2L);
    twiceLate.settle(new Pending());
    assertEquals(1L, ((Pending) parts[0]).peek());
    broken(parts[1], "my::late", "returned int where its schema says bool");
    broken(parts[2], "my::late", "returned Pending where its schema says int");
    broken(alone, "my::one", "returned int where its schema says Tensor");
  }

  private static void broken(Object later, String kernel, String how) {
    Fault fault = assertInstanceOf(Fault.class, ((Pending) later).peek());
    assertEquals("the kernel of " + kernel + " " + how, fault.message());
    assertEquals(FaultType.INTERNAL, fault.type());
    assertEquals(kernel, fault.operation());
    assertEquals(List.of("a: 1"), fault.operands());
    assertEquals(LINE, fault.source());
  }

  /** M4: tensors that the kernel made for a value that it may not return are freed. */
  @Test
  void whatWasMadeForALateValueOfAnotherTypeIsGivenBack() {
    try (ResourceScope scope = ResourceScope.open(OffHeap.withBudget(1 << 20), "late")) {
      Pending later = new Pending();
      Kernel kernel =
          one(call -> {
            call.allocate(DType.FLOAT32, Shape.of(64));
            return later;
          });
      Catalog catalog =
          StandardOperations.catalog().toBuilder().define("my::late(int a) -> int", kernel).build();
      Door door = Door.to(Objects.requireNonNull(catalog.find("my::late")));
      Object outcome = door.call(new KernelBench(scope), new Object[] {1L}, null, LINE);
      assertTrue(scope.account().bytes() > 0);
      later.settle(true);
      broken(outcome, "my::late", "returned bool where its schema says int");
      assertEquals(0, scope.account().bytes());
    }
  }

  @Test
  void anOperationWithoutResultsCannotReturnOne() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            StandardOperations.catalog().toBuilder()
                .define("my::set(bool val) -> ()", one(call -> 1L)));
  }

  /**
   * F7, F10: that one fault was read, or that operations were skipped because of it, says nothing
   * about the others.
   */
  @Test
  void eachCallThatFailsHasAFaultOfItsOwnThoughTheKernelHandsOutOneObject() {
    Fault shared = Fault.value("always the same");
    Catalog.Builder catalog = StandardOperations.catalog().toBuilder();
    catalog.define("my::broken(int a) -> int", one(call -> shared));
    CatalogEntry broken = Objects.requireNonNull(catalog.build().find("my::broken"));
    for (CatalogEntry definition : List.of(broken, new CatalogEntry(broken.schema(), null))) {
      Door door = Door.to(definition);
      Fault first = assertInstanceOf(Fault.class, door.call(BENCH, new Object[] {1L}, null, LINE));
      first.markRead();
      first.reach().skip();
      Fault next = assertInstanceOf(Fault.class, door.call(BENCH, new Object[] {2L}, null, LINE));
      assertEquals(first.message(), next.message());
      assertFalse(next.isSameAs(first));
      assertFalse(next.reach().isRead());
      assertEquals(0, next.reach().skipped());
    }
  }

  /** F5. */
  @Test
  void oneFailureThatTakesSeveralResultsIsOneFault() {
    Fault both = Fault.value("two are lost");
    Kernel.Many kernel = call -> new Object[] {both, 1L, both, Fault.value("one is lost")};
    String schema = "my::parts(int a) -> (int, int, int, int)";
    Catalog catalog = StandardOperations.catalog().toBuilder().define(schema, kernel).build();
    Door door = Door.to(Objects.requireNonNull(catalog.find("my::parts")));
    Object[] found = (Object[]) door.call(BENCH, new Object[] {1L}, null, LINE);
    Fault first = assertInstanceOf(Fault.class, found[0]);
    assertSame(first, found[2]);
    assertEquals("my::parts", first.operation());
    assertFalse(first.isSameAs(assertInstanceOf(Fault.class, found[3])));
  }

  @Test
  void aCancellationIsTheOneFaultOfItsScopeWhateverItEnds() {
    Fault shared = Fault.cancelled(CancelReason.USER, "enough");
    Fault ended = fault("my::long(int a) -> int", one(call -> shared));
    assertTrue(ended.isSameAs(shared));
  }

  @Test
  void whatAKernelThrowsIsAFaultOfItsCall() {
    Fault fault =
        fault(
            "my::bug(int a) -> int",
            one(call -> {
              throw new IllegalStateException("oops");
            }));
    assertEquals("the code that ran threw IllegalStateException: oops", fault.message());
    Fault memory =
        fault(
            "my::memory(int a) -> int",
            one(call -> {
              throw new OutOfMemoryError("heap");
            }));
    assertEquals(FaultType.OUT_OF_MEMORY, memory.type());
  }

  /** Lets all calls happen, and records their outcomes. */
  private static class Recorder implements Interceptor {
    final List<Object> seen = new ArrayList<>();

    @Override
    public @Nullable Object before(
        String operation, Object[] arguments, @Nullable SourceLocation source) {
      return null;
    }

    @Override
    public void after(
        String operation, Object[] arguments, Object outcome, @Nullable SourceLocation source) {
      seen.addAll(List.of(operation, arguments[0], outcome));
    }
  }

  @Test
  void anInterceptorSeesWhatCameOut() {
    Door door = Door.to(definition("my::next(int a) -> int", one(call -> call.integer(0) + 1)));
    Recorder recorder = new Recorder();
    assertEquals(4L, door.call(BENCH, new Object[] {3L}, recorder, LINE));
    assertEquals(List.of("my::next", 3L, 4L), recorder.seen);
  }

  @Test
  void anInterceptorSeesTheFaultThatTheCallerGets() {
    Door door = Door.to(definition("my::bad(int a) -> int", one(call -> Fault.value("no"))));
    Recorder recorder = new Recorder();
    Object fault = door.call(BENCH, new Object[] {3L}, recorder, LINE);
    assertSame(fault, recorder.seen.get(2));
    assertEquals("my::bad", ((Fault) fault).operation());
  }

  @Test
  void anInterceptorMaySeeWhatAnOperationIsMadeOf() {
    List<String> names = new ArrayList<>();
    Interceptor recorder =
        new Recorder() {
          @Override
          public boolean seesNestedCalls() {
            return true;
          }

          @Override
          public void after(
              String operation, Object[] arguments, Object outcome, @Nullable SourceLocation at) {
            names.add(operation);
          }
        };
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      CatalogEntry entry = Objects.requireNonNull(StandardOperations.catalog().find("aten::glu"));
      Object[] arguments = {HostTensors.floats(scope, Shape.of(1, 2), 1, 2), 1L};
      Door.to(entry).call(new KernelBench(scope), arguments, recorder, LINE);
      assertEquals(List.of("aten::narrow", "aten::narrow", "aten::glu"), names);
      names.clear();
      Door.to(entry).call(new KernelBench(scope), arguments, new Recorder(), LINE);
      assertEquals(List.of(), names);
    }
  }

  @Test
  void whatAnInterceptorThrowsAfterwardsIsAFaultOfTheCall() {
    Door door = Door.to(definition("my::next(int a) -> int", one(call -> call.integer(0) + 1)));
    Interceptor failing =
        new Recorder() {
          @Override
          public void after(
              String operation, Object[] arguments, Object outcome, @Nullable SourceLocation at) {
            throw new IllegalStateException("full");
          }
        };
    Object outcome = door.call(BENCH, new Object[] {3L}, failing, LINE);
    assertEquals("my::next", assertInstanceOf(Fault.class, outcome).operation());
  }

  private static CatalogEntry definition(String schema, Kernel kernel) {
    Catalog catalog = new Catalog.Builder().define(schema, kernel).build();
    return catalog.operations().iterator().next();
  }

  @Test
  void anInterceptorMayAnswerInTheKernelsPlace() {
    Catalog catalog = StandardOperations.catalog();
    CatalogEntry definition = Objects.requireNonNull(catalog.find("aten::add.int"));
    Object outcome =
        Door.to(definition).call(BENCH, new Object[] {1L, 2L}, (name, args, source) -> 42L, LINE);
    assertEquals(42L, outcome);
  }

  /** F11. */
  @Test
  void whatAnInterceptorThrowsIsAFaultOfTheCallThatItSaw() {
    CatalogEntry definition =
        Objects.requireNonNull(StandardOperations.catalog().find("aten::add.int"));
    Interceptor failing =
        (name, arguments, source) -> {
          throw new IllegalStateException("not before " + name);
        };
    Object outcome = Door.to(definition).call(BENCH, new Object[] {1L, 2L}, failing, LINE);
    Fault fault = assertInstanceOf(Fault.class, outcome);
    assertEquals(
        "the code that ran threw IllegalStateException: not before aten::add.int", fault.message());
    assertEquals("aten::add.int", fault.operation());
    assertEquals(LINE, fault.source());
  }

  @Test
  void aNestedTensorIsKeptFromKernelsThatKnowOnlyPlainOnes() {
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      DenseTensor padded = (DenseTensor) HostTensors.floats(scope, Shape.of(1, 1, 1), 1);
      Object[] arguments = {new NestedTensor(padded, new int[] {1})};
      Fault fault = assertInstanceOf(Fault.class, called("aten::relu", arguments));
      assertEquals(FaultType.UNSUPPORTED, fault.type());
      assertEquals(
          "aten::relu does not take a nested tensor; make it padded with `to_padded_tensor` before",
          fault.message());
      assertEquals(true, called("prim::is_nested", arguments));
      padded.close();
      fault = assertInstanceOf(Fault.class, called("aten::dim", arguments));
      assertEquals(FaultType.CLOSED, fault.type());
    }
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void aClosedOperandIsKeptFromTheKernel() {
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      DenseTensor closed = (DenseTensor) HostTensors.floats(scope, Shape.of(2), 1, 2);
      closed.close();
      Fault fault = assertInstanceOf(Fault.class, called("aten::dim", new Object[] {closed}));
      assertEquals(FaultType.CLOSED, fault.type());
      assertEquals(LINE, fault.source());
    }
    assertEquals(0, memory.account().bytes());
  }

  /** M2: otherwise its position would be left out, or hold another tensor's data. */
  @ParameterizedTest
  @ValueSource(strings = {"aten::cat", "aten::stack"})
  void aClosedOperandInAListIsKeptFromTheKernel(String operation) {
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      DenseTensor open = (DenseTensor) HostTensors.floats(scope, Shape.of(2), 1, 2);
      DenseTensor closed = (DenseTensor) HostTensors.floats(scope, Shape.of(2), 3, 4);
      closed.close();
      Object[] arguments = {List.of(open, closed), 0L};
      Fault fault = assertInstanceOf(Fault.class, called(operation, arguments));
      assertEquals(FaultType.CLOSED, fault.type());
      assertEquals(LINE, fault.source());
    }
    assertEquals(0, memory.account().bytes());
  }

  /** F2: anyone else who reads the file, or the memory, sees what was there before. */
  @ParameterizedTest
  @ValueSource(strings = {"Tensor(a!) target", "Tensor(a!)[] targets"})
  void whatCannotBeWrittenIsKeptFromAKernelThatWrites(String parameter) throws IOException {
    Path file = Files.write(folder.resolve("weights.bin"), new byte[64]);
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      Storage mapped = (Storage) scope.map(file, 0, 64);
      Layout layout = Layout.contiguous(Shape.of(16));
      Object tensor = DenseTensor.over(scope, mapped, layout, DType.FLOAT32);
      mapped.release();
      Kernel.NoResult wrong = call -> Fault.internal("the kernel ran");
      Catalog catalog =
          StandardOperations.catalog().toBuilder()
              .define("my::fill(" + parameter + ") -> ()", wrong)
              .build();
      Object argument = parameter.contains("[]") ? List.of(tensor) : tensor;
      Object outcome =
          Door.to(Objects.requireNonNull(catalog.find("my::fill")))
              .call(BENCH, new Object[] {argument}, null, LINE);
      Fault fault = assertInstanceOf(Fault.class, outcome);
      assertEquals(
          "the tensor lies in a file that was mapped for reading alone; clone it before writing",
          fault.message());
      assertEquals("my::fill", fault.operation());
    }
    assertEquals(0, memory.mappedBytes());
  }

  @Test
  void ofAListOfTensorsEachIsWrittenAndOfAnotherListTheListAlone() {
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      Object tensor = HostTensors.floats(scope, Shape.of(2), 1, 2);
      List<Object> list = new ArrayList<>(List.of(tensor));
      assertEquals(List.of(list), written("aten::append.t", list, tensor));
      Catalog catalog =
          StandardOperations.catalog().toBuilder()
              .define("my::fill(Tensor(a!)[] targets) -> ()", (Kernel.NoResult) call -> null)
              .build();
      Door fill = Door.to(Objects.requireNonNull(catalog.find("my::fill")));
      assertEquals(List.of(list, tensor), written(fill, list));
    }
  }

  @Test
  void statisticsAreWrittenInTrainingOnly() {
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      Object input = HostTensors.floats(scope, Shape.of(2, 1), 1, 2);
      Object mean = HostTensors.floats(scope, Shape.of(1), 0);
      Object variance = HostTensors.floats(scope, Shape.of(1), 1);
      Object[] arguments = {input, None.NONE, None.NONE, mean, variance, true, 0.1, 1e-5, false};
      assertEquals(List.of(mean, variance), written("aten::batch_norm", arguments));
      arguments[5] = false;
      assertEquals(List.of(), written("aten::batch_norm", arguments));
    }
  }

  private static List<Object> written(String name, Object... arguments) {
    return written(
        Door.to(Objects.requireNonNull(StandardOperations.catalog().find(name))), arguments);
  }

  private static List<Object> written(Door door, Object... arguments) {
    List<Object> seen = new ArrayList<>();
    door.firstWritten(
        new Call(BENCH, arguments),
        operand -> {
          seen.add(operand);
          return null;
        });
    return seen;
  }

  /** F5, F7. */
  @Test
  void aFaultAmongGoodResultsSaysWhereItIsFrom() {
    Kernel.Many two = call -> new Object[] {1L, Fault.value("the second is missing")};
    Catalog catalog =
        StandardOperations.catalog().toBuilder()
            .define("my::two(int a) -> (int, int)", two)
            .build();
    Object outcome =
        Door.to(Objects.requireNonNull(catalog.find("my::two")))
            .call(BENCH, new Object[] {1L}, null, LINE);
    Object[] parts = assertInstanceOf(Object[].class, outcome);
    assertEquals(1L, parts[0]);
    Fault fault = assertInstanceOf(Fault.class, parts[1]);
    assertEquals("my::two", fault.operation());
    assertEquals(LINE, fault.source());
  }

  private static Object called(String name, Object[] arguments) {
    CatalogEntry definition = Objects.requireNonNull(StandardOperations.catalog().find(name));
    return Door.to(definition).call(BENCH, arguments, null, LINE);
  }
}
