package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
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
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** State that a module holds and no function sets is known when its methods are compiled. */
class KnownStateTest {
  private static final Type INNER = new Type.Class("Inner");

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final ObjectValue inner =
      new ObjectValue(new ClassLayout("Inner", List.of("step", "count", "flag")));
  private final ObjectValue other =
      new ObjectValue(new ClassLayout("Inner", List.of("step", "count", "flag")));
  private final ObjectValue root =
      new ObjectValue(new ClassLayout("M", List.of("first", "second")));
  private final List<Operation> operations = new ArrayList<>();
  private final Catalog catalog =
      StandardOperations.catalog().toBuilder()
          .one("test::fail(int a) -> int", call -> Fault.value("failed with " + call.value(0)))
          .build();

  KnownStateTest() {
    root.set(0, inner);
    root.set(1, other);
    fill(inner, 1, true);
    fill(other, 10, false);
  }

  private static void fill(ObjectValue object, long step, boolean flag) {
    object.set(0, step);
    object.set(1, 0L);
    object.set(2, flag);
  }

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Value emit(Operator operator, Type type, Value... operands) {
    Value result = new Value("v", type);
    operations.add(new Operation(operator, List.of(operands), List.of(result)));
    return result;
  }

  private Value get(Value object, String attribute, Type type) {
    return emit(new Structure.GetAttribute(attribute), type, object);
  }

  private Function function(String name, List<Value> parameters, Value result) {
    Block body = new Block(parameters, operations, List.of(result)).isolated(handed -> {});
    operations.clear();
    List<Type> types = List.of(result.type());
    return new Function(name, body, types, Function.Discipline.SEQUENTIAL, null);
  }

  /** {@code M.run(self, x)}: passes {@code x} through {@code Inner.forward} of both members. */
  private Function run() {
    Value self = new Value("self", new Type.Class("M"));
    Value x = new Value("x", Type.Plain.INT);
    Operator forward = new Structure.CallMethod("forward");
    Value once = emit(forward, Type.Plain.INT, get(self, "first", INNER), x);
    Value twice = emit(forward, Type.Plain.INT, get(self, "second", INNER), once);
    return function("M.run", List.of(self, x), twice);
  }

  /** {@code x + self.step}, or the result of {@code then} if {@code self.flag}. */
  private Function forward(Operator then) {
    Value self = new Value("self", INNER);
    Value x = new Value("x", Type.Plain.INT);
    Value flag = get(self, "flag", Type.Plain.BOOL);
    Value step = get(self, "step", Type.Plain.INT);
    Value yes = new Value("yes", Type.Plain.INT);
    Value no = new Value("no", Type.Plain.INT);
    Value result = new Value("result", Type.Plain.INT);
    List<Value> operands = then.word().equals("test::fail") ? List.of(x) : List.of(x, step);
    Block taken =
        new Block(List.of(), List.of(new Operation(then, operands, List.of(yes))), List.of(yes));
    Block otherwise =
        new Block(
            List.of(),
            List.of(new Operation(Entries.named("aten::add.int"), List.of(x, step), List.of(no))),
            List.of(no));
    operations.add(
        new Operation(
            Structure.Plain.IF, List.of(flag), List.of(result), List.of(taken, otherwise), null));
    return function("Inner.forward", List.of(self, x), result);
  }

  /** A function that sets {@code step}, so that a program that has it may change {@code step}. */
  private Function setter(String name) {
    Value self = new Value("self", INNER);
    Value x = new Value("x", Type.Plain.INT);
    operations.add(new Operation(new Structure.SetAttribute("step"), List.of(self, x), List.of()));
    return function("Inner." + name, List.of(self, x), x);
  }

  /** {@code M.restore(self, x)}: passes {@code x} to {@code __setstate__} of the second member. */
  private Function restore() {
    Value self = new Value("self", new Type.Class("M"));
    Value x = new Value("x", Type.Plain.INT);
    Operator restoring = new Structure.CallMethod("__setstate__");
    Value done = emit(restoring, Type.Plain.INT, get(self, "second", INNER), x);
    return function("M.restore", List.of(self, x), done);
  }

  private Plan plan(Function... functions) {
    Program program = new Program(List.of(functions));
    assertNull(Verifier.verify(program, operation -> null));
    return Plan.prepare(program, catalog, root);
  }

  private Object run(Plan plan, long x) {
    return plan.run("M.run", List.of(root, x), RunOptions.in(scope)).getFirst();
  }

  private static List<String> steps(Plan plan, Variant variant) {
    Code code = assertInstanceOf(Code.class, plan.find(variant));
    return Stream.of(code.body().steps()).map(step -> step.name).toList();
  }

  @Test
  void eachObjectsMethodHasTheStepsThatItTakes() {
    Plan plan = plan(run(), forward(Entries.named("aten::mul.int")));
    assertEquals(17L, run(plan, 7));
    assertEquals(
        List.of("aten::mul.int", "aten::add.int"), steps(plan, Variant.of("M.run", List.of(root))));
    assertEquals(
        List.of("aten::mul.int"), steps(plan, Variant.of("Inner.forward", List.of(inner, 7L))));
    assertEquals(
        List.of("aten::add.int"), steps(plan, Variant.of("Inner.forward", List.of(other, 7L))));
    assertEquals(
        List.of("prim::GetAttr", "prim::GetAttr", "prim::If"),
        steps(plan, Variant.of("Inner.forward")));
  }

  @Test
  void anAttributeThatAFunctionSetsIsReadEachTime() {
    Plan plan = plan(run(), forward(Entries.named("aten::mul.int")), setter("set"));
    assertEquals(17L, run(plan, 7));
    plan.run("Inner.set", List.of(other, 100L), RunOptions.in(scope));
    assertEquals(107L, run(plan, 7));
  }

  @Test
  void whatRestoredAPartIsOver() {
    Plan plan = plan(run(), forward(Entries.named("aten::mul.int")), setter("__setstate__"));
    assertEquals(17L, run(plan, 7));
    assertEquals(
        List.of("aten::mul.int"), steps(plan, Variant.of("Inner.forward", List.of(inner, 7L))));
    StaunchException refused =
        assertThrows(
            StaunchException.class,
            () -> plan.run("Inner.__setstate__", List.of(other, 100L), RunOptions.in(scope)));
    assertEquals(
        "Inner.__setstate__ restores a part of a module, which has been loaded",
        refused.fault().message());
  }

  @Test
  void whatAProgramRestoresItselfIsReadEachTime() {
    Plan plan =
        plan(run(), forward(Entries.named("aten::mul.int")), setter("__setstate__"), restore());
    assertEquals(17L, run(plan, 7));
    plan.run("M.restore", List.of(root, 100L), RunOptions.in(scope));
    assertEquals(107L, run(plan, 7));
  }

  @Test
  void anotherObjectIsTakenAsItIs() {
    Plan plan = plan(run(), forward(Entries.named("aten::mul.int")));
    assertEquals(17L, run(plan, 7));
    ObjectValue copy = new ObjectValue(root.layout());
    copy.set(0, other);
    copy.set(1, other);
    assertEquals(List.of(27L), plan.run("M.run", List.of(copy, 7L), RunOptions.in(scope)));
  }

  /** F7. */
  @Test
  void aFaultTellsTheWayAsIfAllHadBeenLookedAt() {
    Plan plan = plan(run(), forward(Entries.named("test::fail")));
    Fault fault = assertInstanceOf(Fault.class, run(plan, 7));
    assertEquals("failed with 7", fault.message());
    assertNotNull(fault.origin());
    assertEquals(
        List.of("M.run", "Inner.forward", "if true"),
        fault.path().stream().map(Fault.Frame::function).toList());
  }
}
