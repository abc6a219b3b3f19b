package dev.staunch.execute;

import dev.staunch.engine.Guard;
import dev.staunch.engine.Pending;
import dev.staunch.engine.Processors;
import dev.staunch.engine.Workers;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.ScopedEnvironment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request for a function in dataflow discipline, whose deferred work may go on after the request
 * has its results. Used once, and so are its frames, because other threads may still be in them.
 */
final class DataflowRun extends Run {
  /** The request itself, plus the work that it has deferred. */
  private final AtomicInteger unfinished = new AtomicInteger(1);

  private final Environment deferring;

  DataflowRun(Functions plan, RunOptions options) {
    super(plan);
    this.deferring =
        new ScopedEnvironment(this, options.scope()) {
          @Override
          public Object defer(Supplier<Object> work) {
            return putOff(work);
          }
        };
  }

  /** The environment for kernels of dataflow functions: what they defer is really deferred. */
  Environment deferring() {
    return deferring;
  }

  private Object putOff(Supplier<Object> work) {
    Workers workers = options().workers();
    if (workers == null) {
      return Guard.attempt(Supplier::get, work);
    }
    begins();
    Pending later = workers.submit(work);
    later.whenSettled(this::ends);
    return later;
  }

  /** Work was deferred that may use what the request holds, until {@link #ends}. */
  void begins() {
    unfinished.incrementAndGet();
  }

  void ends() {
    if (unfinished.decrementAndGet() == 0) {
      letGo();
    }
  }

  @Override
  Frame enter(Code code, @Nullable Frame caller, @Nullable Site site) {
    Frame frame =
        code.isSequential() ? new SequentialFrame(this, code) : new DataflowFrame(this, code);
    frame.begin(caller, site);
    return frame;
  }

  @Override
  void leave(Frame frame) {}

  /** Several steps may call this at once. */
  @Override
  public @Nullable Fault parallel(long range, long grain, Piece work) {
    return Processors.ofProcess().run(range, grain, work::run);
  }

  @Override
  Object end(Object outcome) {
    Object settled = await(outcome);
    ends();
    return settled;
  }

  private Object await(Object outcome) {
    if (outcome instanceof Object[] several) {
      Arrays.setAll(several, i -> await(several[i]));
    }
    return outcome instanceof Pending later ? options().await(later) : outcome;
  }
}
