package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.staunch.ir.Attribute;
import dev.staunch.ir.Block;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.ir.Verifier;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A list of known numbers that kernels only read is made once. */
class KnownListsTest {
  private static final Type LIST = new Type.ListOf(Type.Plain.INT);

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final Value x = new Value("x", Type.Plain.TENSOR);
  private final Value condition = new Value("condition", Type.Plain.BOOL);
  private final List<Operation> operations = new ArrayList<>();

  /** The shapes that {@code reshape} was given. */
  private final List<Object> shapes = new ArrayList<>();

  @AfterEach
  void everyByteGoesBack() {
    assertEquals(0, memory.account().bytes());
  }

  /** The standard catalog, whose {@code reshape} records the shapes that it is given. */
  private Catalog catalog(boolean own) {
    CatalogEntry known = Objects.requireNonNull(StandardOperations.catalog().find("aten::reshape"));
    Kernel.One kernel = (Kernel.One) Objects.requireNonNull(known.kernel());
    Kernel.One noting =
        call -> {
          shapes.add(call.value(1));
          return kernel.run(call);
        };
    return StandardOperations.catalog().toBuilder()
        .define(new CatalogEntry(known.definition(), noting, own))
        .build();
  }

  private Value emit(Operator operator, Type type, Value... operands) {
    Value result = new Value("v", type);
    operations.add(new Operation(operator, List.of(operands), List.of(result)));
    return result;
  }

  private Value number(long value) {
    Attribute attribute = new Attribute.Int(value, Type.Plain.INT);
    return emit(new Structure.Constant(attribute), Type.Plain.INT);
  }

  private Value list(Value... elements) {
    return emit(Structure.Plain.LIST_CONSTRUCT, LIST, elements);
  }

  private Value reshaped(Value shape) {
    return emit(Entries.named("aten::reshape"), Type.Plain.TENSOR, x, shape);
  }

  private Plan plan(Value result) {
    return plan(result, /* own= */ true);
  }

  private Plan plan(Value result, boolean own) {
    Block body =
        new Block(List.of(x, condition), operations, List.of(result)).isolated(handed -> {});
    List<Type> types = List.of(result.type());
    Function run = new Function("run", body, types, Function.Discipline.SEQUENTIAL, null);
    Program program = new Program(List.of(run));
    assertNull(Verifier.verify(program, operation -> null));
    return Plan.prepare(program, catalog(own));
  }

  /** The result of {@code plan} for a tensor [4], as text. */
  private String run(Plan plan) {
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      Object given = DenseTensor.allocate(scope, DType.INT64, Shape.of(4));
      Object result = plan.run("run", List.of(given, true), RunOptions.in(scope)).getFirst();
      return result instanceof DenseTensor tensor ? tensor.shape().toString() : result.toString();
    }
  }

  @Test
  void allRequestsReadOneList() {
    Plan plan = plan(reshaped(list(number(2), number(2))));
    assertEquals("[2, 2]", run(plan));
    assertEquals("[2, 2]", run(plan));
    assertEquals(List.of(2L, 2L), shapes.getFirst());
    assertSame(shapes.get(0), shapes.get(1));
  }

  @Test
  void aListOfWhatRequestsGiveIsMadeForEach() {
    Value rank = emit(Entries.named("aten::dim"), Type.Plain.INT, x);
    Plan plan = plan(reshaped(list(rank, number(4))));
    assertEquals("[1, 4]", run(plan));
    assertEquals("[1, 4]", run(plan));
    assertNotSame(shapes.get(0), shapes.get(1));
  }

  @Test
  void aListThatGrowsIsMadeForEach() {
    Value shape = list(number(2));
    operations.add(
        new Operation(
            Entries.named("aten::append.t"),
            List.of(shape, number(2)),
            List.of(new Value("same", LIST))));
    Plan plan = plan(reshaped(shape));
    assertEquals("[2, 2]", run(plan));
    assertEquals("[2, 2]", run(plan));
  }

  /** The caller may change the list that it is given. */
  @Test
  void aListThatGoesOutIsMadeForEach() {
    Value shape = list(number(2), number(2));
    reshaped(shape);
    Plan plan = plan(shape);
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      Object given = DenseTensor.allocate(scope, DType.INT64, Shape.of(4));
      List<Object> arguments = List.of(given, true);
      for (int i = 0; i < 2; i++) {
        List<Object> results = plan.run("run", arguments, RunOptions.in(scope));
        ArrayList<?> list = assertInstanceOf(ArrayList.class, results.getFirst());
        assertEquals(List.of(2L, 2L), list);
        list.clear();
      }
    }
  }

  @Test
  void aListThatAnotherListMayBeIsMadeForEach() {
    Value shape = list(number(2), number(2));
    Value both = emit(Entries.named("aten::add.t"), LIST, shape, list());
    operations.add(
        new Operation(
            Entries.named("aten::append.t"),
            List.of(both, number(1)),
            List.of(new Value("same", LIST))));
    Plan plan = plan(reshaped(both));
    assertEquals("[2, 2, 1]", run(plan));
    assertEquals("[2, 2, 1]", run(plan));
  }

  @Test
  void aBlockReadsTheListToo() {
    Value shape = list(number(4), number(1));
    List<Operation> before = List.copyOf(operations);
    operations.clear();
    Value taken = reshaped(shape);
    Block yes = new Block(List.of(), List.copyOf(operations), List.of(taken));
    Block no = new Block(List.of(), List.of(), List.of(x));
    operations.clear();
    operations.addAll(before);
    Value result = new Value("v", Type.Plain.TENSOR);
    operations.add(
        new Operation(
            Structure.Plain.IF, List.of(condition), List.of(result), List.of(yes, no), null));
    Plan plan = plan(result);
    assertEquals("[4, 1]", run(plan));
    assertEquals("[4, 1]", run(plan));
    assertSame(shapes.get(0), shapes.get(1));
  }

  /** A user's kernel promises nothing, so it may keep or change the list that it is given. */
  @Test
  void aUsersKernelIsGivenAListOfItsOwn() {
    Plan plan = plan(reshaped(list(number(2), number(2))), /* own= */ false);
    assertEquals("[2, 2]", run(plan));
    assertEquals("[2, 2]", run(plan));
    assertNotSame(shapes.get(0), shapes.get(1));
  }
}
