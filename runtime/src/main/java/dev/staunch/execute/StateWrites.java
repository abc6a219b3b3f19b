package dev.staunch.execute;

import dev.staunch.execute.FunctionWrites.Callee;
import dev.staunch.execute.FunctionWrites.Summary;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.Reachable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Determines, before anything runs, whether a call of a method may write what is reachable from its
 * module. A function is analyzed once ({@link FunctionWrites}) for each combination of known
 * objects, flags and None that it is called with, and its callers adopt its effects on their
 * arguments. The answer that a method does not write is certain; a method that may write need not
 * do so when it runs.
 */
final class StateWrites implements FunctionWrites.Calls {
  /** Deeper calls, and functions in more variants, are assumed to write whatever they can reach. */
  private static final int MAX_DEPTH = 64;

  private static final int MAX_OPERATIONS = 1 << 20;

  private final Program program;
  private final Catalog catalog;
  private final ObjectValue root;
  private final Set<String> assigned;

  /** The objects of the module when it was loaded, by class. */
  private final Map<String, List<ObjectValue>> objects = new HashMap<>();

  private final Map<Variant, @Nullable Summary> summaries = new HashMap<>();
  private @Nullable Receivers receivers;
  private int looked;

  /**
   * @param root the module
   * @param reached what can be reached from it
   * @param assigned the names of attributes that a call may set
   */
  StateWrites(
      Program program, Catalog catalog, ObjectValue root, Reachable reached, Set<String> assigned) {
    this.program = program;
    this.catalog = catalog;
    this.root = root;
    this.assigned = assigned;
    for (Object part : reached.state()) {
      if (part instanceof ObjectValue object) {
        objects.computeIfAbsent(object.layout().name(), name -> new ArrayList<>()).add(object);
      }
    }
  }

  /** What a call of the module's method {@code function} may write. */
  StateUse of(String function) {
    Summary found = summary(Variant.ofValues(function, List.of(root)), 0);
    if (found == null) {
      return new StateUse(true, true, null);
    }
    StateUse use = found.writes();
    for (Aliases argument : found.parameters().subList(1, found.parameters().size())) {
      use = argument.isWritten() ? use.withArguments(argument.writer()) : use;
    }
    return use;
  }

  @Override
  public @Nullable Summary summary(Variant variant, int depth) {
    Function called = program.find(variant.function());
    if (called == null || depth > MAX_DEPTH || looked > MAX_OPERATIONS) {
      return null;
    }
    if (!summaries.containsKey(variant)) {
      summaries.put(variant, null); // what recursive calls find
      FunctionWrites writes =
          new FunctionWrites(this, catalog, new KnownValues(assigned), variant, depth);
      summaries.put(variant, writes.of(called));
      looked += writes.operations();
    }
    return summaries.get(variant);
  }

  @Override
  public List<Callee> callees(String method, List<Value> operands, @Nullable Object known) {
    if (known instanceof ObjectValue target) {
      return List.of(new Callee(target.layout().name() + "." + method, target));
    }
    String declared = operands.getFirst().type() + "." + method;
    Set<String> functions =
        program.find(declared) == null
            ? receivers().graph.calleesOf(CallGraph.anyOf(method))
            : Set.of(declared);
    List<Callee> callees = new ArrayList<>();
    for (String function : functions) {
      Function called = program.find(function);
      if (called == null || called.parameters().size() != operands.size()) {
        continue; // of another interface
      }
      String owner = function.substring(0, function.length() - method.length() - 1);
      List<ObjectValue> held = objects.getOrDefault(owner, List.of());
      held.forEach(each -> callees.add(new Callee(function, each)));
      if (held.isEmpty() || receivers().made.contains(owner)) {
        callees.add(new Callee(function, null));
      }
    }
    return callees;
  }

  /**
   * The objects whose methods may be called where the object is not known.
   *
   * @param made the classes of which the program creates objects
   */
  private record Receivers(CallGraph graph, Set<String> made) {

    static Receivers of(Program program) {
      Set<String> made = new HashSet<>();
      for (Operation operation : program.operations()) {
        if (operation.operator() instanceof Structure.CreateObject create) {
          made.add(create.type());
        }
      }
      return new Receivers(new CallGraph(program), made);
    }
  }

  private Receivers receivers() {
    Receivers known = receivers;
    if (known == null) {
      known = Receivers.of(program);
      receivers = known;
    }
    return known;
  }
}
