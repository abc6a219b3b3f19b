package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A context under test in which every operation that can go to a worker does. Closing it checks
 * that every byte was given back. It collects the faults that nobody read.
 */
final class EagerTrial implements AutoCloseable {
  final Queue<Fault> unread = new ConcurrentLinkedQueue<>();
  final OffHeap memory = OffHeap.withBudget(64 << 20);
  final Context context;

  EagerTrial(EngineOptions engine) {
    this(engine, catalog -> catalog);
  }

  /** A trial whose catalog also has what {@code more} adds. */
  EagerTrial(EngineOptions engine, UnaryOperator<Catalog.Builder> more) {
    context =
        Context.open(
            memory,
            ContextOptions.standard()
                .withEngine(engine.withUnreadFaults(unread::add))
                .withCatalog(more.apply(StandardOperations.catalog().toBuilder()).build())
                .withLargeElements(1));
  }

  /**
   * A trial with an operation {@code test::later}, which returns its operand once {@code done} is
   * released.
   */
  static EagerTrial withLater(EngineOptions engine, CountDownLatch done) {
    return new EagerTrial(
        engine,
        catalog -> catalog.one("test::later(Tensor(a) x) -> Tensor(a)", call -> later(call, done)));
  }

  private static Object later(Call call, CountDownLatch done) {
    try {
      done.await();
      return call.tensor(0);
    } catch (InterruptedException e) {
      return Fault.internal("interrupted").withCause(e);
    }
  }

  /** One engine of each kind. */
  static Stream<EngineOptions> engines() {
    return Stream.of(
        EngineOptions.serial(),
        EngineOptions.threaded(1),
        EngineOptions.threaded(4),
        EngineOptions.seeded(1, 4));
  }

  /** A tensor whose operation fails when it is computed. */
  Tensor invalid() {
    return context.normal(0, -1, 2, 2);
  }

  @Override
  public void close() {
    context.close();
    assertEquals(0, memory.account().bytes(), "bytes");
    memory.close();
  }
}
