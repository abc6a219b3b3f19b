package dev.staunch.execute;

import dev.staunch.dispatch.Door;
import dev.staunch.ir.Attribute;
import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Function.Discipline;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compiles one function into {@link Code}: a register for each value, an action for each operation.
 * What is known before the function runs needs no step: constants, the contents of known objects,
 * and the choice between the blocks of an if.
 */
final class Compiler {
  /** Functions with more steps, including those of what they call, are called, not inlined. */
  private static final int MOST_INLINED = 2048;

  /** Functions with more operations are called, without counting their steps. */
  private static final int MOST_OPERATIONS = 256;

  /** How many levels of nested calls are inlined. */
  private static final int DEEPEST_INLINED = 16;

  /**
   * How many steps may be tried for one function in place of calls, whether or not they are kept.
   */
  private static final int MOST_TRIED = 10_000;

  private final Function function;
  private final Program program;
  private final Catalog catalog;
  private final Ownership ownership;
  private final KnownValues known;
  private final Draft draft;
  private final Map<Value, Integer> registers = new IdentityHashMap<>();

  /**
   * The function's name, if it is a script's. Its calls may be inlined, and values passed to blocks
   * stay in their registers. In a dataflow function those may still be pending.
   */
  private final @Nullable String script;

  /** The call that these steps replace, if any. */
  private final Site.@Nullable Inlined call;

  /**
   * @param function the function to compile
   * @param known the known values
   * @param tensors the tensors of a module
   */
  Compiler(
      Function function,
      Program program,
      Catalog catalog,
      Ownership ownership,
      KnownValues known,
      ModelConstants tensors) {
    this.function = function;
    this.program = program;
    this.catalog = catalog;
    this.ownership = ownership;
    this.known = known;
    this.draft = new Draft(tensors);
    this.script = function.discipline() == Discipline.SEQUENTIAL ? function.name() : null;
    this.call = null;
  }

  private Compiler(Function function, Compiler around, Site.Inlined call) {
    this.function = function;
    this.program = around.program;
    this.catalog = around.catalog;
    this.ownership = around.ownership;
    this.known = around.known.ofAnotherFunction();
    this.draft = around.draft;
    this.script = around.script;
    this.call = call;
  }

  Code compile(Variant variant, int number) {
    Liveness liveness = Liveness.of(function, catalog, ownership);
    for (int i = 0; i < function.parameters().size(); i++) {
      Value parameter = function.parameters().get(i);
      Object what = variant.value(i);
      known.know(parameter, what);
      if (what instanceof DenseTensor) {
        draft.hold(register(parameter), what);
      }
    }
    int[] parameters = registers(function.parameters());
    Code.Body body = body(function.body(), liveness, null);
    int[] results = registers(function.body().results());
    return new Code(
        number,
        function.name(),
        function.discipline(),
        draft.template(),
        parameters,
        body,
        results,
        draft.steps(),
        draft.listed(),
        draft.preparations());
  }

  /** Whether {@code function} runs only when all its arguments are available and without fault. */
  private boolean isScript(String function) {
    Function called = program.find(function);
    return called != null && called.discipline() == Discipline.SEQUENTIAL;
  }

  /**
   * The function called {@code name} for the operands of {@code call}, as far as they are known.
   */
  private Variant variant(String name, Operation call) {
    List<@Nullable Object> arguments = new ArrayList<>();
    for (Value operand : call.operands()) {
      arguments.add(known.of(operand));
    }
    return Variant.of(name, arguments);
  }

  private int register(Value value) {
    return registers.computeIfAbsent(value, fresh -> draft.register());
  }

  private int[] registers(List<Value> values) {
    int[] all = new int[values.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = register(values.get(i));
    }
    return all;
  }

  /** The steps of a block, which is {@code region} of another step or a function's body. */
  private Code.Body body(Block block, Liveness liveness, Site.@Nullable Region region) {
    List<Step> list = new ArrayList<>();
    add(block, liveness, region, list);
    draft.read(registers(block.results()));
    return new Code.Body(script == null ? list : planned(list));
  }

  /** The steps, some of them merged, or computed once for all iterations of a loop. */
  private List<Step> planned(List<Step> steps) {
    List<Step> ordered = ChannelsLast.planned(steps, draft);
    List<Step> scaled = ScaledSums.planned(ordered, draft);
    List<Step> finished = Finished.planned(scaled, draft);
    List<Step> joined = PointwiseChain.planned(finished, draft);
    return RowsAhead.planned(joined, draft);
  }

  private void add(Block block, Liveness liveness, Site.@Nullable Region region, List<Step> list) {
    int before = draft.steps();
    for (Operation operation : block.operations()) {
      if (call != null && draft.steps() - before > MOST_INLINED) {
        return; // it will be called instead
      }
      Object result = known.result(operation, made -> script != null && liveness.isOnlyRead(made));
      if (result != null) {
        Value value = operation.results().get(0);
        known.know(value, result);
        draft.hold(register(value), result);
      } else if (operation.operator() == Structure.Plain.IF
          && known.of(operation.operands().get(0)) instanceof Boolean taken) {
        addBlock(operation, taken, liveness, region, list);
      } else if (!addCalled(operation, liveness, region, list)) {
        list.add(step(operation, liveness, region));
      }
    }
  }

  /** Adds the block of an if that is always taken, as if it stood in place of the if. */
  private void addBlock(
      Operation branch,
      boolean taken,
      Liveness liveness,
      Site.@Nullable Region around,
      List<Step> list) {
    Site site = site(branch, around);
    Block block = branch.blocks().get(taken ? 0 : 1);
    branch.forEachHanded(this::same);
    add(block, liveness, ControlActions.region(site, taken), list);
    for (int i = 0; i < branch.results().size(); i++) {
      same(branch.results().get(i), block.results().get(i));
    }
    release(ending(branch, liveness), site, list);
  }

  /** {@code value} is the same as {@code other}. */
  private void same(Value value, Value other) {
    same(value, this, other);
  }

  /** As above, for a value of another function. */
  private void same(Value value, Compiler from, Value other) {
    registers.put(value, from.register(other));
    known.know(value, from.known.of(other));
  }

  /**
   * Adds the steps of the callee, as if they stood in place of the call, if the callee is known and
   * small; else returns false and adds nothing.
   */
  private boolean addCalled(
      Operation operation, Liveness liveness, Site.@Nullable Region region, List<Step> list) {
    Function callee = callee(operation);
    if (callee == null || !mayInline(callee)) {
      return false;
    }
    Draft.Mark before = draft.mark();
    Site site = site(operation, region);
    Compiler inner = new Compiler(callee, this, Site.Inlined.of(site, callee.name()));
    for (int i = 0; i < callee.parameters().size(); i++) {
      inner.same(callee.parameters().get(i), this, operation.operands().get(i));
    }
    List<Step> called = new ArrayList<>();
    inner.add(callee.body(), Liveness.of(callee, catalog, ownership), null, called);
    if (draft.steps() - before.steps() > MOST_INLINED) {
      draft.back(before);
      return false;
    }
    list.addAll(called);
    for (int i = 0; i < operation.results().size(); i++) {
      same(operation.results().get(i), inner, callee.body().results().get(i));
    }
    release(ending(operation, liveness), site, list);
    return true;
  }

  /** Excludes recursive functions, whose depth is bounded. */
  private boolean mayInline(Function callee) {
    boolean recursive = callee.name().equals(script);
    int around = 0;
    for (Site.Inlined each = call; each != null; each = each.site().inlined()) {
      recursive |= callee.name().equals(each.function());
      around++;
    }
    return script != null
        && callee.discipline() == Discipline.SEQUENTIAL
        && !recursive
        && around < DEEPEST_INLINED
        && draft.tried() < MOST_TRIED
        && !callee.body().hasMoreOperationsThan(MOST_OPERATIONS);
  }

  /**
   * The function that {@code operation} calls; null if it is not a call or the callee is unknown.
   */
  private @Nullable Function callee(Operation operation) {
    return switch (operation.operator()) {
      case Structure.CallFunction called -> program.find(called.function());
      case Structure.CallMethod called ->
          known.of(operation.operands().get(0)) instanceof ObjectValue object
              ? program.find(object.layout().name() + "." + called.method())
              : null;
      default -> null;
    };
  }

  private static void release(int[] ending, Site site, List<Step> list) {
    if (ending.length > 0 && list.isEmpty()) {
      list.add(Step.releasing(site, ending));
    } else if (ending.length > 0) {
      list.add(list.removeLast().releasing(ending));
    }
  }

  private Site site(Operation operation, Site.@Nullable Region region) {
    if (call != null) {
      draft.tryStep();
    }
    return new Site(draft.number(), operation.source(), region, call);
  }

  private Step step(Operation operation, Liveness liveness, Site.@Nullable Region region) {
    Site site = site(operation, region);
    int own = operation.operands().size() - (script == null ? 0 : operation.handed());
    int[] operands = registers(operation.operands().subList(0, own));
    int[] results = registers(operation.results());
    int[] ending = ending(operation, liveness);
    return switch (operation.operator()) {
      case Structure structure -> {
        draft.read(operands);
        Action action = action(structure, operation, site, liveness);
        Step step = new Step(operation.name(), site, action, operands, results, ending);
        if (action instanceof CallAction) {
          draft.add(step);
        }
        yield step;
      }
      case Operator.Entry entry -> {
        Door door = draft.door(entry.name(), this::door);
        draft.read(door.definition(), operands);
        int[] arguments = withAttributes(operands, entry, door.definition().schema());
        boolean unread = isUnread(operation, liveness);
        KernelAction kernel = new KernelAction(door, door.writes(), unread);
        results = unread ? Step.NONE : results;
        FoldedValue folded =
            !unread && isFixed(operation, door, liveness) ? draft.folded(arguments) : null;
        if (folded != null) {
          draft.fold(results[0], folded);
        }
        Action action = folded == null ? kernel : new KernelAction.Folded(kernel, folded);
        Step step = new Step(entry.name(), site, action, arguments, results, ending);
        draft.add(step);
        yield step;
      }
    };
  }

  /** Whether the single result, a tensor, belongs to the kernel alone and is never read. */
  private boolean isUnread(Operation operation, Liveness liveness) {
    return script != null
        && operation.results().size() == 1
        && liveness.isUnread(operation.results().get(0));
  }

  private Action action(Structure structure, Operation operation, Site site, Liveness liveness) {
    if (script != null) {
      operation.forEachHanded(this::same);
    }
    return switch (structure) {
      case Structure.CallFunction called ->
          CallAction.function(variant(called.function(), operation), isScript(called.function()));
      case Structure.CallMethod called ->
          known.of(operation.operands().get(0)) instanceof ObjectValue object
              ? CallAction.function(
                  variant(object.layout().name() + "." + called.method(), operation), true)
              : CallAction.method(called.method());
      case Structure.With with ->
          ControlActions.with(with, site, part(operation, 0, liveness, site.region()));
      case Structure.Plain plain when plain == Structure.Plain.IF ->
          new ControlActions.Branch(
              part(operation, 0, liveness, ControlActions.region(site, true)),
              part(operation, 1, liveness, ControlActions.region(site, false)));
      case Structure.Plain plain when plain == Structure.Plain.LOOP -> {
        int trip = register(operation.blocks().get(0).parameters().get(0));
        boolean[] replaced = new boolean[operation.results().size()];
        for (int i = 0; i < replaced.length; i++) {
          replaced[i] = liveness.replaces(operation, i);
        }
        Site.Region iteration = new Site.Region(site, "iteration", trip);
        yield new ControlActions.Loop(part(operation, 0, liveness, iteration), replaced);
      }
      case Structure other -> StructureActions.of(other, operation.results().size());
    };
  }

  /**
   * @param owner the operation that owns the block; values passed to the block stay in the
   *     registers of its operands
   */
  private ControlActions.Part part(
      Operation owner, int i, Liveness liveness, Site.@Nullable Region region) {
    Block block = owner.blocks().get(i);
    int own = block.parameters().size() - (script == null ? 0 : owner.handed());
    int[] parameters = registers(block.parameters().subList(0, own));
    Code.Body body = body(block, liveness, region);
    return new ControlActions.Part(parameters, body, registers(block.results()));
  }

  /** Whether one result can stand for those of all other calls with the same operands. */
  private boolean isFixed(Operation operation, Door door, Liveness liveness) {
    CatalogEntry definition = door.definition();
    return script != null
        && operation.results().size() == 1
        && operation.results().get(0).type() == Type.Plain.TENSOR
        && definition.closesOnFailure()
        && !door.writes()
        && !definition.effects().drawsRandom()
        && !definition.effects().has(Trait.HAS_SIDE_EFFECTS)
        && liveness.isOnlyRead(operation.results().get(0));
  }

  /**
   * The registers that are not read after {@code operation}, and whose tensors belong to the call.
   */
  private int[] ending(Operation operation, Liveness liveness) {
    List<Value> ending = new ArrayList<>(liveness.endingAt(operation));
    if (script != null && operation.results().size() > 1) {
      for (Value result : operation.results()) {
        if (liveness.isUnread(result)) {
          ending.add(result);
        }
      }
    }
    ending.removeIf(value -> draft.isFolded(register(value)));
    return registers(ending);
  }

  /** Attributes become constants at the positions of their parameters in the schema. */
  private int[] withAttributes(int[] operands, Operator.Entry entry, Schema schema) {
    if (entry.attributes().isEmpty()) {
      return operands;
    }
    int[] arguments = new int[operands.length + entry.attributes().size()];
    int given = 0;
    int next = 0;
    for (Schema.Parameter parameter : schema.parameters()) {
      Attribute attribute = entry.attributes().get(parameter.name());
      arguments[next++] = attribute == null ? operands[given++] : constant(attribute);
    }
    System.arraycopy(operands, given, arguments, next, operands.length - given);
    return arguments;
  }

  /** A register with the value of an attribute. */
  private int constant(Attribute attribute) {
    int register = draft.register();
    draft.hold(register, Constants.valueOf(attribute));
    return register;
  }

  private Door door(String name) {
    CatalogEntry definition = catalog.find(name);
    return Door.to(definition == null ? MissingKernel.named(name) : definition);
  }
}
