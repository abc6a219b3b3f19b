package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.fault.Fault;
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
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a loop computes from one slice per iteration is computed for all slices before the loop. */
class RowsAheadTest {
  private static final int IN = 5;
  private static final int OUT = 3;

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope caller = ResourceScope.open(memory, "caller");
  private final Random random = new Random(3);
  private final Value x = new Value("x", Type.Plain.TENSOR);
  private final Value weight = new Value("weight", Type.Plain.TENSOR);
  private final Value bias = new Value("bias", Type.Plain.TENSOR);
  private final Value state = new Value("state", Type.Plain.TENSOR);
  private final Value trips = new Value("trips", Type.Plain.INT);
  private List<Operation> operations = new ArrayList<>();
  private int products;

  @AfterEach
  void everyByteGoesBack() {
    caller.close();
    assertEquals(0, memory.account().bytes());
  }

  /** The standard catalog, whose {@code linear} counts its calls. */
  private Catalog catalog() {
    CatalogEntry known = Objects.requireNonNull(StandardOperations.catalog().find("aten::linear"));
    Kernel.One kernel = (Kernel.One) Objects.requireNonNull(known.kernel());
    Kernel.One counting =
        call -> {
          products++;
          return kernel.run(call);
        };
    return StandardOperations.catalog().toBuilder()
        .define(new CatalogEntry(known.definition(), counting, /* closesOnFailure= */ true))
        .build();
  }

  private Value emit(Operator operator, Type type, Value... operands) {
    Value result = new Value("v", type);
    operations.add(new Operation(operator, List.of(operands), List.of(result)));
    return result;
  }

  private Value call(String name, Value... operands) {
    return emit(Entries.named(name), Type.Plain.TENSOR, operands);
  }

  private Value integer(long value) {
    return emit(new Structure.Constant(new Attribute.Int(value, Type.Plain.INT)), Type.Plain.INT);
  }

  /**
   * {@code for t in range(trips): state = tanh(state + linear(x.select(dim, t), weight, bias))}.
   */
  private Plan plan(long dim, UnaryOperator<Value> after) {
    Value first = integer(dim);
    Value one = integer(1);
    Value more = emit(new Structure.Constant(new Attribute.Bool(true)), Type.Plain.BOOL);
    List<Operation> outside = operations;
    operations = new ArrayList<>();
    Value trip = new Value("t", Type.Plain.INT);
    Value before = new Value("s", Type.Plain.TENSOR);
    Value rows = call("aten::linear", call("aten::select.int", x, first, trip), weight, bias);
    Value next = call("aten::tanh", call("aten::add.Tensor", before, after.apply(rows), one));
    Block body = new Block(List.of(trip, before), operations, List.of(more, next));
    operations = outside;
    Value last = new Value("last", Type.Plain.TENSOR);
    operations.add(
        new Operation(
            Structure.Plain.LOOP, List.of(trips, more, state), List.of(last), List.of(body), null));
    Function run =
        new Function(
            "run",
            new Block(List.of(x, weight, bias, state, trips), operations, List.of(last))
                .isolated(handed -> {}),
            List.of(Type.Plain.TENSOR),
            Function.Discipline.SEQUENTIAL,
            null);
    Program program = new Program(List.of(run));
    assertNull(Verifier.verify(program, operation -> null));
    return Plan.prepare(program, catalog());
  }

  private DenseTensor filled(long... sizes) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(caller, DType.FLOAT32, Shape.of(sizes));
    for (long i = 0; i < tensor.elements(); i++) {
      tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextGaussian());
    }
    return tensor;
  }

  private Object run(Plan plan, UnaryOperator<RunOptions> how, DenseTensor given, long many) {
    products = 0;
    random.setSeed(8);
    int last = given.rank() - 1;
    List<Object> arguments =
        List.of(
            given,
            filled(OUT, given.shape().size(last)),
            filled(OUT),
            filled(given.rank() == 3 ? new long[] {2, OUT} : new long[] {OUT}),
            many);
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      Object result = plan.run("run", arguments, how.apply(RunOptions.in(scope))).getFirst();
      if (!(result instanceof DenseTensor tensor)) {
        return result;
      }
      float[] elements = new float[(int) tensor.elements()];
      for (int i = 0; i < elements.length; i++) {
        elements[i] = tensor.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i);
      }
      return elements;
    }
  }

  /** Runs the plan as written and as planned; returns how many products the latter took. */
  private int productsOf(Plan plan, DenseTensor given, long many) {
    float[] written = (float[]) run(plan, o -> o.withOperationsAsWritten(true), given, many);
    assertEquals(many, products, "as it is written");
    assertArrayEquals(written, (float[]) run(plan, o -> o, given, many), 1e-5f);
    return products;
  }

  private Plan plan(long dim) {
    return plan(dim, rows -> rows);
  }

  @Test
  void slicesOfTheFirstAndOfAMiddleDimensionTakeOneProduct() {
    assertEquals(1, productsOf(plan(0), filled(7, 2, IN), 7));
    operations.clear();
    assertEquals(1, productsOf(plan(1), filled(2, 7, IN), 7));
    operations.clear();
    assertEquals(1, productsOf(plan(-2), filled(7, IN), 7));
  }

  @Test
  void aLoopThatTakesFewerSlicesComputesThoseAlone() {
    assertEquals(5, productsOf(plan(0), filled(7, 2, IN), 5));
  }

  @Test
  void aLoopThatTakesMoreFailsWhereItIsWritten() {
    Plan plan = plan(0);
    DenseTensor given = filled(7, 2, IN);
    Fault fault = assertInstanceOf(Fault.class, run(plan, o -> o, given, 8));
    assertEquals("aten::select.int", fault.operation());
    assertEquals(7, products);
  }

  @Test
  void elementsOfRowsAreTakenByThemselves() {
    Plan plan = plan(2);
    DenseTensor given = filled(2, IN, 7);
    assertInstanceOf(Fault.class, run(plan, o -> o, given, 7));
    assertEquals(1, products, "the first fails");
  }

  @Test
  void aFaultOfTheRowsIsTheFirstIterations() {
    Plan plan = plan(0);
    DenseTensor given = filled(7, 2, IN);
    UnaryOperator<RunOptions> written = o -> o.withOperationsAsWritten(true);
    List<Object> unfit = List.of(given, filled(OUT, IN + 1), filled(OUT), filled(2, OUT), 7L);
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      RunOptions options = RunOptions.in(scope);
      Fault ahead = (Fault) plan.run("run", unfit, options).getFirst();
      Fault expected = (Fault) plan.run("run", unfit, written.apply(options)).getFirst();
      assertEquals("aten::linear", ahead.operation());
      assertEquals(expected.toString(), ahead.toString());
      assertEquals(expected.operands(), ahead.operands());
      assertEquals(expected.path(), ahead.path());
    }
  }

  @Test
  void withGradientsEachIterationComputesItsOwn() {
    Plan plan = plan(0);
    run(plan, o -> o.withGradEnabled(true), filled(7, 2, IN), 7);
    assertEquals(7, products);
  }

  @Test
  void slicesOfManyRowsAreComputedByThemselves() {
    Plan plan = plan(0, rows -> call("aten::select.int", rows, integer(0), integer(0)));
    assertEquals(7, productsOf(plan, filled(7, 17, IN), 7));
  }

  @Test
  void aLoopThatWritesTensorsComputesEachSliceInItsTurn() {
    Plan plan = plan(0, rows -> call("aten::mul_.Tensor", rows, rows));
    assertEquals(7, productsOf(plan, filled(7, 2, IN), 7));
  }

  @Test
  void aLoopThatTakesListsApartComputesAhead() {
    UnaryOperator<Value> unpacked =
        rows -> {
          Type list = new Type.ListOf(Type.Plain.TENSOR);
          Value parts = emit(Entries.named("aten::chunk"), list, rows, integer(1), integer(0));
          return emit(Structure.Plain.LIST_UNPACK, Type.Plain.TENSOR, parts);
        };
    assertEquals(1, productsOf(plan(0, unpacked), filled(7, 2, IN), 7));
  }

  @Test
  void thePlanTellsWhatIsComputedAhead() {
    List<PlannedOperation> operations = plan(0).operations("run");
    assertEquals(
        List.of(PlannedOperation.Evaluation.HOISTED, PlannedOperation.Evaluation.HOISTED),
        operations.subList(0, 2).stream().map(PlannedOperation::evaluation).toList());
  }
}
