package dev.staunch.engine;

import java.util.function.Consumer;

/**
 * Several tasks pushed in a row: workers are woken for all of them together, when this is closed or
 * as soon as a thread waits in the engine. Each task keeps its own turns and its own outcome; a
 * worker that is awake anyway may begin before. For the thread that pushes.
 */
public final class Bulk implements AutoCloseable {
  private final Consumer<Task> push;
  private final Runnable wake;

  Bulk(Consumer<Task> push, Runnable wake) {
    this.push = push;
    this.wake = wake;
  }

  /** As {@link EngineContext#push}. */
  public void push(Task task) {
    push.accept(task);
  }

  @Override
  public void close() {
    wake.run();
  }
}
