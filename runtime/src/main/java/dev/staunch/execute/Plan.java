package dev.staunch.execute;

import dev.staunch.engine.Guard;
import dev.staunch.engine.Pending;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Function;
import dev.staunch.ir.Program;
import dev.staunch.kernel.Catalog;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program made ready to run: kernels resolved, registers assigned, last uses known. Immutable;
 * one plan serves any number of threads, each run with its own {@link RunOptions}.
 */
public final class Plan {
  private final Catalog catalog;
  private final Map<String, Code> functions = new HashMap<>();
  private final RunCache runs = new RunCache();
  private int size;

  private Plan(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Prepares every function of {@code program}, which must have passed the verifier. An operation
   * without a kernel in {@code catalog} is no error here: reaching it is one.
   */
  public static Plan prepare(Program program, Catalog catalog) {
    Plan plan = new Plan(catalog);
    Ownership ownership = Ownership.of(program, catalog);
    for (Function function : program.functions()) {
      Compiler compiler = new Compiler(catalog, ownership);
      plan.functions.put(function.name(), compiler.compile(function, plan.size++));
    }
    return plan;
  }

  /** How many functions it has. */
  int size() {
    return size;
  }

  /** The operations it was prepared with. */
  Catalog catalog() {
    return catalog;
  }

  @Nullable Code find(String function) {
    return functions.get(function);
  }

  /**
   * Calls {@code function} on the calling thread and waits for its results. Tensor arguments stay
   * the caller's, who may close them at any time (M1).
   *
   * @return one value or {@link Fault} for each result of the function
   * @throws StaunchException if there is no such function or the number of arguments is wrong
   */
  public List<Object> run(String function, List<Object> arguments, RunOptions options) {
    Code code = functions.get(function);
    if (code == null) {
      throw Fault.value("the program has no function " + function).toException();
    }
    if (arguments.size() != code.parameters().length) {
      String text = "%s takes %d arguments, got %d";
      throw Fault.value(Message.of(text, function, code.parameters().length, arguments.size()))
          .toException();
    }
    return run(code, arguments, options);
  }

  private List<Object> run(Code code, List<Object> arguments, RunOptions options) {
    Run cached = runs.take();
    Run run = cached == null ? new Run(this) : cached;
    Object[] held = hold(arguments, options.scope());
    run.begin(options, held);
    Object outcome = Guard.attempt(given -> call(given, code, held), run);
    List<Object> results = settled(outcome, code.results().length, options);
    if (run.end()) {
      runs.give(run);
    }
    return results;
  }

  private static Object call(Run run, Code code, Object[] arguments) {
    Frame frame = run.enter(code, null, null);
    int[] parameters = code.parameters();
    for (int i = 0; i < parameters.length; i++) {
      frame.registers[parameters[i]] = arguments[i];
    }
    Object outcome = code.call(frame);
    run.leave(frame);
    return outcome;
  }

  private static List<Object> settled(Object outcome, int count, RunOptions options) {
    if (outcome instanceof Fault fault) {
      return Collections.nCopies(count, fault);
    }
    Object[] values = count == 1 ? new Object[] {outcome} : (Object[]) outcome;
    List<Object> settled = new ArrayList<>(count);
    for (Object value : values) {
      settled.add(value instanceof Pending later ? later.await(options.cancel()) : value);
    }
    return settled;
  }

  /** Takes references of its own to tensor arguments, so that closing them does no harm. */
  private static Object[] hold(List<Object> arguments, ResourceScope scope) {
    Object[] held = arguments.toArray();
    for (int i = 0; i < held.length; i++) {
      if (held[i] instanceof DenseTensor tensor && !tensor.isClosed()) {
        Object view = tensor.view(scope, tensor.layout());
        held[i] = view instanceof DenseTensor ? view : tensor;
      }
    }
    return held;
  }
}
