package dev.staunch.execute;

import dev.staunch.engine.Guard;
import dev.staunch.engine.Workers;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Environment;
import dev.staunch.memory.ResourceScope;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One request's passage through a plan: its environment and how deep its calls are nested. */
final class Run implements Environment {
  /** Calls that may be nested; far below what a thread's stack holds. */
  static final int MAX_DEPTH = 400;

  final Plan plan;
  final RunOptions options;
  private volatile boolean gradEnabled;
  int depth;

  Run(Plan plan, RunOptions options) {
    this.plan = plan;
    this.options = options;
    this.gradEnabled = options.gradEnabled();
  }

  @Override
  public ResourceScope scope() {
    return options.scope();
  }

  @Override
  public boolean gradEnabled() {
    return gradEnabled;
  }

  @Override
  public void setGradEnabled(boolean enabled) {
    gradEnabled = enabled;
  }

  @Override
  public @Nullable Fault cancelled() {
    return options.cancel().check();
  }

  @Override
  public void cancel(String reason) {
    options.cancel().cancel(reason);
  }

  @Override
  public Object later(Supplier<Object> work) {
    Workers workers = options.workers();
    return workers == null ? Guard.attempt(Supplier::get, work) : workers.submit(work);
  }

  @Override
  public void print(String line) {
    options.output().accept(line);
  }
}
