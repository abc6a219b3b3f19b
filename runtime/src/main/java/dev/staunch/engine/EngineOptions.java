package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How an {@link Engine} runs its tasks. All modes have the same semantics, including when a fault
 * becomes visible.
 *
 * @param mode on worker threads, on the calling thread, or in an order drawn from a seed
 * @param workers how many tasks run at once, or, in a seeded engine, seem to
 * @param seed determines the order of a seeded engine
 * @param name the prefix of the thread names
 * @param noteSources whether a deferred task remembers the line that asked for it; costs about a
 *     microsecond for each such task, plus three for each hundred frames of its caller's stack;
 *     tasks that run at once cost nothing
 * @param unreadFaults told of each fault that can no longer be read; called on any thread; what it
 *     throws is ignored, and if it blocks, closing waits a second for it and continues
 */
public record EngineOptions(
    Mode mode,
    int workers,
    long seed,
    String name,
    boolean noteSources,
    Consumer<Fault> unreadFaults) {

  /** Which threads run the tasks. */
  public enum Mode {
    /** Worker threads; small tasks run at once where they are pushed. */
    THREADED,
    /** The pushing thread, at once: for debugging. */
    SERIAL,
    /**
     * The threads that push or wait, in an order drawn from the seed: for tests. No other thread
     * runs its tasks, so a thread that shares variables with another engine waits for them through
     * this one.
     */
    SEEDED
  }

  public EngineOptions {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(unreadFaults, "unreadFaults");
    if (workers < 1) {
      throw new IllegalArgumentException("an engine needs at least one worker, got " + workers);
    }
  }

  /** Worker threads, by default as many as there are processors. */
  public static EngineOptions threaded() {
    return threaded(Runtime.getRuntime().availableProcessors());
  }

  public static EngineOptions threaded(int workers) {
    return new EngineOptions(Mode.THREADED, workers, 0, "staunch-worker", true, new UnreadLog());
  }

  /**
   * Each task runs on the thread that pushes it, before {@code push} returns. A task pushed by a
   * task that another task pushed, and so on, runs at the latest before the outermost {@code push}
   * returns.
   */
  public static EngineOptions serial() {
    return new EngineOptions(Mode.SERIAL, 1, 0, "staunch-serial", true, new UnreadLog());
  }

  /** Simulates {@code workers} workers in an order that {@code seed} determines. */
  public static EngineOptions seeded(long seed, int workers) {
    return new EngineOptions(Mode.SEEDED, workers, seed, "staunch-seeded", true, new UnreadLog());
  }

  public EngineOptions withName(String other) {
    return new EngineOptions(mode, workers, seed, other, noteSources, unreadFaults);
  }

  public EngineOptions withNoteSources(boolean note) {
    return new EngineOptions(mode, workers, seed, name, note, unreadFaults);
  }

  public EngineOptions withUnreadFaults(Consumer<Fault> handler) {
    return new EngineOptions(mode, workers, seed, name, noteSources, handler);
  }

  Scheduler scheduler() {
    return switch (mode) {
      case THREADED -> new ThreadedScheduler(workers, name);
      case SERIAL -> TurnScheduler.serial();
      case SEEDED -> TurnScheduler.seeded(seed, workers);
    };
  }
}
