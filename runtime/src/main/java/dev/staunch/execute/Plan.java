package dev.staunch.execute;

import dev.staunch.engine.Guard;
import dev.staunch.engine.Pending;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CompoundTensor;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.Reachable;
import dev.staunch.kernel.TupleValue;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program that is ready to run: kernels are resolved, registers assigned, and last uses and the
 * contents of its module known. One plan serves any number of threads, each run with its own {@link
 * RunOptions}.
 */
public final class Plan extends Run.Functions {
  /**
   * The most steps that are compiled for known objects; beyond that, functions serve for any
   * objects.
   */
  private static final int MAX_SPECIAL_STEPS = 1 << 20;

  private final Program program;
  private final Catalog catalog;
  private final @Nullable ObjectValue root;
  private final Ownership ownership;

  /** The name of the methods that restore saved objects. */
  private static final String RESTORING = "__setstate__";

  /**
   * The names of the attributes that a call may set, on any object. What restores a part of a
   * module ran when it was loaded, and runs no more unless the program calls it.
   */
  private final Set<String> assigned;

  /** Whether the program calls what restores objects, or may. */
  private final boolean restores;

  /** What could be reached from the root when it was loaded. */
  private final @Nullable Reachable reached;

  /** Null until first asked for; guarded by this. */
  private @Nullable StateWrites stateWrites;

  private final Object[] constants;
  private final Map<Variant, Code> codes = new ConcurrentHashMap<>();

  /** The root's methods by name, for requests to find. */
  private final Map<String, Code> methods = new ConcurrentHashMap<>();

  private final AtomicInteger specialSteps = new AtomicInteger();
  private final AtomicInteger size = new AtomicInteger();
  private final ModelConstants modelConstants;
  private final RunCache runs = new RunCache();

  private Plan(Program program, Catalog catalog, @Nullable ObjectValue root) {
    this.program = program;
    this.catalog = catalog;
    this.root = root;
    this.reached = root == null ? null : Reachable.of(root);
    this.modelConstants =
        root == null || reached == null ? ModelConstants.NONE : ModelConstants.of(root, reached);
    this.ownership = Ownership.of(program, catalog);
    List<Object> held = new ArrayList<>();
    Set<String> ever = new HashSet<>();
    Set<String> whileLoading = new HashSet<>();
    boolean calls = root == null;
    for (Function function : program.functions()) {
      Set<String> set = root != null && restoresPart(function.name(), root) ? whileLoading : ever;
      for (Operation operation : function.body().all()) {
        switch (operation.operator()) {
          case Structure.Constant constant -> hold(Constants.valueOf(constant.value()), held);
          case Structure.SetAttribute assignment -> set.add(assignment.attribute());
          case Structure.CallMethod call -> calls |= call.method().equals(RESTORING);
          case Structure.CallFunction call -> calls |= isRestoring(call.function());
          default -> {}
        }
      }
    }
    this.constants = held.toArray();
    this.restores = calls;
    if (restores) {
      ever.addAll(whileLoading);
    }
    this.assigned = ever;
  }

  private static boolean isRestoring(String function) {
    return function.endsWith("." + RESTORING);
  }

  private static boolean restoresPart(String function, ObjectValue root) {
    return isRestoring(function) && !function.equals(root.layout().name() + "." + RESTORING);
  }

  /**
   * Prepares {@code program}, which must have passed the verifier. An operation without a kernel in
   * {@code catalog} is not an error here; reaching it at run time is. A function is compiled when
   * it is first called.
   */
  public static Plan prepare(Program program, Catalog catalog) {
    return new Plan(program, catalog, null);
  }

  /**
   * As {@link #prepare(Program, Catalog)}, for a module's methods. They are compiled for {@code
   * root}: attributes that no function sets are constants from now on, except that the methods that
   * restore its parts have run, and cannot be run from outside. Its tensors are assumed not to
   * change, unless a run of this plan writes them: kernels may keep packed forms of them, which
   * belong to the module's scope.
   */
  public static Plan prepare(Program program, Catalog catalog, ObjectValue root) {
    return new Plan(program, catalog, root);
  }

  private static void hold(Object constant, List<Object> held) {
    if (mayHoldTensors(constant)) {
      held.add(constant);
    }
  }

  private static boolean mayHoldTensors(@Nullable Object constant) {
    return switch (constant) {
      case DenseTensor _, CompoundTensor _, ObjectValue _ -> true;
      case TupleValue tuple -> tuple.elements().stream().anyMatch(Plan::mayHoldTensors);
      case List<?> list -> list.stream().anyMatch(Plan::mayHoldTensors);
      case Map<?, ?> map ->
          Stream.of(map.keySet(), map.values())
              .flatMap(Collection::stream)
              .anyMatch(Plan::mayHoldTensors);
      case null, default -> false;
    };
  }

  @Override
  Object[] constants() {
    return constants;
  }

  @Override
  ModelConstants modelConstants() {
    return modelConstants;
  }

  @Override
  boolean owns(DenseTensor tensor) {
    return modelConstants.holds(tensor)
        || Arrays.stream(constants)
            .anyMatch(constant ->
                constant instanceof DenseTensor known && known.storage() == tensor.storage());
  }

  @Override
  int size() {
    return size.get();
  }

  @Override
  Catalog catalog() {
    return catalog;
  }

  @Override
  @Nullable Code find(Variant variant) {
    Code known = codes.get(variant);
    Function function = known == null ? program.find(variant.function()) : null;
    if (function == null) {
      return known;
    }
    boolean most = variant.isSpecial() && specialSteps.get() > MAX_SPECIAL_STEPS;
    Variant wanted = most ? Variant.of(variant.function()) : variant;
    return codes.computeIfAbsent(wanted, missing -> compile(function, missing));
  }

  private Code compile(Function function, Variant variant) {
    if (!restores && root != null && restoresPart(function.name(), root)) {
      throw Fault.value(function.name() + " restores a part of a module, which has been loaded")
          .toException();
    }
    Compiler compiler =
        new Compiler(
            function, program, catalog, ownership, new KnownValues(assigned), modelConstants);
    Code code = compiler.compile(variant, size.getAndIncrement());
    if (variant.isSpecial()) {
      specialSteps.addAndGet(code.steps());
    }
    return code;
  }

  /**
   * The operations of {@code function} and of what it calls, in program order; those of a function
   * that is called again for the same objects only once. Methods of objects that are not known
   * before the call are missing.
   *
   * @throws StaunchException if there is no such function
   */
  public List<PlannedOperation> operations(String function) {
    Code code = find(function, root == null ? List.of() : List.of(root));
    if (code == null) {
      throw unknown(function);
    }
    List<PlannedOperation> operations = new ArrayList<>();
    addOperations(code, new HashSet<>(), operations);
    return List.copyOf(operations);
  }

  private void addOperations(Code code, Set<Integer> seen, List<PlannedOperation> operations) {
    if (!seen.add(code.number())) {
      return;
    }
    for (Step step : code.listed()) {
      if (!(step.action instanceof CallAction call)) {
        operations.add(
            new PlannedOperation(
                step.name, step.site.line(), step.action.evaluation(), step.action.ordersImages()));
        continue;
      }
      Code called = call.callee() == null ? null : find(call.callee());
      if (called != null) {
        addOperations(called, seen, operations);
      }
    }
  }

  /**
   * What successive calls of the methods {@code functions} may write that outlives them: what can
   * be reached from the module, and the arguments.
   *
   * @throws IllegalStateException if the plan is not for a module
   */
  public synchronized StateUse stateUse(Collection<String> functions) {
    if (root == null || reached == null) {
      throw new IllegalStateException("only a module has state");
    }
    if (stateWrites == null) {
      stateWrites = new StateWrites(program, catalog, root, reached, assigned);
    }
    StateUse use = StateUse.NONE;
    for (String function : functions) {
      use = use.and(stateWrites.of(function));
    }
    return use;
  }

  private static StaunchException unknown(String function) {
    return Fault.value("the program has no function " + function).toException();
  }

  /**
   * Calls {@code function} on the calling thread and waits for its results. Tensor arguments stay
   * the caller's. The caller may close them at any time, as well as the options' scope, constants
   * and the scopes of modules: their bytes stay until the run and its deferred work have finished.
   * Tensors in the options' scope belong to the run: if one is closed meanwhile, everything that
   * still uses it gets the fault.
   *
   * @return one value or {@link Fault} for each result of the function
   * @throws StaunchException if there is no such function or the number of arguments is wrong
   */
  public List<Object> run(String function, List<Object> arguments, RunOptions options) {
    Code code = find(function, arguments);
    if (code == null) {
      throw unknown(function);
    }
    if (arguments.size() != code.parameters().length) {
      String text = "%s takes %s, got %d";
      throw Fault.value(
              Message.of(
                  text,
                  function,
                  Message.count(code.parameters().length, "argument"),
                  arguments.size()))
          .toException();
    }
    Object[] given = arguments.toArray();
    Object outcome =
        code.isSequential()
            ? runScript(code, given, options)
            : run(new DataflowRun(this, options), code, given, options);
    return values(outcome, code.results().length);
  }

  @SuppressWarnings("ReferenceEquality") // one particular object is known, not its equals
  private @Nullable Code find(String function, List<Object> arguments) {
    if (root == null || arguments.isEmpty() || arguments.get(0) != root) {
      return find(Variant.of(function));
    }
    Code known = methods.get(function);
    if (known == null) {
      known = find(Variant.of(function, Collections.singletonList(root)));
      if (known != null) {
        methods.put(function, known);
      }
    }
    return known;
  }

  /**
   * A script runs once all its arguments are available and without fault; otherwise the result is
   * their fault.
   */
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
    if (closed != null) {
      return closed;
    }
    Object outcome;
    try {
      outcome = Guard.attempt(given -> call(given, code), run);
    } catch (OutOfMemoryError e) { // no room for a fault: what is held is released all the same
      run.end(e);
      throw e;
    }
    return run.end(outcome);
  }

  private static Object call(Run run, Code code) {
    run.come();
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
