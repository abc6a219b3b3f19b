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
import dev.staunch.ir.Value;
import dev.staunch.ir.Verifier;
import dev.staunch.kernel.Sample;
import dev.staunch.kernel.UntidyKernels;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryMetrics;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** M4: tensors that a user's kernel made before it failed in a program are freed in that step. */
class FailedKernelPlanTest {
  /** Who runs deferred work. */
  enum Threads {
    NONE,
    ONE,
    FOUR
  }

  /** A kernel and how it is run. */
  record Case(String name, int results, Discipline discipline, Threads threads) {}

  private final OffHeap memory = OffHeap.withBudget(64 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final ResourceScope elsewhere = ResourceScope.open(memory, "elsewhere");
  private final UntidyKernels kernels = new UntidyKernels();
  private final DenseTensor x =
      assertInstanceOf(DenseTensor.class, HostTensors.floats(scope, Shape.of(4), 1, 2, 3, 4));

  @BeforeEach
  void handOver() {
    kernels.handOverTo(elsewhere);
  }

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    elsewhere.close();
    assertEquals(0, memory.account().bytes());
  }

  static Stream<Case> failing() {
    return Stream.concat(
            UntidyKernels.failingOnes()
                .map(name -> new Case(name, 1, Discipline.DATAFLOW, Threads.NONE)),
            UntidyKernels.failingPairs()
                .map(name -> new Case(name, 2, Discipline.DATAFLOW, Threads.NONE)))
        .flatMap(FailedKernelPlanTest::inAllWays);
  }

  private static Stream<Case> inAllWays(Case one) {
    return Stream.of(Discipline.values())
        .flatMap(discipline ->
            Stream.of(Threads.values())
                .map(threads -> new Case(one.name, one.results, discipline, threads)));
  }

  /** {@code f(x)} calls the kernel twice, the second time with the square of {@code x}. */
  private Plan plan(Case one) {
    Value parameter = new Value("x", Type.Plain.TENSOR);
    Value square = new Value("square", Type.Plain.TENSOR);
    List<Operation> operations = new ArrayList<>();
    List<Value> results = new ArrayList<>(call(operations, one, parameter));
    operations.add(operation("aten::mul.Tensor", List.of(parameter, parameter), List.of(square)));
    results.addAll(call(operations, one, square));
    Function function =
        new Function(
            "f",
            new Block(List.of(parameter), operations, results),
            results.stream().map(Value::type).toList(),
            one.discipline,
            null);
    Program program = new Program(List.of(function));
    assertNull(Verifier.verify(program, operation -> null));
    return Plan.prepare(program, kernels.addTo(StandardOperations.catalog().toBuilder()).build());
  }

  private static List<Value> call(List<Operation> into, Case one, Value operand) {
    List<Value> results =
        IntStream.range(0, one.results)
            .mapToObj(i -> new Value("r" + i, Type.Plain.TENSOR))
            .toList();
    into.add(operation("test::" + one.name, List.of(operand), results));
    return results;
  }

  private static Operation operation(String name, List<Value> operands, List<Value> results) {
    return new Operation(Entries.named(name), operands, results);
  }

  private List<Object> run(Plan plan, ResourceScope request, Case one) {
    RunOptions options = RunOptions.in(request);
    if (one.threads == Threads.NONE) {
      return plan.run("f", List.of(x), options);
    }
    try (Workers workers = Workers.of(one.threads == Threads.ONE ? 1 : 4, "failed-kernel")) {
      return plan.run("f", List.of(x), options.withWorkers(workers));
    }
  }

  @ParameterizedTest
  @MethodSource("failing")
  void m4NothingIsLeftOfAKernelThatFailed(Case one) {
    Plan plan = plan(one);
    for (int i = 0; i < 3; i++) {
      try (ResourceScope request = ResourceScope.open(memory, "request")) {
        run(plan, request, one).forEach(each -> assertInstanceOf(Fault.class, each));
        kernels.assertAllGivenBack();
        kernels.clear();
        assertEquals(0, request.account().bytes());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofWhatAKernelMadeThatSucceededItsResultStays(Threads threads) {
    for (Discipline discipline : Discipline.values()) {
      for (String name : List.of("succeeds", "succeeds_later")) {
        Case one = new Case(name, 1, discipline, threads);
        try (ResourceScope request = ResourceScope.open(memory, "request")) {
          for (Object result : run(plan(one), request, one)) {
            DenseTensor made = assertInstanceOf(DenseTensor.class, result);
            assertFalse(made.isClosed());
            assertEquals(request, made.scope());
          }
          kernels.assertNothingButResultsIsLeft(2);
          kernels.clear();
        }
      }
    }
  }

  /** F5. */
  @ParameterizedTest
  @EnumSource
  void aGoodResultBesideAFaultIsGood(Threads threads) {
    for (String name : List.of("half", "half_later")) {
      Case one = new Case(name, 2, Discipline.DATAFLOW, threads);
      try (ResourceScope request = ResourceScope.open(memory, "request")) {
        List<Object> results = run(plan(one), request, one);
        for (Object good : name.equals("half") ? results.subList(0, 1) : results.subList(1, 2)) {
          assertFalse(assertInstanceOf(DenseTensor.class, good).isClosed());
        }
        kernels.assertNothingButResultsIsLeft(2);
        kernels.clear();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void m4ManyFailuresLeaveTheAccountFlat(Discipline discipline) {
    Case one = new Case("throws", 1, discipline, Threads.NONE);
    Plan plan = plan(one);
    long held = memory.account().bytes();
    for (int i = 0; i < (Sample.whole() ? 100_000 : 20_000); i++) {
      try (ResourceScope request = ResourceScope.open(memory, "request")) {
        run(plan, request, one).forEach(each -> assertInstanceOf(Fault.class, each));
        kernels.clear();
        assertEquals(0, request.account().bytes());
      }
    }
    assertEquals(held, memory.account().bytes());
    MemoryMetrics now = memory.metrics();
    long freed = now.freedExplicitly() + now.freedByScope() + now.freedByReaper();
    assertEquals(1, now.creations() - freed, "x");
  }
}
