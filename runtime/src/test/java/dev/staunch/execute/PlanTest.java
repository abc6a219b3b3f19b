package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Workers;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
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
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The executor's one rule for faulted, pending and cancelled operands, in both disciplines. */
class PlanTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final List<Operation> operations = new ArrayList<>();

  private final Catalog catalog =
      StandardOperations.catalog().toBuilder()
          .one("test::fail() -> int", call -> Fault.value("failed"))
          .many("test::half() -> (int, int)", call -> new Object[] {1L, Fault.value("half")})
          .one("test::later(int a) -> int", call -> call.environment().defer(() -> call.value(0)))
          .one(
              "test::later_thread() -> int",
              call -> call.environment().defer(() -> Thread.currentThread().threadId()))
          .one("test::later_lie(int a) -> int", call -> call.environment().defer(() -> true))
          .one(
              "test::later_fail() -> int",
              call -> call.environment().defer(() -> Fault.value("late")))
          .none(
              "test::until_stopped() -> ()",
              call -> {
                Fault stop = call.environment().cancelled();
                while (stop == null) {
                  Thread.onSpinWait();
                  stop = call.environment().cancelled();
                }
                return stop;
              })
          .none(
              "test::cancel() -> ()",
              call -> {
                call.environment().cancel("enough");
                return null;
              })
          .build();

  private Value emit(String name, Value... operands) {
    Value result = new Value("v", Type.Plain.INT);
    operations.add(new Operation(Entries.named(name), List.of(operands), List.of(result)));
    return result;
  }

  private Value constant(long value) {
    Value result = new Value("c", Type.Plain.INT);
    operations.add(
        new Operation(
            new Structure.Constant(new Attribute.Int(value, Type.Plain.INT)),
            List.of(),
            List.of(result)));
    return result;
  }

  private void none(String name) {
    operations.add(new Operation(Entries.named(name), List.of(), List.of()));
  }

  private Function function(
      String name, Function.Discipline discipline, List<Value> parameters, Value... results) {
    return new Function(
        name,
        new Block(parameters, operations, List.of(results)).isolated(handed -> {}),
        Collections.nCopies(results.length, Type.Plain.INT),
        discipline,
        null);
  }

  private List<Object> run(Function.Discipline discipline, RunOptions options, Value... results) {
    Function function = function("f", discipline, List.of(), results);
    Program program = new Program(List.of(function));
    assertNull(Verifier.verify(program, operation -> null));
    return Plan.prepare(program, catalog).run("f", List.of(), options);
  }

  private List<Object> dataflow(Value... results) {
    return run(Function.Discipline.DATAFLOW, RunOptions.in(scope), results);
  }

  @Test
  void aFaultReachesExactlyItsDependentsAsTheSameObject() {
    Value bad = emit("test::fail");
    Value one = constant(1);
    Value worse = emit("aten::add.int", bad, one);
    Value worst = emit("aten::mul.int", worse, worse);
    Value fine = emit("aten::add.int", one, one);
    List<Object> results = dataflow(bad, worst, fine);
    assertInstanceOf(Fault.class, results.get(0));
    assertSame(results.get(0), results.get(1));
    assertEquals(2L, results.get(2));
  }

  @Test
  void anOperationMayProduceSomeResultsAndFaultOthers() {
    Value good = new Value("good", Type.Plain.INT);
    Value bad = new Value("bad", Type.Plain.INT);
    operations.add(new Operation(Entries.named("test::half"), List.of(), List.of(good, bad)));
    Value next = emit("aten::add.int", good, good);
    List<Object> results = dataflow(next, bad);
    assertEquals(2L, results.get(0));
    assertEquals("half", assertInstanceOf(Fault.class, results.get(1)).message());
  }

  @Test
  void inASequentialFunctionTheFirstFaultEndsIt() {
    emit("test::fail");
    Value fine = constant(1);
    List<Object> results = run(Function.Discipline.SEQUENTIAL, RunOptions.in(scope), fine);
    Fault fault = assertInstanceOf(Fault.class, results.get(0));
    assertEquals("test::fail", fault.operation());
    assertEquals("f", fault.path().get(0).function());
  }

  @Test
  void anInputsFaultOutranksTheCancellationAndWhatWasStays() {
    Value one = constant(1);
    Value before = emit("aten::add.int", one, one);
    Value bad = emit("test::fail");
    none("test::cancel");
    Value after = emit("aten::add.int", one, one);
    Value outranked = emit("aten::add.int", bad, one);
    List<Object> results = dataflow(before, after, outranked);
    assertEquals(2L, results.get(0));
    assertEquals(FaultType.CANCELLED, assertInstanceOf(Fault.class, results.get(1)).type());
    assertEquals("failed", assertInstanceOf(Fault.class, results.get(2)).message());
  }

  @RepeatedTest(50)
  void valuesThatArriveLaterGiveTheSameOnAnyNumberOfWorkers() {
    Value sum = constant(0);
    for (int i = 0; i < 20; i++) {
      sum = emit("aten::add.int", emit("test::later", constant(i)), sum);
    }
    Value bad = emit("aten::add.int", emit("test::later_fail"), sum);
    for (int count = 1; count <= 4; count++) {
      try (Workers workers = Workers.of(count, "plan-test")) {
        List<Object> results =
            run(Function.Discipline.DATAFLOW, RunOptions.in(scope).withWorkers(workers), sum, bad);
        assertEquals(190L, results.get(0));
        Fault fault = assertInstanceOf(Fault.class, results.get(1));
        assertEquals("late", fault.message());
        assertEquals("test::later_fail", fault.operation());
      }
    }
  }

  /** S3: the operation that uses it is not blamed. */
  @Test
  void aLateValueOfAnotherTypeIsTheFaultOfItsOwnKernel() {
    for (Function.Discipline discipline : Function.Discipline.values()) {
      operations.clear();
      Value late = emit("test::later_lie", constant(1));
      Value victim = emit("aten::neg.int", late);
      Fault fault =
          assertInstanceOf(Fault.class, run(discipline, RunOptions.in(scope), victim).get(0));
      assertEquals(
          "the kernel of test::later_lie returned bool where its schema says int", fault.message());
      assertEquals("test::later_lie", fault.operation());
      assertEquals("f", fault.path().get(0).function());
    }
  }

  /** A script continues once it has the value. */
  @Test
  void inASequentialFunctionWhatAKernelPutsOffIsDoneAtOnce() {
    Value late = emit("test::later", constant(5));
    Value thread = emit("test::later_thread");
    try (Workers workers = Workers.of(1, "plan-test")) {
      RunOptions options = RunOptions.in(scope).withWorkers(workers);
      assertEquals(
          List.of(5L, Thread.currentThread().threadId()),
          run(Function.Discipline.SEQUENTIAL, options, late, thread));
    }
  }

  /** F2. */
  @Test
  void aSequentialFunctionDoesNotRunWithAFaultedArgument() {
    List<String> printed = new ArrayList<>();
    Value x = new Value("x", Type.Plain.INT);
    operations.add(new Operation(Structure.Plain.PRINT, List.of(), List.of()));
    Function function = function("g", Function.Discipline.SEQUENTIAL, List.of(x), x);
    Fault given = Fault.value("given");
    RunOptions options = RunOptions.in(scope).withOutput(printed::add);
    Plan plan = Plan.prepare(new Program(List.of(function)), catalog);
    assertSame(given, plan.run("g", List.of(given), options).get(0));
    assertEquals(List.of(), printed);
    assertEquals(2L, plan.run("g", List.of(2L), options).get(0));
    assertEquals(List.of(""), printed);
  }

  /** The arguments arrive later, or not at all. */
  @Test
  void aDataflowFunctionCallsASequentialOneWhenItsArgumentsAreThere() {
    Value x = new Value("x", Type.Plain.INT);
    Value doubled = emit("aten::add.int", x, x);
    Function script = function("g", Function.Discipline.SEQUENTIAL, List.of(x), doubled);
    operations.clear();
    Value late = callG(emit("test::later", constant(21)));
    Value bad = callG(emit("test::later_fail"));
    Function caller = function("f", Function.Discipline.DATAFLOW, List.of(), late, bad);
    Program program = new Program(List.of(script, caller));
    assertNull(Verifier.verify(program, operation -> null));
    try (Workers workers = Workers.of(2, "plan-test")) {
      RunOptions options = RunOptions.in(scope).withWorkers(workers);
      List<Object> results = Plan.prepare(program, catalog).run("f", List.of(), options);
      assertEquals(42L, results.get(0));
      assertEquals("late", assertInstanceOf(Fault.class, results.get(1)).message());
    }
  }

  /** S2: a script does not wait. */
  @Test
  void aSequentialFunctionThatCallsADataflowOneIsRefused() {
    Value x = new Value("x", Type.Plain.INT);
    Function callee = function("g", Function.Discipline.DATAFLOW, List.of(x), x);
    operations.clear();
    Value called = callG(constant(1));
    Function caller = function("f", Function.Discipline.SEQUENTIAL, List.of(), called);
    Fault fault = Verifier.verify(new Program(List.of(callee, caller)), operation -> null);
    assertEquals(
        "g gives values that arrive later, for which a script does not wait",
        assertInstanceOf(Fault.class, fault).message());
  }

  private Value callG(Value argument) {
    Value result = new Value("called", Type.Plain.INT);
    operations.add(
        new Operation(new Structure.CallFunction("g"), List.of(argument), List.of(result)));
    return result;
  }

  @Test
  void anEndlessLoopStopsAtItsDeadline() {
    Value most = constant(Long.MAX_VALUE);
    Value always = new Value("always", Type.Plain.BOOL);
    operations.add(
        new Operation(
            new Structure.Constant(new Attribute.Bool(true)), List.of(), List.of(always)));
    Value trip = new Value("i", Type.Plain.INT);
    operations.add(
        new Operation(
            Structure.Plain.LOOP,
            List.of(most, always),
            List.of(),
            List.of(new Block(List.of(trip), List.of(), List.of(always))),
            null));
    RunOptions options =
        RunOptions.in(scope).withCancel(CancelScope.withDeadline(Duration.ofMillis(50)));
    Object result = run(Function.Discipline.SEQUENTIAL, options, most).get(0);
    Fault fault = assertInstanceOf(Fault.class, result);
    assertEquals(FaultType.DEADLINE_EXCEEDED, fault.type());
    assertTrue(fault.message().startsWith("the deadline of 50 ms passed"), fault::message);
  }

  /** C5: the fault says which operation took the time. */
  @Test
  void aDeadlineNamesTheOperationThatTookTheTime() {
    none("test::until_stopped");
    Value after = constant(1);
    Fault fault;
    long budget = 20; // on a busy machine the budget may be spent before the operation begins
    do {
      budget *= 2;
      RunOptions options =
          RunOptions.in(scope).withCancel(CancelScope.withDeadline(Duration.ofMillis(budget)));
      Object result = run(Function.Discipline.SEQUENTIAL, options, after).get(0);
      fault = assertInstanceOf(Fault.class, result);
      assertEquals(FaultType.DEADLINE_EXCEEDED, fault.type());
    } while (!fault.message().contains("not finished: test::until_stopped ("));
  }

  /** F11, C3: both for an immediate fault and for one of deferred work that something waits for. */
  @Test
  void aListenerThatThrowsHearsOfEachFaultAndDisturbsNobody() {
    AtomicInteger told = new AtomicInteger();
    RunOptions options =
        RunOptions.in(scope)
            .withFaultListener(fault -> {
              told.incrementAndGet();
              throw new IllegalStateException("from the listener");
            });
    Value now = emit("test::fail");
    Value late = emit("test::later_fail");
    Value after = emit("aten::neg.int", late);
    Value one = constant(1);
    List<Object> results = run(Function.Discipline.DATAFLOW, options, now, after, one);
    assertEquals("failed", assertInstanceOf(Fault.class, results.get(0)).message());
    assertEquals("late", assertInstanceOf(Fault.class, results.get(1)).message());
    assertEquals(1L, results.get(2));
    assertEquals(2, told.get());
    assertThrows(NullPointerException.class, () -> options.withFaultListener(null));
    assertThrows(NullPointerException.class, () -> options.withOutput(null));
  }

  @Test
  void anArgumentMayBeClosedWhileItIsUsedAndAClosedOneIsATypedFault() {
    Value x = new Value("x", Type.Plain.TENSOR);
    Value y = new Value("y", Type.Plain.TENSOR);
    Operation relu = new Operation(Entries.named("aten::relu"), List.of(x), List.of(y));
    Function function =
        new Function(
            "g",
            new Block(List.of(x), List.of(relu), List.of(y)),
            List.of(Type.Plain.TENSOR),
            Function.Discipline.SEQUENTIAL,
            null);
    Plan plan = Plan.prepare(new Program(List.of(function)), catalog);
    ResourceScope callers = ResourceScope.open(memory, "caller");
    DenseTensor input = (DenseTensor) HostTensors.floats(callers, Shape.of(2), -1, 2);
    RunOptions closing =
        RunOptions.in(scope)
            .withInterceptor((name, arguments, source) -> {
              input.close();
              return null;
            });
    Object result = plan.run("g", List.of(input), closing).get(0);
    assertEquals(2, HostTensors.toFloats(assertInstanceOf(DenseTensor.class, result))[1]);
    Object closed = plan.run("g", List.of(input), RunOptions.in(scope)).get(0);
    Fault fault = assertInstanceOf(Fault.class, closed);
    assertEquals(FaultType.CLOSED, fault.type());
    assertTrue(fault.message().contains("float32[2]"), fault.message());
    scope.close();
    callers.close();
    assertEquals(0, memory.account().bytes());
  }
}
