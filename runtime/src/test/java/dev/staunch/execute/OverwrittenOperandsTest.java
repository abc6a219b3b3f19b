package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

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
import dev.staunch.kernel.Interceptor;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A pointwise operation overwrites an operand that nothing reads after it. */
class OverwrittenOperandsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 24);
  private final ResourceScope caller = ResourceScope.open(memory, "caller");
  private final DenseTensor two = filled(Shape.of(2, 2), 2);
  private final Value x = new Value("x", Type.Plain.TENSOR);
  private final List<Operation> operations = new ArrayList<>();

  @AfterEach
  void everyByteGoesBack() {
    caller.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor filled(Shape shape, float value) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(caller, DType.FLOAT32, shape);
    for (long i = 0; i < shape.elements(); i++) {
      tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
    }
    return tensor;
  }

  private Value call(String name, Value... operands) {
    Value result = new Value("v", Type.Plain.TENSOR);
    operations.add(new Operation(Entries.named(name), List.of(operands), List.of(result)));
    return result;
  }

  private Value square() {
    return call("aten::mul.Tensor", x, x);
  }

  private Plan plan(Value result) {
    Block body = new Block(List.of(x), operations, List.of(result));
    List<Type> types = List.of(Type.Plain.TENSOR);
    Function run = new Function("run", body, types, Function.Discipline.SEQUENTIAL, null);
    Program program = new Program(List.of(run));
    assertNull(Verifier.verify(program, operation -> null));
    return Plan.prepare(program, StandardOperations.catalog());
  }

  private static float first(DenseTensor tensor) {
    return tensor.segment().getAtIndex(ValueLayout.JAVA_FLOAT, 0);
  }

  private float run(Plan plan, DenseTensor argument) {
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      return first(result(plan, argument, RunOptions.in(scope)));
    }
  }

  private static DenseTensor result(Plan plan, DenseTensor argument, RunOptions options) {
    List<Object> results = plan.run("run", List.of(argument), options);
    return assertInstanceOf(DenseTensor.class, results.getFirst());
  }

  /** How many tensors a run of {@code plan} makes. */
  private long made(Plan plan, DenseTensor argument) {
    long before = memory.metrics().creations();
    run(plan, argument);
    return memory.metrics().creations() - before;
  }

  @Test
  void aChainOfThemTakesOneTensor() {
    Value square = square();
    Plan one = plan(square);
    Plan chain = plan(call("aten::neg", call("aten::neg", call("aten::relu", square))));
    assertEquals(4, run(chain, two));
    assertEquals(made(one, two), made(chain, two));
  }

  @Test
  void soDoesOneOfLargeTensors() {
    DenseTensor large = filled(Shape.of(300, 300), 2);
    Value square = square();
    Plan one = plan(square);
    Plan chain = plan(call("aten::neg", call("aten::neg", square)));
    assertEquals(4, run(chain, large));
    assertEquals(made(one, large), made(chain, large));
  }

  @Test
  void theCallersTensorsStayAsTheyAre() {
    assertEquals(-2, run(plan(call("aten::neg", x)), two));
    assertEquals(2, first(two));
  }

  @Test
  void whatIsReadLaterStaysAsItIs() {
    Value square = square();
    assertEquals(-16, run(plan(call("aten::mul.Tensor", call("aten::neg", square), square)), two));
  }

  @Test
  void soDoesWhatIsReadThroughAView() {
    Value square = square();
    Value view = call("aten::t", square);
    assertEquals(-16, run(plan(call("aten::mul.Tensor", call("aten::neg", square), view)), two));
  }

  @Test
  void anOperandThatRepeatsIsNotOverwritten() {
    Value row = call("aten::select.int", x, integer(0), integer(0));
    Value doubled = call("aten::neg", call("aten::neg", row));
    assertEquals(4, run(plan(call("aten::mul.Tensor", doubled, x)), two));
  }

  private Value integer(long value) {
    Value result = new Value("i", Type.Plain.INT);
    Attribute attribute = new Attribute.Int(value, Type.Plain.INT);
    operations.add(new Operation(new Structure.Constant(attribute), List.of(), List.of(result)));
    return result;
  }

  @Test
  void anOperationOfAnotherDtypeHasATensorOfItsOwn() {
    Value square = square();
    Plan one = plan(square);
    Plan compared = plan(call("aten::logical_not", square));
    assertEquals(made(one, two) + 1, made(compared, two));
  }

  @Test
  void whoWatchesFindsTheOperandsAsTheyWere() {
    Plan plan = plan(call("aten::neg", square()));
    List<Float> seen = new ArrayList<>();
    Interceptor watching =
        new Interceptor() {
          @Override
          public Object before(String operation, Object[] arguments, SourceLocation source) {
            return null;
          }

          @Override
          public void after(
              String operation, Object[] arguments, Object outcome, SourceLocation source) {
            seen.add(first((DenseTensor) arguments[0]));
          }
        };
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      assertEquals(-4, first(result(plan, two, RunOptions.in(scope).withInterceptor(watching))));
    }
    assertEquals(List.of(2f, 4f), seen);
  }
}
