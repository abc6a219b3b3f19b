package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.engine.Workers;
import dev.staunch.fault.Fault;
import dev.staunch.ir.Block;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Function;
import dev.staunch.ir.Function.Discipline;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.ir.Verifier;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * M1: work that a kernel defers still finds its operands, although nothing else reads them any
 * more.
 */
class PutOffOperandTest {
  private static final Type TENSOR = Type.Plain.TENSOR;

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final CountDownLatch released = new CountDownLatch(1);
  private final Catalog catalog =
      StandardOperations.catalog().toBuilder()
          .one("test::sum_later(Tensor x) -> float", call -> later(call))
          .many(
              "test::sums_later(Tensor x) -> (float, float)",
              call -> new Object[] {later(call), later(call)})
          .one(
              "test::itself_later(Tensor(a) x) -> Tensor(a)",
              call ->
                  call.environment()
                      .defer(() -> awaitRelease() ? call.value(0) : Fault.value("late")))
          .none(
              "test::released() -> ()",
              call -> {
                released.countDown();
                return null;
              })
          .build();

  /** The sum of the operand, computed once a later step has run. */
  private Object later(Call call) {
    return call.environment()
        .defer(() -> {
          DenseTensor operand = call.tensor(0);
          return awaitRelease() && !operand.isClosed() ? sum(operand) : Fault.value("closed");
        });
  }

  private boolean awaitRelease() {
    try {
      return released.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static double sum(DenseTensor tensor) {
    double sum = 0;
    for (float value : assertInstanceOf(float[].class, HostTensors.toFloats(tensor))) {
      sum += value;
    }
    return sum;
  }

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private static Value value(String name, Type type) {
    return new Value(name, type);
  }

  private static Operation operation(String name, List<Value> operands, Value... results) {
    return new Operation(Entries.named(name), operands, List.of(results));
  }

  /**
   * {@code f(x)}: the result of {@code use} for the square of {@code x}, which is not read again.
   */
  private static Function function(Operation use, Value square) {
    Value x = value("x", TENSOR);
    List<Operation> operations =
        List.of(
            operation("aten::mul.Tensor", List.of(x, x), square),
            use,
            operation("test::released", List.of()));
    return new Function(
        "f",
        new Block(List.of(x), operations, use.results()),
        use.results().stream().map(Value::type).toList(),
        Discipline.DATAFLOW,
        null);
  }

  private List<Object> run(DenseTensor x, Function... functions) {
    Program program = new Program(List.of(functions));
    assertNull(Verifier.verify(program, operation -> null));
    try (Workers workers = Workers.of(2, "put-off")) {
      RunOptions options = RunOptions.in(scope).withWorkers(workers);
      return Plan.prepare(program, catalog).run("f", List.of(x), options);
    }
  }

  private DenseTensor x() {
    return assertInstanceOf(DenseTensor.class, HostTensors.floats(scope, Shape.of(3), 1, 2, 3));
  }

  private void assertSums(Function... functions) {
    DenseTensor x = x();
    long held = scope.account().bytes();
    run(x, functions).forEach(result -> assertEquals(14.0, result));
    assertEquals(held, scope.account().bytes(), "given back once that is through");
  }

  @Test
  void anOperandOutlivesItsLastStep() {
    Value square = value("square", TENSOR);
    Value sum = value("sum", Type.Plain.FLOAT);
    assertSums(function(operation("test::sum_later", List.of(square), sum), square));
  }

  @Test
  void anOperandOfSeveralResultsDoes() {
    Value square = value("square", TENSOR);
    Value first = value("first", Type.Plain.FLOAT);
    Value second = value("second", Type.Plain.FLOAT);
    Operation use = operation("test::sums_later", List.of(square), first, second);
    assertSums(function(use, square));
  }

  /** The caller owns the operand, and does not see what the called function defers. */
  @Test
  void anOperandThatWasHandedToAFunctionDoes() {
    Value y = value("y", TENSOR);
    Value late = value("late", Type.Plain.FLOAT);
    Function inner =
        new Function(
            "g",
            new Block(
                List.of(y), List.of(operation("test::sum_later", List.of(y), late)), List.of(late)),
            List.of(Type.Plain.FLOAT),
            Discipline.DATAFLOW,
            null);
    Value square = value("square", TENSOR);
    Value sum = value("sum", Type.Plain.FLOAT);
    Operation use = new Operation(new Structure.CallFunction("g"), List.of(square), List.of(sum));
    assertSums(function(use, square), inner);
  }

  /** The deferred value may be the operand itself; the result is a tensor of its own. */
  @Test
  void aResultThatIsTheOperandOutlivesIt() {
    Value square = value("square", TENSOR);
    Value same = value("same", TENSOR);
    Operation use = operation("test::itself_later", List.of(square), same);
    Object result = run(x(), function(use, square)).get(0);
    DenseTensor left = assertInstanceOf(DenseTensor.class, result);
    assertFalse(left.isClosed());
    assertEquals(14.0, sum(left));
  }
}
