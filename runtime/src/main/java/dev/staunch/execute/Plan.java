package dev.staunch.execute;

import dev.staunch.engine.Guard;
import dev.staunch.engine.Pending;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Function;
import dev.staunch.ir.Program;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.NestedTensor;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
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
  private Object[] constants = {};
  private final ModelConstants modelConstants;
  private int size;

  private Plan(Catalog catalog, ModelConstants modelConstants) {
    this.catalog = catalog;
    this.modelConstants = modelConstants;
  }

  /**
   * Prepares every function of {@code program}, which must have passed the verifier. An operation
   * without a kernel in {@code catalog} is no error here: reaching it is one.
   */
  public static Plan prepare(Program program, Catalog catalog) {
    return prepare(program, catalog, ModelConstants.NONE);
  }

  /**
   * As {@link #prepare(Program, Catalog)}, for the methods of a loaded module. What it holds now is
   * taken to stay as it is, unless a run of this plan writes it: kernels may keep packed forms of
   * its tensors, which belong to the module's scope.
   */
  public static Plan prepare(Program program, Catalog catalog, ObjectValue module) {
    return prepare(program, catalog, ModelConstants.of(module));
  }

  private static Plan prepare(Program program, Catalog catalog, ModelConstants known) {
    Plan plan = new Plan(catalog, known);
    Ownership ownership = Ownership.of(program, catalog);
    for (Function function : program.functions()) {
      Compiler compiler = new Compiler(program, catalog, ownership, known);
      plan.functions.put(function.name(), compiler.compile(function, plan.size++));
    }
    plan.constants =
        plan.functions.values().stream()
            .flatMap(code -> Arrays.stream(code.template()))
            .filter(Plan::mayHoldTensors)
            .toArray();
    return plan;
  }

  private static boolean mayHoldTensors(@Nullable Object constant) {
    return switch (constant) {
      case DenseTensor tensor -> true;
      case NestedTensor nested -> true;
      case ObjectValue object -> true;
      case TupleValue tuple -> tuple.elements().stream().anyMatch(Plan::mayHoldTensors);
      case List<?> list -> list.stream().anyMatch(Plan::mayHoldTensors);
      case Map<?, ?> map -> map.values().stream().anyMatch(Plan::mayHoldTensors);
      case null, default -> false;
    };
  }

  /** The constants that are tensors, or through which some can be reached. */
  Object[] constants() {
    return constants;
  }

  /** The tensors that runs find as they were, until one writes them. */
  ModelConstants modelConstants() {
    return modelConstants;
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
   * the caller's, who may close them at any time, as also the scope of the options, constants and
   * the scopes of modules: their bytes stay until the run, and what it put off, is through (M1).
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
    Object[] given = arguments.toArray();
    Object outcome =
        code.isSequential()
            ? runScript(code, given, options)
            : run(new DataflowRun(this, options), code, given, options);
    return values(outcome, code.results().length);
  }

  /** A script runs when all that it is given is there and good; else it gives the fault of that. */
  private Object runScript(Code code, Object[] arguments, RunOptions options) {
    Fault failed = await(arguments, options);
    if (failed != null) {
      failed.reach().skip();
      return failed;
    }
    Run cached = runs.take();
    Run run = cached == null ? new Run(this) : cached;
    Object outcome = run(run, code, arguments, options);
    runs.give(run);
    return outcome;
  }

  private static @Nullable Fault await(Object[] arguments, RunOptions options) {
    Fault failed = null;
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] instanceof Pending later) {
        arguments[i] = options.await(later);
      }
      if (arguments[i] instanceof Fault fault) {
        failed = failed == null ? fault : failed.merge(fault);
      }
    }
    return failed;
  }

  private static Object run(Run run, Code code, Object[] arguments, RunOptions options) {
    Fault closed = run.begin(code, options, arguments);
    return closed == null ? run.end(Guard.attempt(given -> call(given, code), run)) : closed;
  }

  private static Object call(Run run, Code code) {
    Frame frame = run.enter(code, null, null);
    Object[] arguments = run.arguments();
    int[] parameters = code.parameters();
    for (int i = 0; i < parameters.length; i++) {
      frame.registers[parameters[i]] = arguments[i];
    }
    Object outcome = code.call(frame);
    run.leave(frame);
    return outcome;
  }

  private static List<Object> values(Object outcome, int count) {
    if (outcome instanceof Fault fault) {
      return Collections.nCopies(count, fault);
    }
    return count == 1 ? List.of(outcome) : List.of((Object[]) outcome);
  }
}
