package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.KernelBench;
import dev.staunch.kernel.standard.StandardOperations;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A built-in kernel in the middle of its work stops when its scope is cancelled (C3). */
@Timeout(60)
class RunningKernelCancelTest {
  /** An operation, and a call of it that polls for cancellation more than once. */
  record Case(String operation, Function<Context, Tensor> call) {
    @Override
    public String toString() {
      return operation;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("aten::mm", in -> in.ones(1024, 1024).mm(in.ones(1024, 1024))),
        new Case("aten::conv2d", in -> in.ones(8, 16, 64, 64).conv2d(in.ones(16, 16, 3, 3), null)),
        new Case("aten::sort", in -> in.arange(1 << 20).sort().values()));
  }

  /**
   * The kernel's environment, which holds it at its second poll until the test lets it continue.
   */
  private static final class Holding extends KernelBench {
    private final Environment outer;
    private final Probe probe;

    Holding(Environment outer, Probe probe) {
      super(outer.scope());
      this.outer = outer;
      this.probe = probe;
    }

    @Override
    public @Nullable Fault cancelled() {
      if (probe.looks.incrementAndGet() == 2) {
        probe.begun.complete(Thread.currentThread().getName());
        probe.goOn();
      }
      return outer.cancelled();
    }
  }

  /** Observes one kernel at work. */
  private static final class Probe {
    final CompletableFuture<String> begun = new CompletableFuture<>();
    final CountDownLatch cancelled = new CountDownLatch(1);
    final CompletableFuture<Object> answer = new CompletableFuture<>();
    final AtomicInteger looks = new AtomicInteger();

    void goOn() {
      try {
        cancelled.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    /** The catalog with the same kernel for {@code operation}, observed by this probe. */
    Catalog.Builder in(Catalog.Builder catalog, String operation) {
      CatalogEntry standard = StandardOperations.catalog().find(operation);
      assertNotNull(standard);
      return switch (standard.kernel()) {
        case Kernel.One one ->
            catalog.define(standard.schema(), (Kernel.One) call -> seen(one::run, call));
        case Kernel.Many many ->
            catalog.define(standard.schema(), (Kernel.Many) call -> seen(many::run, call));
        case Kernel.NoResult none -> throw new IllegalArgumentException(operation);
      };
    }

    private Object seen(Function<Call, Object> kernel, Call call) {
      Environment holding = new Holding(call.environment(), this);
      Object result = kernel.apply(new Call(holding, call.arguments()));
      answer.complete(result);
      return result;
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aKernelAmidItsWorkStopsAndItsWorkerGoesOn(Case some) throws Exception {
    Probe probe = new Probe();
    try (EagerTrial trial =
        new EagerTrial(EngineOptions.threaded(1), more -> probe.in(more, some.operation()))) {
      Context context = trial.context;
      CancelScope scope = CancelScope.open();
      Tensor result = context.within(scope, () -> some.call().apply(context));
      assertNotEquals(Thread.currentThread().getName(), probe.begun.get(), "on a worker");
      assertTrue(scope.cancel("enough"));
      probe.cancelled.countDown();
      Fault answer = assertInstanceOf(Fault.class, probe.answer.get());
      assertTrue(answer.isSameAs(scope.check()));
      assertEquals(2, probe.looks.get(), "looks after the cancellation was seen");
      Fault fault = result.fault();
      assertNotNull(fault);
      assertEquals(FaultType.CANCELLED, fault.type());
      assertEquals(CancelReason.USER, fault.reason());
      assertEquals("enough", fault.message());
      assertEquals(20, context.ones(10).add(1).sum().item(), "the worker's next operation");
    }
  }
}
