package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staunch.engine.Processors;
import dev.staunch.fault.Fault;
import dev.staunch.ir.Block;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Function;
import dev.staunch.ir.Function.Discipline;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Program;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.Type;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which processors a request counts as its own. */
class SharedProcessorsTest {
  private final AtomicInteger requests = new AtomicInteger();
  private final Catalog catalog =
      StandardOperations.catalog().toBuilder()
          .one("test::before(int a) -> int", this::sharedByAnother)
          .one("test::shared(int a) -> int", SharedProcessorsTest::shared)
          .build();

  /**
   * From the second request on, runs work for another caller: a fault if a helper joins it, else
   * the argument.
   */
  private Object sharedByAnother(Call call) {
    Thread caller = Thread.currentThread();
    Fault helped =
        requests.incrementAndGet() < 2
            ? null
            : Processors.ofProcess()
                .run(
                    200,
                    1,
                    (first, end) -> {
                      LockSupport.parkNanos(20_000);
                      return caller.equals(Thread.currentThread()) ? null : Fault.value("helped");
                    });
    return helped == null ? call.value(0) : helped;
  }

  private static Object shared(Call call) {
    Fault fault = call.environment().parallel(2, 1, (first, end) -> null);
    return fault == null ? call.value(0) : fault;
  }

  private Plan plan() {
    Value given = new Value("n", Type.Plain.INT);
    Value between = new Value("v", Type.Plain.INT);
    Value result = new Value("r", Type.Plain.INT);
    List<Operation> operations =
        List.of(
            operation("test::before", given, between), operation("test::shared", between, result));
    Block block = new Block(List.of(given), operations, List.of(result)).isolated(handed -> {});
    Function function =
        new Function("f", block, List.of(Type.Plain.INT), Discipline.SEQUENTIAL, null);
    return Plan.prepare(new Program(List.of(function)), catalog);
  }

  private static Operation operation(String name, Value operand, Value result) {
    return new Operation(Entries.named(name), List.of(operand), List.of(result), List.of(), null);
  }

  /** All processors but two have callers; the request and the other caller need those two. */
  @Test
  void aRequestLikeTheLastOneHasItsProcessorFromItsBeginning() {
    int processors = Runtime.getRuntime().availableProcessors();
    assumeTrue(processors > 1);
    List<Processors.Caller> others =
        IntStream.range(2, processors).mapToObj(i -> Processors.ofProcess().caller()).toList();
    try (ResourceScope scope = ResourceScope.open(OffHeap.withBudget(1 << 20), "test")) {
      Plan plan = plan();
      for (Processors.Caller other : others) {
        assertNull(other.run(2, 1, (first, end) -> null));
      }
      for (int i = 0; i < 2; i++) {
        assertEquals(List.of(7L), plan.run("f", List.of(7L), RunOptions.in(scope)));
      }
    } finally {
      others.forEach(Processors.Caller::leave);
    }
  }
}
