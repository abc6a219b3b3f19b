package dev.staunch.engine;

import java.util.function.Consumer;

/**
 * Pushes several tasks in a row and wakes the workers once for all of them: when this is closed, or
 * as soon as any thread waits in the engine. Each task keeps its own turns and its own outcome. A
 * worker that is already awake may begin earlier. Confined to the pushing thread.
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
