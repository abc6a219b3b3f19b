package dev.staunch.bench.timed;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs operations with as few frames below them as those of a main method have, as the peer's
 * programs run theirs. An operation that fails or is handed over notes its caller's line, which
 * takes the longer the deeper the stack is, and JMH's own is some fifteen frames deep.
 */
final class ShallowStack {
  private ShallowStack() {}

  /** Runs {@code body} on a thread of its own, to its end. */
  static void run(Runnable body) throws InterruptedException {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .name("bench-shallow")
            .uncaughtExceptionHandler((where, what) -> thrown.set(what))
            .start(body);
    thread.join();
    if (thrown.get() != null) {
      throw new IllegalStateException("the measured operations failed", thrown.get());
    }
  }
}
