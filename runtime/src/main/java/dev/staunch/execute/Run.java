package dev.staunch.execute;

import dev.staunch.engine.Guard;
import dev.staunch.engine.Workers;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Generator;
import dev.staunch.kernel.RandomStream;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One request's passage through a plan: its environment and how deep its calls are nested. */
final class Run implements Environment {
  /** Calls that may be nested; far below what a thread's stack holds. */
  static final int MAX_DEPTH = 400;

  final Plan plan;
  final RunOptions options;
  private final Generator generator;
  private volatile boolean gradEnabled;
  int depth;
  private Object[] arguments = {};

  Run(Plan plan, RunOptions options) {
    this.plan = plan;
    this.options = options;
    this.generator = Generator.ofSeed(options.seed());
    this.gradEnabled = options.gradEnabled();
  }

  /** Remembers what the run was given, to name the input that a fault came from. */
  void begin(Object[] given) {
    arguments = given;
  }

  /** {@code fault}, with the name of the first argument among {@code operands} or one it views. */
  Fault blame(Fault fault, Object[] operands) {
    List<String> names = options.argumentNames();
    if (fault.input() != null || names.isEmpty()) {
      return fault;
    }
    int offset = arguments.length - names.size();
    for (Object operand : operands) {
      for (int i = 0; i < names.size(); i++) {
        if (operand instanceof DenseTensor tensor
            && arguments[offset + i] instanceof DenseTensor argument
            && tensor.storage() == argument.storage()) {
          return fault.withInput(names.get(i));
        }
      }
    }
    return fault;
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
  public RandomStream random() {
    return generator.next();
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
