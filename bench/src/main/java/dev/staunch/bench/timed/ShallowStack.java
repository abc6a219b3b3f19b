package dev.staunch.bench.timed;

import java.util.Optional;
import java.util.concurrent.SynchronousQueue;

/**
 * Runs operations on a stack that is as shallow as that of a main method, because the peer's
 * programs run theirs in one. An operation that fails or is handed over records its caller's line,
 * which takes longer on a deeper stack: JMH's own stack has some fifteen frames, an executor's six.
 *
 * <p>One thread runs all operations: a new one would at first get its memory in small pieces.
 */
final class ShallowStack implements AutoCloseable {
  /** The bodies to run; an empty element follows the last. */
  private final SynchronousQueue<Optional<Runnable>> bodies = new SynchronousQueue<>();

  private final SynchronousQueue<Optional<RuntimeException>> ends = new SynchronousQueue<>();

  ShallowStack() {
    new Runner().start();
  }

  /** Runs {@code body} to its end; throws its exception, if any. */
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

  /** A subclass of Thread: a Runnable would add two frames. */
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
