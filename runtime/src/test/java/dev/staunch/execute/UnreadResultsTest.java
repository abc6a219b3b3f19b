package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Attribute;
import dev.staunch.ir.Block;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.ir.Verifier;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Interceptor;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.Schema;
import dev.staunch.operation.SchemaText;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A kernel with several results need not make those that nothing reads. */
class UnreadResultsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 24);
  private final ResourceScope caller = ResourceScope.open(memory, "caller");
  private final Value x = new Value("x", Type.Plain.TENSOR);
  private final DenseTensor table = numbers(Shape.of(3, 2), 1, 2, 3, 4, 5, 6);
  private final List<Operation> operations = new ArrayList<>();
  private boolean careless;

  /**
   * {@code my::pair} returns a tensor, and a second one if that is read, unless {@link #careless}.
   */
  private final Catalog catalog = StandardOperations.catalog().toBuilder().define(pair()).build();

  private CatalogEntry pair() {
    Kernel.Many kernel =
        call -> {
          Object first = call.allocate(call.dtype(0), Shape.of(1));
          boolean left = careless || call.isUnread(1);
          return new Object[] {first, left ? None.NONE : call.allocate(call.dtype(0), Shape.of(2))};
        };
    Schema schema = SchemaText.parse("my::pair(Tensor x) -> (Tensor, Tensor)");
    return new CatalogEntry(new OperationDefinition(schema), kernel, /* closesOnFailure= */ true);
  }

  @AfterEach
  void everyByteGoesBack() {
    caller.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor numbers(Shape shape, float... values) {
    return (DenseTensor) HostTensors.floats(caller, shape, values);
  }

  private Value constant(Attribute attribute, Type type) {
    Value result = new Value("k", type);
    operations.add(new Operation(new Structure.Constant(attribute), List.of(), List.of(result)));
    return result;
  }

  private List<Value> call(String name, int results, Value... operands) {
    List<Value> made = new ArrayList<>();
    for (int i = 0; i < results; i++) {
      made.add(new Value("r" + i, Type.Plain.TENSOR));
    }
    operations.add(new Operation(Entries.named(name), List.of(operands), made));
    return made;
  }

  private Plan plan(List<Value> results) {
    Block body = new Block(List.of(x), operations, results);
    List<Type> types = results.stream().map(Value::type).toList();
    Function run = new Function("run", body, types, Function.Discipline.SEQUENTIAL, null);
    Program program = new Program(List.of(run));
    assertNull(Verifier.verify(program, operation -> null));
    return Plan.prepare(program, catalog);
  }

  /** How many tensors a run makes. */
  private long made(Plan plan, RunOptions options) {
    long before = memory.metrics().creations();
    for (Object result : plan.run("run", List.of(table), options)) {
      assertInstanceOf(DenseTensor.class, result);
    }
    return memory.metrics().creations() - before - 1; // the run's scope
  }

  private long made(Plan plan) {
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      return made(plan, RunOptions.in(scope));
    }
  }

  @Test
  void whatNobodyReadsIsNotMade() {
    List<Value> pair = call("my::pair", 2, x);
    assertEquals(2, made(plan(pair)));
    assertEquals(1, made(plan(pair.subList(0, 1))));
  }

  @Test
  void whoWatchesFindsAll() {
    Plan plan = plan(call("my::pair", 2, x).subList(0, 1));
    List<Object> seen = new ArrayList<>();
    Interceptor watching =
        new Interceptor() {
          @Override
          public Object before(String operation, Object[] arguments, SourceLocation source) {
            return null;
          }

          @Override
          public void after(
              String operation, Object[] arguments, Object outcome, SourceLocation source) {
            seen.addAll(List.of((Object[]) outcome));
          }
        };
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      assertEquals(2, made(plan, RunOptions.in(scope).withInterceptor(watching)));
    }
    assertEquals(2, seen.stream().filter(DenseTensor.class::isInstance).count());
  }

  @Test
  void whatIsReadHasToBeThere() {
    careless = true;
    List<Value> pair = call("my::pair", 2, x);
    assertEquals(1, made(plan(pair.subList(0, 1))));
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      Object outcome = plan(pair).run("run", List.of(table), RunOptions.in(scope)).getFirst();
      Fault fault = assertInstanceOf(Fault.class, outcome);
      assertEquals(FaultType.INTERNAL, fault.type());
      assertTrue(fault.message().contains("returned None where its schema says"), fault.message());
    }
  }

  @Test
  void sumsOfBagsAreOneTensor() {
    List<Value> sums = bags(0);
    assertEquals(4, made(plan(sums)));
    assertEquals(1, made(plan(sums.subList(0, 1))));
    assertEquals(4, made(plan(bags(1).subList(0, 1))));
  }

  @Test
  void theyAreTheSameWhateverElseIsRead() {
    for (int mode = 0; mode < 2; mode++) {
      List<Value> all = bags(mode);
      float[] alone = first(plan(all.subList(0, 1)));
      float[] expected = mode == 0 ? new float[] {6, 8, 3, 4} : new float[] {3, 4, 3, 4};
      assertArrayEquals(expected, alone);
      assertArrayEquals(expected, first(plan(all)));
    }
  }

  private float[] first(Plan plan) {
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      List<Object> results = plan.run("run", List.of(table), RunOptions.in(scope));
      DenseTensor bags = assertInstanceOf(DenseTensor.class, results.getFirst());
      return HostTensors.toFloats(bags);
    }
  }

  /** The results of {@code embedding_bag}: in mode 0 the sums, in mode 1 the means of two bags. */
  private List<Value> bags(int mode) {
    operations.clear();
    Value ids = constant(new Attribute.Dense(indices(2, 0, 1)), Type.Plain.TENSOR);
    Value offsets = constant(new Attribute.Dense(indices(0, 2)), Type.Plain.TENSOR);
    Value no = constant(new Attribute.Bool(false), Type.Plain.BOOL);
    Value how = constant(new Attribute.Int(mode, Type.Plain.INT), Type.Plain.INT);
    Value none = constant(new Attribute.None(), Type.Plain.NONE);
    return call("aten::embedding_bag", 4, x, ids, offsets, no, how, no, none, no);
  }

  private DenseTensor indices(long... values) {
    return (DenseTensor) HostTensors.longs(caller, Shape.of(values.length), values);
  }
}
