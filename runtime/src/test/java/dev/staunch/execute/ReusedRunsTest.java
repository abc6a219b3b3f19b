package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Pending;
import dev.staunch.engine.Workers;
import dev.staunch.fault.Fault;
import dev.staunch.ir.Attribute;
import dev.staunch.ir.Block;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Function;
import dev.staunch.ir.Function.Discipline;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.ir.Verifier;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs, frames and calls are reused; no request may notice. */
class ReusedRunsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final CountDownLatch gate = new CountDownLatch(1);
  private final Value parameter = new Value("n", Type.Plain.INT);

  private final Catalog catalog =
      StandardOperations.catalog().toBuilder()
          .one("test::later(int a) -> int", call -> call.environment().defer(() -> call.value(0)))
          .one("test::gated(int a) -> int", call -> call.environment().defer(() -> gated(call)))
          .one(
              "test::odd(int a) -> int",
              call -> call.integer(0) % 2 == 0 ? Fault.value("even") : call.value(0))
          .build();

  private Object gated(Call call) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      return Fault.value("interrupted");
    }
    return call.value(0);
  }

  @AfterEach
  void nothingIsHeld() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private static Value emit(
      List<Operation> into, Operator operator, List<Block> blocks, Type type, Value... operands) {
    Value result = new Value("v", type);
    into.add(new Operation(operator, List.of(operands), List.of(result), blocks, null));
    return result;
  }

  private static Value call(List<Operation> into, String name, Value... operands) {
    return emit(into, Entries.named(name), List.of(), Type.Plain.INT, operands);
  }

  private static Value constant(List<Operation> into, long value) {
    return emit(
        into,
        new Structure.Constant(new Attribute.Int(value, Type.Plain.INT)),
        List.of(),
        Type.Plain.INT);
  }

  private Function function(
      String name, Discipline discipline, List<Operation> operations, Value... results) {
    return new Function(
        name,
        new Block(List.of(parameter), operations, List.of(results)).isolated(handed -> {}),
        Collections.nCopies(results.length, Type.Plain.INT),
        discipline,
        null);
  }

  private Plan plan(Function function) {
    Program program = new Program(List.of(function));
    assertNull(Verifier.verify(program, operation -> null));
    return Plan.prepare(program, catalog);
  }

  /** {@code f(n) = n if n <= 0 else n + f(n - 1)}. */
  private Plan sums() {
    List<Operation> operations = new ArrayList<>();
    Value zero = constant(operations, 0);
    Value done =
        emit(
            operations, Entries.named("aten::le.int"), List.of(), Type.Plain.BOOL, parameter, zero);
    List<Operation> rest = new ArrayList<>();
    Value less = call(rest, "aten::sub.int", parameter, constant(rest, 1));
    Value inner = emit(rest, new Structure.CallFunction("f"), List.of(), Type.Plain.INT, less);
    Value sum = call(rest, "aten::add.int", parameter, inner);
    Block stop = new Block(List.of(), List.of(), List.of(parameter));
    Block go = new Block(List.of(), rest, List.of(sum));
    Value result = emit(operations, Structure.Plain.IF, List.of(stop, go), Type.Plain.INT, done);
    return plan(function("f", Discipline.SEQUENTIAL, operations, result));
  }

  @Test
  void aFunctionThatCallsItselfHasRegistersForEachCall() {
    Plan plan = sums();
    for (long n = 0; n < 100; n++) {
      assertEquals(n * (n + 1) / 2, plan.run("f", List.of(n), RunOptions.in(scope)).get(0));
    }
  }

  @Test
  void tooDeepARecursionLeavesTheNextRequestAlone() {
    Plan plan = sums();
    for (int i = 0; i < 3; i++) {
      assertInstanceOf(Fault.class, plan.run("f", List.of(1000L), RunOptions.in(scope)).get(0));
      assertEquals(5050L, plan.run("f", List.of(100L), RunOptions.in(scope)).get(0));
    }
  }

  @Test
  void eachOfManyThreadsGetsItsOwnSums() throws Exception {
    Plan plan = sums();
    try (Workers workers = Workers.of(8, "reused-runs")) {
      List<Pending> threads = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        long n = thread + 1L;
        threads.add(
            workers.submit(() -> {
              for (int i = 0; i < 2000; i++) {
                Object sum = plan.run("f", List.of(n), RunOptions.in(scope)).get(0);
                if (!sum.equals(n * (n + 1) / 2)) {
                  return Fault.value("got " + sum + " for " + n);
                }
              }
              return "done";
            }));
      }
      for (Pending thread : threads) {
        assertEquals("done", thread.await(CancelScope.open()));
      }
    }
  }

  @Test
  void workThatWasPutOffStillSeesItsOwnArguments() {
    List<Operation> operations = new ArrayList<>();
    Value[] results = new Value[6];
    for (int i = 0; i < results.length; i++) {
      Value number = call(operations, "aten::add.int", parameter, constant(operations, i));
      results[i] = call(operations, i == 0 ? "test::gated" : "test::later", number);
    }
    List<Operation> opening = new ArrayList<>(operations);
    Plan plan = plan(function("f", Discipline.DATAFLOW, opening, results));
    try (Workers workers = Workers.of(1, "reused-runs")) {
      RunOptions options =
          RunOptions.in(scope)
              .withWorkers(workers)
              .withInterceptor((name, arguments, source) -> {
                if (arguments[0].equals(15L)) {
                  gate.countDown(); // the last one: all others wait behind the first
                }
                return null;
              });
      assertEquals(List.of(10L, 11L, 12L, 13L, 14L, 15L), plan.run("f", List.of(10L), options));
      assertEquals(List.of(20L, 21L, 22L, 23L, 24L, 25L), plan.run("f", List.of(20L), options));
    }
  }

  @Test
  void aFaultLeavesNothingForTheNextRequest() {
    List<Operation> operations = new ArrayList<>();
    Value odd = call(operations, "test::odd", parameter);
    Plan plan =
        plan(
            function(
                "f",
                Discipline.DATAFLOW,
                operations,
                odd,
                call(operations, "aten::mul.int", odd, odd)));
    for (long n = 0; n < 10; n++) {
      List<Object> results = plan.run("f", List.of(n), RunOptions.in(scope));
      if (n % 2 == 0) {
        Fault fault = assertInstanceOf(Fault.class, results.get(1));
        assertEquals(1, fault.reach().skipped());
        assertEquals("test::odd", fault.operation());
      } else {
        assertEquals(List.of(n, n * n), results);
      }
    }
  }
}
