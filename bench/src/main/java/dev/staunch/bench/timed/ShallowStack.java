package dev.staunch.bench.timed;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs operations with about as few frames below them as those of a main method have, as the peer's
 * programs run theirs. An operation that fails or is handed over notes its caller's line, which
 * takes the longer the deeper the stack is, and JMH's own is some fifteen frames deep.
 *
 * <p>One thread runs them all: a fresh one would get its memory in small pieces at first.
 */
final class ShallowStack implements AutoCloseable {
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  /** Runs {@code body} to its end; throws if it throws. */
  void run(Runnable body) {
    CompletableFuture.runAsync(body, thread).join();
  }

  @Override
  public void close() {
    thread.close();
  }
}
