package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.ObjectValue;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Steps that depend on a module's tensors alone are computed once. */
class FoldedStepsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope home = ResourceScope.open(memory, "model");
  private final DenseTensor weight = filled(home, 1);
  private final ObjectValue module = new ObjectValue(new ClassLayout("M", List.of("w")), home);
  private final Value self = new Value("self", new Type.Class("M"));
  private final Value x = new Value("x", Type.Plain.TENSOR);
  private final List<Operation> operations = new ArrayList<>();
  private int negations;
  private boolean failing;
  private final Catalog catalog = catalog();

  FoldedStepsTest() {
    module.set(0, weight);
  }

  /** The standard catalog, whose {@code neg} counts its calls. */
  private Catalog catalog() {
    CatalogEntry known = Objects.requireNonNull(StandardOperations.catalog().find("aten::neg"));
    Kernel.One kernel = (Kernel.One) Objects.requireNonNull(known.kernel());
    Kernel.One counting =
        call -> {
          negations++;
          return failing ? Fault.value("not now") : kernel.run(call);
        };
    return StandardOperations.catalog().toBuilder()
        .define(new CatalogEntry(known.definition(), counting, /* closesOnFailure= */ true))
        .build();
  }

  @AfterEach
  void everyByteGoesBackWithTheModel() {
    home.close();
    assertEquals(0, memory.account().bytes());
  }

  private static DenseTensor filled(ResourceScope scope, float value) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(2, 2));
    for (int i = 0; i < 4; i++) {
      tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
    }
    return tensor;
  }

  private Value emit(Operator operator, Value... operands) {
    Value result = new Value("v", Type.Plain.TENSOR);
    operations.add(new Operation(operator, List.of(operands), List.of(result)));
    return result;
  }

  private Value call(String name, Value... operands) {
    return emit(Entries.named(name), operands);
  }

  private Value weight() {
    return emit(new Structure.GetAttribute("w"), self);
  }

  private Plan plan(Value result) {
    return plan(List.of(function("M.run", List.of(self, x), result)));
  }

  /** A function of what was emitted so far. */
  private Function function(String name, List<Value> parameters, Value result) {
    Block body = new Block(parameters, List.copyOf(operations), List.of(result));
    operations.clear();
    List<Type> types = List.of(Type.Plain.TENSOR);
    return new Function(name, body, types, Function.Discipline.SEQUENTIAL, null);
  }

  private Plan plan(List<Function> functions) {
    Program program = new Program(functions);
    assertNull(Verifier.verify(program, operation -> null));
    return Plan.prepare(program, catalog, module);
  }

  /** The first element of the plan's result for a tensor of twos. */
  private float run(Plan plan) {
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      return first(plan.run("M.run", List.of(module, filled(scope, 2)), RunOptions.in(scope)));
    }
  }

  private static float first(List<Object> results) {
    return assertInstanceOf(DenseTensor.class, results.getFirst())
        .segment()
        .getAtIndex(ValueLayout.JAVA_FLOAT, 0);
  }

  /** {@code x * -(-w).t()}. */
  private Plan product() {
    Value turned = call("aten::t", call("aten::neg", weight()));
    return plan(call("aten::mul.Tensor", x, call("aten::neg", turned)));
  }

  @Test
  void whatHangsOnTheModuleAloneIsComputedOnce() {
    Plan plan = product();
    assertEquals(2, run(plan));
    long held = home.account().bytes();
    assertEquals(2, run(plan));
    assertEquals(2, negations);
    assertTrue(held > 16, "it is on the model's account");
    assertEquals(held, home.account().bytes());
  }

  /** Too long to stand in place of its call. */
  @Test
  void aFunctionThatIsPassedTensorsOfTheModuleComputesWithThemOnce() {
    Value w = new Value("w", Type.Plain.TENSOR);
    Value y = new Value("y", Type.Plain.TENSOR);
    Value last = call("aten::mul.Tensor", y, call("aten::neg", w));
    for (int i = 0; i < 300; i++) {
      last = call("aten::t", last);
    }
    Function called = function("scaled", List.of(w, y), last);
    Value first = emit(new Structure.CallFunction("scaled"), weight(), x);
    Value second = emit(new Structure.CallFunction("scaled"), x, first);
    Plan plan = plan(List.of(called, function("M.run", List.of(self, x), second)));
    assertEquals(4, run(plan));
    assertEquals(4, run(plan));
    assertEquals(3, negations, "one of the weight, and one of each request's tensor");
  }

  @Test
  void whatHangsOnTheRequestIsComputedEachTime() {
    Plan plan = plan(call("aten::mul.Tensor", call("aten::neg", x), weight()));
    assertEquals(-2, run(plan));
    assertEquals(-2, run(plan));
    assertEquals(2, negations);
  }

  @Test
  void afterTheModuleIsWrittenItIsComputedAnew() {
    Value negative = call("aten::neg", weight());
    Value product = call("aten::mul.Tensor", x, negative);
    call("aten::add_.Tensor", weight(), x, one());
    Plan plan = plan(product);
    assertEquals(-2, run(plan));
    assertEquals(-6, run(plan));
    assertEquals(-10, run(plan));
  }

  private Value one() {
    Value one = new Value("one", Type.Plain.INT);
    Structure.Constant constant = new Structure.Constant(new Attribute.Int(1, Type.Plain.INT));
    operations.add(0, new Operation(constant, List.of(), List.of(one)));
    return one;
  }

  @Test
  void whatIsWrittenOrGivenOutIsMadeForEachRequest() {
    Value written = call("aten::neg", weight());
    Value view = call("aten::t", written);
    call("aten::add_.Tensor", view, x, one());
    Plan plan = plan(call("aten::neg", written));
    assertEquals(-1, run(plan));
    assertEquals(-1, run(plan));
    assertEquals(4, negations);
    operations.clear();
    Plan given = plan(call("aten::neg", weight()));
    assertEquals(-1, run(given));
    assertEquals(-1, run(given));
    assertEquals(6, negations);
  }

  @Test
  void aFaultIsTheRequestsOwn() {
    Plan plan = product();
    failing = true;
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      List<Object> results =
          plan.run("M.run", List.of(module, filled(scope, 2)), RunOptions.in(scope));
      Fault fault = assertInstanceOf(Fault.class, results.getFirst());
      assertEquals("aten::neg", fault.operation());
    }
    failing = false;
    assertEquals(2, run(plan));
  }

  @Test
  void whoWatchesSeesEachCall() {
    Plan plan = product();
    assertEquals(2, run(plan));
    List<String> seen = new ArrayList<>();
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      RunOptions watched =
          RunOptions.in(scope)
              .withInterceptor((operation, arguments, source) -> {
                seen.add(operation);
                return null;
              });
      assertEquals(2, first(plan.run("M.run", List.of(module, filled(scope, 2)), watched)));
    }
    assertEquals(List.of("aten::neg", "aten::t", "aten::neg", "aten::mul.Tensor"), seen);
  }

  @Test
  void whoWantsOperationsAsWrittenHasEachComputed() {
    Plan plan = product();
    assertEquals(2, run(plan));
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      RunOptions asWritten = RunOptions.in(scope).withOperationsAsWritten(true);
      assertEquals(2, first(plan.run("M.run", List.of(module, filled(scope, 2)), asWritten)));
    }
    assertEquals(4, negations);
  }

  /** A request may need the memory that is left. */
  @Test
  void theLastOfTheMemoryIsNotTaken() {
    Plan plan = plan(call("aten::mul.Tensor", x, call("aten::neg", weight())));
    long left = memory.budgetBytes() - memory.account().bytes() - 48;
    DenseTensor rest = (DenseTensor) DenseTensor.allocate(home, DType.INT8, Shape.of(left));
    try (ResourceScope scope = home.child("request")) {
      assertEquals(
          -2, first(plan.run("M.run", List.of(module, filled(scope, 2)), RunOptions.in(scope))));
    }
    rest.close();
    assertEquals(16, home.account().bytes());
  }

  @Test
  void gradientsAreOfEachRequest() {
    Plan plan = product();
    assertEquals(2, run(plan));
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      RunOptions training = RunOptions.in(scope).withGradEnabled(true);
      assertEquals(2, first(plan.run("M.run", List.of(module, filled(scope, 2)), training)));
    }
    assertEquals(4, negations);
  }
}
