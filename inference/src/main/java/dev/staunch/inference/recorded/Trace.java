package dev.staunch.inference.recorded;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Interceptor;
import dev.staunch.operation.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Records each operation of one request: its operands, its results, and how long it took. Values
 * are copied when they are seen, because later operations may overwrite them; of a large tensor
 * only a sample is kept. Each request needs its own trace, used only by the thread that runs the
 * request.
 */
public final class Trace implements Interceptor {
  /** Operations beyond this limit are counted but not kept. */
  public static final int MOST_STEPS = 100_000;

  /** One call of an operation. */
  public static final class Step {
    private final int number;
    private final String operation;
    private final @Nullable SourceLocation source;
    final List<Operand> operands;
    final List<JsonNode> results = new ArrayList<>();
    private @Nullable Fault fault;

    /** When it began, in nanoseconds since the first call. */
    long start;

    /** How long it took, without the time for copying values into the trace. */
    long nanos;

    Step(int number, String operation, @Nullable SourceLocation source, List<Operand> operands) {
      this.number = number;
      this.operation = operation;
      this.source = source;
      this.operands = List.copyOf(operands);
    }

    /** The operation's position, from 0, in execution order. */
    public int number() {
      return number;
    }

    /** The qualified name: {@code aten::add.Tensor}. */
    public String operation() {
      return operation;
    }

    /** The source line that called it, if known. */
    public @Nullable SourceLocation source() {
      return source;
    }

    /** Why it has no results, or null if it has some. */
    public @Nullable Fault fault() {
      return fault;
    }

    /** {@code model.py:7}, or empty if unknown. */
    public String place() {
      return source == null ? "" : source.file() + ":" + source.line();
    }

    /** The operands by name, each in a few words. */
    public List<String> given() {
      return operands.stream()
          .map(operand -> operand.name() + ": " + ValueWords.of(operand.value()))
          .toList();
    }

    /** The results, each in a few words. */
    public List<String> came() {
      return fault != null
          ? List.of(fault.toString())
          : results.stream().map(ValueWords::of).toList();
    }
  }

  /** The value passed for a parameter. */
  record Operand(String name, JsonNode value) {}

  /** Is notified of each operation before and after it runs. */
  public interface Listener {
    /**
     * @param step has no results yet
     */
    void before(Step step);

    void after(Step step);
  }

  private static final Listener NOBODY =
      new Listener() {
        @Override
        public void before(Step step) {}

        @Override
        public void after(Step step) {}
      };

  private final Catalog catalog;
  private final WrittenValues values;
  private final Listener listener;
  private final List<Step> steps = new ArrayList<>();
  private @Nullable Step running;
  private int count;
  private long origin;
  private long begun;

  /**
   * @param catalog supplies the names of parameters
   * @param mostElements how many elements of a tensor are kept
   */
  public Trace(Catalog catalog, long mostElements) {
    this(catalog, mostElements, NOBODY);
  }

  /** Like {@link #Trace(Catalog, long)}, with a listener. */
  public Trace(Catalog catalog, long mostElements, Listener listener) {
    this.catalog = catalog;
    this.values = new WrittenValues(mostElements);
    this.listener = listener;
  }

  /** The recorded operations, in execution order. */
  public List<Step> steps() {
    return List.copyOf(steps);
  }

  /**
   * How many operations have run; larger than the number of {@link #steps} if some were not kept.
   */
  public int count() {
    return count;
  }

  @Override
  public void requestBegins() {
    steps.clear();
    running = null;
    count = 0;
  }

  @Override
  public @Nullable Object before(
      String operation, Object[] arguments, @Nullable SourceLocation source) {
    List<Operand> operands = new ArrayList<>();
    CatalogEntry entry = catalog.find(operation);
    List<Schema.Parameter> parameters = entry == null ? List.of() : entry.schema().parameters();
    for (int i = 0; i < arguments.length; i++) {
      String name = i < parameters.size() ? parameters.get(i).name() : "argument " + i;
      operands.add(new Operand(name, values.of(arguments[i])));
    }
    if (count == 0) {
      origin = System.nanoTime();
    }
    Step step = new Step(count++, operation, source, operands);
    running = step;
    listener.before(step);
    begun = System.nanoTime();
    return null;
  }

  @Override
  public void after(
      String operation, Object[] arguments, Object outcome, @Nullable SourceLocation source) {
    long now = System.nanoTime();
    Step step = Objects.requireNonNull(running);
    step.start = begun - origin;
    step.nanos = now - begun;
    if (outcome instanceof Fault fault) {
      step.fault = fault;
    } else if (outcome instanceof Object[] several) {
      for (Object result : several) {
        step.results.add(values.of(result));
      }
    } else {
      step.results.add(values.of(outcome));
    }
    if (steps.size() < MOST_STEPS) {
      steps.add(step);
    }
    listener.after(step);
  }
}
