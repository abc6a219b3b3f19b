package dev.staunch.bench.timed;

import java.util.Optional;
import java.util.concurrent.SynchronousQueue;

/**
 * Runs operations with as few frames below them as those of a main method have, as the peer's
 * programs run theirs. An operation that fails or is handed over notes its caller's line, which
 * takes the longer the deeper the stack is: JMH's own is some fifteen frames deep, an executor's
 * six.
 *
 * <p>One thread runs them all: a fresh one would get its memory in small pieces at first.
 */
final class ShallowStack implements AutoCloseable {
  /** What to run; nothing after the last. */
  private final SynchronousQueue<Optional<Runnable>> bodies = new SynchronousQueue<>();

  private final SynchronousQueue<Optional<RuntimeException>> ends = new SynchronousQueue<>();

  ShallowStack() {
    new Runner().start();
  }

  /** Runs {@code body} to its end; throws if it throws. */
  void run(Runnable body) {
    try {
      bodies.put(Optional.of(body));
      Optional<RuntimeException> thrown = ends.take();
      if (thrown.isPresent()) {
        throw thrown.get();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      bodies.put(Optional.empty());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A class of its own: what a thread is given to run has two frames more. */
  private final class Runner extends Thread {
    @Override
    public void run() {
      try {
        Optional<Runnable> body = bodies.take();
        while (body.isPresent()) {
          ends.put(attempt(body.get()));
          body = bodies.take();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private static Optional<RuntimeException> attempt(Runnable body) {
      try {
        body.run();
        return Optional.empty();
      } catch (RuntimeException e) {
        return Optional.of(e);
      }
    }
  }
}
