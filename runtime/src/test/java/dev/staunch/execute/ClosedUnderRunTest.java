package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Workers;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
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
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * M1: tensors that a run may touch can be closed under it at once; their memory goes back when the
 * run is done.
 */
@Timeout(60)
class ClosedUnderRunTest {
  private static final int ELEMENTS = 1000;
  private static final Type TENSOR = Type.Plain.TENSOR;

  private final OffHeap memory = OffHeap.withBudget(1 << 24);
  private final ResourceScope model = ResourceScope.open(memory, "model");
  private final ResourceScope request = ResourceScope.open(memory, "request");
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** What the test does while the kernel is using its operand. */
  private Runnable meanwhile = () -> {};

  private final Catalog catalog =
      StandardOperations.catalog().toBuilder()
          .one("test::touch(Tensor x) -> Tensor", this::touch)
          .one("test::touch_first(Tensor[] xs) -> Tensor", call -> touch(call, call.list(0).get(0)))
          .one(
              "test::touch_later(Tensor x) -> Tensor",
              call ->
                  call.environment()
                      .defer(() -> {
                        begun.countDown();
                        await(goOn);
                        return touch(call);
                      }))
          .build();

  private Object touch(Call call) {
    return touch(call, call.value(0));
  }

  /** Reads its operand and writes its result after both were closed. */
  private Object touch(Call call, Object operand) {
    MemorySegment operandBytes = ((DenseTensor) operand).segment();
    float[] before = operandBytes.toArray(ValueLayout.JAVA_FLOAT);
    DenseTensor made = (DenseTensor) call.allocate(DType.FLOAT32, Shape.of(ELEMENTS));
    meanwhile.run();
    List<DenseTensor> others = sevens();
    for (int i = 0; i < ELEMENTS; i++) {
      made.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, -666f);
    }
    if (!Arrays.equals(before, operandBytes.toArray(ValueLayout.JAVA_FLOAT))) {
      return Fault.internal("read what belongs to somebody else");
    }
    float[] expected = new float[ELEMENTS];
    Arrays.fill(expected, 7f);
    for (DenseTensor other : others) {
      if (!Arrays.equals(expected, HostTensors.toFloats(other))) {
        return Fault.internal("wrote what belongs to somebody else");
      }
    }
    return made;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Allocates tensors that reuse any freed memory of the right size. */
  private List<DenseTensor> sevens() {
    ResourceScope others = ResourceScope.open(memory, "others");
    float[] values = new float[ELEMENTS];
    Arrays.fill(values, 7f);
    return IntStream.range(0, 100)
        .mapToObj(i -> (DenseTensor) HostTensors.floats(others, Shape.of(ELEMENTS), values))
        .toList();
  }

  @AfterEach
  void nothingIsLeftOfRequestAndModel() {
    request.close();
    model.close();
    assertEquals(0, request.account().bytes());
    assertEquals(0, model.account().bytes());
    memory.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor tensor(ResourceScope scope) {
    return assertInstanceOf(
        DenseTensor.class, HostTensors.floats(scope, Shape.of(ELEMENTS), new float[ELEMENTS]));
  }

  private static Operation operation(Operator operator, List<Value> operands, Value result) {
    return new Operation(operator, operands, List.of(result));
  }

  private static Operation operation(String name, List<Value> operands, Value result) {
    return operation(Entries.named(name), operands, result);
  }

  private Plan plan(List<Value> parameters, List<Operation> operations) {
    return plan(Discipline.SEQUENTIAL, parameters, operations);
  }

  private Plan plan(Discipline discipline, List<Value> parameters, List<Operation> operations) {
    Value result = operations.getLast().results().getFirst();
    Function function =
        new Function(
            "f",
            new Block(parameters, operations, List.of(result)),
            List.of(result.type()),
            discipline,
            null);
    Program program = new Program(List.of(function));
    assertNull(Verifier.verify(program, operation -> null));
    return Plan.prepare(program, catalog);
  }

  private Object run(Plan plan, Object... arguments) {
    return plan.run("f", List.of(arguments), RunOptions.in(request)).getFirst();
  }

  /** {@code f(x)}: the result of the operation for {@code x}. */
  private Plan touching(String operation, Type type) {
    Value x = new Value("x", type);
    Value y = new Value("y", TENSOR);
    return plan(List.of(x), List.of(operation(operation, List.of(x), y)));
  }

  @Test
  void itsOwnScope() {
    meanwhile =
        () -> {
          request.close();
          assertEquals("request (closed): 7.8 KiB, held by f", request.account().toString());
        };
    DenseTensor x = tensor(request);
    DenseTensor made = assertInstanceOf(DenseTensor.class, run(touching("test::touch", TENSOR), x));
    assertTrue(made.isClosed());
    assertEquals(0, request.account().bytes());
  }

  @Test
  void anArgument() {
    DenseTensor x = tensor(model);
    meanwhile = x::close;
    assertInstanceOf(DenseTensor.class, run(touching("test::touch", TENSOR), x));
  }

  @Test
  void anArgumentInAList() {
    DenseTensor x = tensor(model);
    meanwhile = x::close;
    Plan plan = touching("test::touch_first", new Type.ListOf(TENSOR));
    assertInstanceOf(DenseTensor.class, run(plan, List.of(x)));
    assertEquals(0, model.account().bytes());
  }

  @Test
  void aConstant() {
    Value weight = new Value("w", TENSOR);
    Value y = new Value("y", TENSOR);
    DenseTensor constant = tensor(model);
    Plan plan =
        plan(
            List.of(),
            List.of(
                operation(new Structure.Constant(new Attribute.Dense(constant)), List.of(), weight),
                operation("test::touch", List.of(weight), y)));
    meanwhile = constant::close;
    assertInstanceOf(DenseTensor.class, run(plan));
    assertEquals(0, model.account().bytes());
    assertEquals(FaultType.CLOSED, assertInstanceOf(Fault.class, run(plan)).type());
  }

  @Test
  void theScopeOfAModule() {
    assertModuleIsKept(model::close, new ObjectValue(layout(), model));
  }

  @Test
  void aWeightOfAModule() {
    ObjectValue module = new ObjectValue(layout(), model);
    assertModuleIsKept(() -> ((DenseTensor) module.get(0)).close(), module);
  }

  @Test
  void aWeightOfAnObjectWithoutAScope() {
    ObjectValue module = new ObjectValue(layout());
    assertModuleIsKept(() -> ((DenseTensor) module.get(0)).close(), module);
  }

  private static ClassLayout layout() {
    return new ClassLayout("M", List.of("weight"));
  }

  private void assertModuleIsKept(Runnable closing, ObjectValue module) {
    DenseTensor kept = tensor(model);
    module.set(0, kept);
    meanwhile = closing;
    Value self = new Value("self", new Type.Class("M"));
    Value weight = new Value("weight", TENSOR);
    Value y = new Value("y", TENSOR);
    Plan plan =
        plan(
            List.of(self),
            List.of(
                operation(new Structure.GetAttribute("weight"), List.of(self), weight),
                operation("test::touch", List.of(weight), y)));
    assertInstanceOf(DenseTensor.class, run(plan, module));
    assertTrue(kept.isClosed());
    assertEquals(0, model.account().bytes());
  }

  /** The run is over by then, because it was cancelled. */
  @Test
  void whatWasPutOff() throws InterruptedException {
    CancelScope cancel = CancelScope.open();
    Value x = new Value("x", TENSOR);
    Value y = new Value("y", TENSOR);
    Operation touch = operation("test::touch_later", List.of(x), y);
    Plan plan = plan(Discipline.DATAFLOW, List.of(x), List.of(touch));
    try (Workers workers = Workers.of(1, "put-off")) {
      Thread canceller =
          Thread.ofVirtual()
              .start(() -> {
                await(begun);
                cancel.cancel("enough");
              });
      RunOptions options = RunOptions.in(request, cancel).withWorkers(workers);
      Object result = plan.run("f", List.of(tensor(request)), options).getFirst();
      canceller.join();
      request.close();
      goOn.countDown();
      workers.quiesce();
      assertInstanceOf(Fault.class, result);
    }
  }

  @Test
  void aClosedScopeIsRefused() {
    request.close();
    Fault refused =
        assertInstanceOf(Fault.class, run(touching("test::touch", TENSOR), tensor(model)));
    assertEquals(FaultType.CLOSED, refused.type());
    assertEquals("the scope request was closed before this use", refused.message());
  }
}
