package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.staunch.fault.Fault;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An engine under test with one context. Closing it checks that none of its threads is left. It
 * collects the faults that nobody read.
 */
final class Trial implements AutoCloseable {
  private static final AtomicLong NUMBER = new AtomicLong();

  final Queue<Fault> unread = new ConcurrentLinkedQueue<>();
  final Engine engine;
  final EngineContext context;
  private final String name = "trial-" + NUMBER.incrementAndGet() + "-";

  Trial(EngineOptions options) {
    engine = Engine.start(options.withName(name).withUnreadFaults(unread::add));
    context = engine.open("program");
  }

  boolean isThreaded() {
    return engine.options().mode() == EngineOptions.Mode.THREADED;
  }

  /** Pushes a task that fails and writes {@code variable}. */
  Fault fail(Variable variable, String message) {
    Fault fault = Fault.value(message);
    context.push(Step.failing(Uses.writing(variable), fault));
    return fault;
  }

  /** Threads of the engine that are alive. */
  List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(name))
        .toList();
  }

  @Override
  public void close() {
    engine.close();
    for (Thread thread : threads()) {
      join(thread);
      assertFalse(thread.isAlive(), () -> thread + " outlives its engine");
    }
    while (unread.size() < context.unreadFaults()) {
      Thread.onSpinWait(); // a close waits at most a second for the handler
    }
  }

  static void join(Thread thread) {
    try {
      thread.join(60_000);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits without the engine's knowledge. */
  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
