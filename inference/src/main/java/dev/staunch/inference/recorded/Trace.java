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
 * Notes each operation of one request: what it was given, what came of it, how long it took. Values
 * are copied when they are seen, for later operations may write them; of a large tensor a sample.
 * One of a request's own, used by the thread that runs it.
 */
public final class Trace implements Interceptor {
  /** Beyond, operations are counted and not kept. */
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

    /** What it took, copying for the trace not included. */
    long nanos;

    Step(int number, String operation, @Nullable SourceLocation source, List<Operand> operands) {
      this.number = number;
      this.operation = operation;
      this.source = source;
      this.operands = List.copyOf(operands);
    }

    /** From 0, in the order in which they ran. */
    public int number() {
      return number;
    }

    /** The qualified name: {@code aten::add.Tensor}. */
    public String operation() {
      return operation;
    }

    /** The line that asked for it, if that is known. */
    public @Nullable SourceLocation source() {
      return source;
    }

    /** Why it has no results, if it has none. */
    public @Nullable Fault fault() {
      return fault;
    }

    /** {@code model.py:7}, or nothing. */
    public String place() {
      return source == null ? "" : source.file() + ":" + source.line();
    }

    /** The operands by name, in a few words each. */
    public List<String> given() {
      return operands.stream()
          .map(operand -> operand.name() + ": " + ValueWords.of(operand.value()))
          .toList();
    }

    /** What came of it, in a few words each. */
    public List<String> came() {
      return fault != null
          ? List.of(fault.toString())
          : results.stream().map(ValueWords::of).toList();
    }
  }

  /** What was given for a parameter. */
  record Operand(String name, JsonNode value) {}

  /** Is told of each operation when it is about to run, and when it has. */
  public interface Listener {
    /**
     * @param step without results
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
   * @param catalog knows the names of parameters
   * @param mostElements how many elements of a tensor are kept
   */
  public Trace(Catalog catalog, long mostElements) {
    this(catalog, mostElements, NOBODY);
  }

  /** As {@link #Trace(Catalog, long)}, with somebody who follows. */
  public Trace(Catalog catalog, long mostElements, Listener listener) {
    this.catalog = catalog;
    this.values = new WrittenValues(mostElements);
    this.listener = listener;
  }

  /** What has run, in order. */
  public List<Step> steps() {
    return List.copyOf(steps);
  }

  /** How many operations have run; more than there are {@link #steps} if they were too many. */
  public int count() {
    return count;
  }

  @Override
  public void begins() {
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
