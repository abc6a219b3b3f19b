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
import dev.staunch.kernel.Preparation;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns one function into {@link Code}: a register for each value, an action for each operation.
 * What is known before the function runs takes no step: constants, what known objects hold, and the
 * choice of an if between its blocks.
 */
final class Compiler {
  /** Functions of more steps, those of what they call included, are called. */
  private static final int MOST_INLINED = 256;

  /** Functions of more operations are called without a look at how many steps they would be. */
  private static final int MOST_OPERATIONS = 256;

  /** How deep calls in calls are inlined. */
  private static final int DEEPEST_INLINED = 8;

  /** How many steps may be tried for one function in place of calls, in vain or not. */
  private static final int MOST_TRIED = 10_000;

  /** What a function has in common with those that are inlined into it. */
  private static final class Whole {
    final Map<Integer, Object> constants = new HashMap<>();
    final Map<String, Door> doors = new HashMap<>();
    final List<Step> kernels = new ArrayList<>();
    final ChannelsLast.Reads reads = new ChannelsLast.Reads();

    /** The registers of what is the same in every request, and the steps that give it. */
    final Map<Integer, FoldedValue> folded = new HashMap<>();

    int registers;
    int steps;
    int tried;

    /**
     * The function's name, if it is a script's: its calls may be inlined, and what blocks are
     * handed stays in its register. In a dataflow function it may be still to come.
     */
    @Nullable String script;
  }

  private final Program program;
  private final Catalog catalog;
  private final Ownership ownership;
  private final KnownValues known;
  private final ModelConstants tensors;
  private final Whole whole;
  private final Map<Value, Integer> registers = new IdentityHashMap<>();

  /** The call in whose place the steps stand, if they do. */
  private final Site.@Nullable Inlined call;

  /**
   * @param known what values are known to be
   * @param tensors those that a module holds
   */
  Compiler(
      Program program,
      Catalog catalog,
      Ownership ownership,
      KnownValues known,
      ModelConstants tensors) {
    this.program = program;
    this.catalog = catalog;
    this.ownership = ownership;
    this.known = known;
    this.tensors = tensors;
    this.whole = new Whole();
    this.call = null;
  }

  private Compiler(Compiler around, Site.Inlined call) {
    this.program = around.program;
    this.catalog = around.catalog;
    this.ownership = around.ownership;
    this.known = around.known.ofAnotherFunction();
    this.tensors = around.tensors;
    this.whole = around.whole;
    this.call = call;
  }

  Code compile(Function function, Variant variant, int number) {
    whole.script = function.discipline() == Discipline.SEQUENTIAL ? function.name() : null;
    Liveness liveness = Liveness.of(function, catalog, ownership);
    for (int i = 0; i < function.parameters().size(); i++) {
      Object what = variant.known(i);
      known.know(function.parameters().get(i), what instanceof ObjectValue ? what : null);
    }
    int[] parameters = registers(function.parameters());
    Code.Body body = body(function.body(), liveness, null);
    int[] results = registers(function.body().results());
    Object[] template = new Object[whole.registers];
    whole.constants.forEach((register, value) -> template[register] = value);
    Preparation[] preparations = new Preparation[whole.steps];
    Arrays.setAll(preparations, step -> new Preparation(tensors::find));
    return new Code(
        number,
        function.name(),
        function.discipline(),
        template,
        parameters,
        body,
        results,
        whole.steps,
        whole.kernels.toArray(Step[]::new),
        preparations);
  }

  /** Whether {@code function} runs only when all its arguments are there and good. */
  private boolean isScript(String function) {
    Function called = program.find(function);
    return called != null && called.discipline() == Discipline.SEQUENTIAL;
  }

  /** The function called {@code name} for the operands of {@code call}, as far as it is known. */
  private Variant variant(String name, Operation call) {
    List<@Nullable Object> arguments = new ArrayList<>();
    call.operands().forEach(operand -> arguments.add(known.of(operand)));
    return Variant.of(name, arguments);
  }

  private int register(Value value) {
    return registers.computeIfAbsent(value, fresh -> whole.registers++);
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
    whole.reads.add(registers(block.results()));
    return new Code.Body(whole.script == null ? list : planned(list));
  }

  /** The steps, of which some are put together or computed for all iterations of a loop. */
  private List<Step> planned(List<Step> steps) {
    List<Step> ordered =
        ChannelsLast.planned(
            steps, whole.kernels, whole.reads, whole.constants, whole.folded.keySet());
    List<Step> finished = new Finished.Planning(whole.kernels, whole.constants).of(folded(ordered));
    List<Step> joined =
        PointwiseChain.joined(finished, whole.kernels, whole.constants::containsKey);
    return new RowsAhead.Planning(
            whole.kernels, whole.constants, () -> whole.registers++, () -> whole.steps++)
        .of(joined);
  }

  /** The steps, of which those that scale channels are folded into those that sum them up. */
  @SuppressWarnings("ReferenceEquality") // a step has one site, whatever it releases
  private List<Step> folded(List<Step> steps) {
    List<Step> fewer = new ArrayList<>();
    for (Step step : steps) {
      Step last = fewer.isEmpty() ? null : fewer.getLast();
      if (last != null
          && KernelAction.Scaled.fit(last, step)
          && areGiven(last.operands, 1, 3)
          && areGiven(step.operands, 1, step.operands.length)
          && KernelAction.Scaled.scalesOnly(step, constants(step))) {
        int weight = whole.registers++;
        int bias = whole.registers++;
        fewer.removeLast();
        Step both = KernelAction.Scaled.of(last, step, weight, bias, whole.steps++, tensors);
        fewer.add(both);
        whole.kernels.replaceAll(
            each -> each.site == step.site ? KernelAction.Scaled.second(both, step) : each);
      } else {
        fewer.add(step);
      }
    }
    return fewer;
  }

  private Operands constants(Step step) {
    return Operands.of(Arrays.stream(step.operands).mapToObj(whole.constants::get).toArray());
  }

  /** Whether these operands are tensors of the module's, or what cannot change. */
  private boolean areGiven(int[] operands, int from, int to) {
    for (int i = from; i < to; i++) {
      Object value = whole.constants.get(operands[i]);
      if (!Constants.isImmutable(value) && !isOfModule(value)) {
        return false;
      }
    }
    return true;
  }

  private boolean isOfModule(@Nullable Object value) {
    return value instanceof DenseTensor tensor && tensors.find(tensor) != null;
  }

  private void add(Block block, Liveness liveness, Site.@Nullable Region region, List<Step> list) {
    int before = whole.steps;
    for (Operation operation : block.operations()) {
      if (call != null && whole.steps - before > MOST_INLINED) {
        return; // it will be called
      }
      Object result = known.result(operation);
      if (result != null) {
        Value value = operation.results().get(0);
        known.know(value, result);
        whole.constants.put(register(value), result);
      } else if (operation.operator() == Structure.Plain.IF
          && known.of(operation.operands().get(0)) instanceof Boolean taken) {
        addBlock(operation, taken, liveness, region, list);
      } else if (!addCalled(operation, liveness, region, list)) {
        list.add(step(operation, liveness, region));
      }
    }
  }

  /** The block of an if that is always taken, as if it stood in place of the if. */
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

  /** {@code value} is what {@code other} is. */
  private void same(Value value, Value other) {
    same(value, this, other);
  }

  /** As above, of another function. */
  private void same(Value value, Compiler from, Value other) {
    registers.put(value, from.register(other));
    known.know(value, from.known.of(other));
  }

  /**
   * The steps of what is called, as if they stood in place of the call, if it is known and small;
   * else false, and nothing is added.
   */
  private boolean addCalled(
      Operation operation, Liveness liveness, Site.@Nullable Region region, List<Step> list) {
    Function callee = callee(operation);
    if (callee == null || !mayInline(callee)) {
      return false;
    }
    int before = whole.steps;
    int kernels = whole.kernels.size();
    Site site = site(operation, region);
    Compiler inner = new Compiler(this, Site.Inlined.of(site, callee.name()));
    for (int i = 0; i < callee.parameters().size(); i++) {
      inner.same(callee.parameters().get(i), this, operation.operands().get(i));
    }
    List<Step> called = new ArrayList<>();
    inner.add(callee.body(), Liveness.of(callee, catalog, ownership), null, called);
    if (whole.steps - before > MOST_INLINED) {
      whole.steps = before;
      whole.kernels.subList(kernels, whole.kernels.size()).clear();
      return false;
    }
    list.addAll(called);
    for (int i = 0; i < operation.results().size(); i++) {
      same(operation.results().get(i), inner, callee.body().results().get(i));
    }
    release(ending(operation, liveness), site, list);
    return true;
  }

  /** Not what is recursive, whose depth has a bound. */
  private boolean mayInline(Function callee) {
    boolean recursive = callee.name().equals(whole.script);
    int around = 0;
    for (Site.Inlined each = call; each != null; each = each.site().inlined()) {
      recursive |= callee.name().equals(each.function());
      around++;
    }
    return whole.script != null
        && callee.discipline() == Discipline.SEQUENTIAL
        && !recursive
        && around < DEEPEST_INLINED
        && whole.tried < MOST_TRIED
        && !callee.body().hasMoreOperationsThan(MOST_OPERATIONS);
  }

  /** The function that {@code operation} calls, or null if it is no call or that is not known. */
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
    whole.tried += call == null ? 0 : 1;
    return new Site(whole.steps++, operation.source(), region, call);
  }

  private Step step(Operation operation, Liveness liveness, Site.@Nullable Region region) {
    Site site = site(operation, region);
    int own = operation.operands().size() - (whole.script == null ? 0 : operation.handed());
    int[] operands = registers(operation.operands().subList(0, own));
    int[] results = registers(operation.results());
    int[] ending = ending(operation, liveness);
    return switch (operation.operator()) {
      case Structure structure -> {
        whole.reads.add(operands);
        Action action = action(structure, operation, site, liveness);
        yield new Step(operation.name(), site, action, operands, results, ending);
      }
      case Operator.Entry entry -> {
        Door door = whole.doors.computeIfAbsent(entry.name(), this::door);
        whole.reads.add(door.definition(), operands);
        int[] arguments = withAttributes(operands, entry, door.definition().schema());
        boolean unread = isUnread(operation, liveness);
        KernelAction kernel = new KernelAction(door, door.writes(), unread);
        results = unread ? Step.NONE : results;
        FoldedValue folded =
            !unread && isFixed(operation, door, liveness) ? folded(arguments) : null;
        if (folded != null) {
          whole.folded.put(results[0], folded);
        }
        Action action = folded == null ? kernel : new KernelAction.Folded(kernel, folded);
        Step step = new Step(entry.name(), site, action, arguments, results, ending);
        whole.kernels.add(step);
        yield step;
      }
    };
  }

  /** Whether the one result, a tensor, is nobody's but the kernel's, and nobody asks for it. */
  private boolean isUnread(Operation operation, Liveness liveness) {
    return whole.script != null
        && operation.results().size() == 1
        && liveness.isUnread(operation.results().get(0));
  }

  private Action action(Structure structure, Operation operation, Site site, Liveness liveness) {
    if (whole.script != null) {
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
      case Structure.Plain.IF ->
          new ControlActions.Branch(
              part(operation, 0, liveness, ControlActions.region(site, true)),
              part(operation, 1, liveness, ControlActions.region(site, false)));
      case Structure.Plain.LOOP -> {
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
   * @param owner whose block it is: what the block is handed lies in the registers of the operands
   */
  private ControlActions.Part part(
      Operation owner, int i, Liveness liveness, Site.@Nullable Region region) {
    Block block = owner.blocks().get(i);
    int own = block.parameters().size() - (whole.script == null ? 0 : owner.handed());
    int[] parameters = registers(block.parameters().subList(0, own));
    Code.Body body = body(block, liveness, region);
    return new ControlActions.Part(parameters, body, registers(block.results()));
  }

  /** Whether a result can stand for those of all other calls with the same operands. */
  private boolean isFixed(Operation operation, Door door, Liveness liveness) {
    CatalogEntry definition = door.definition();
    return whole.script != null
        && operation.results().size() == 1
        && operation.results().get(0).type() == Type.Plain.TENSOR
        && definition.closesOnFailure()
        && !door.writes()
        && !definition.effects().draws()
        && !definition.effects().has(Trait.ACTS)
        && liveness.isOnlyRead(operation.results().get(0));
  }

  /** What an operation gives if all its operands are known, some tensor among them; else null. */
  private @Nullable FoldedValue folded(int[] operands) {
    List<DenseTensor> given = new ArrayList<>();
    List<FoldedValue> others = new ArrayList<>();
    for (int operand : operands) {
      FoldedValue other = whole.folded.get(operand);
      Object value = whole.constants.get(operand);
      if (other != null) {
        others.add(other);
      } else if (value instanceof DenseTensor tensor && isOfModule(tensor)) {
        given.add(tensor);
      } else if (!Constants.isImmutable(value)) {
        return null;
      }
    }
    boolean any = !given.isEmpty() || !others.isEmpty();
    return any ? new FoldedValue(tensors, given, others) : null;
  }

  /** The registers that nobody reads after {@code operation}, and whose tensors are the call's. */
  private int[] ending(Operation operation, Liveness liveness) {
    List<Value> ending = new ArrayList<>(liveness.endingAt(operation));
    if (whole.script != null && operation.results().size() > 1) {
      for (Value result : operation.results()) {
        if (liveness.isUnread(result)) {
          ending.add(result);
        }
      }
    }
    ending.removeIf(value -> whole.folded.containsKey(register(value)));
    return registers(ending);
  }

  /** Attributes stand where the schema has their parameters, as constants. */
  private int[] withAttributes(int[] operands, Operator.Entry entry, Schema schema) {
    if (entry.attributes().isEmpty()) {
      return operands;
    }
    int[] arguments = new int[operands.length + entry.attributes().size()];
    int given = 0;
    int next = 0;
    for (Schema.Parameter parameter : schema.parameters()) {
      Attribute attribute = entry.attributes().get(parameter.name());
      if (attribute != null) {
        whole.constants.put(whole.registers, Constants.valueOf(attribute));
      }
      arguments[next++] = attribute == null ? operands[given++] : whole.registers++;
    }
    System.arraycopy(operands, given, arguments, next, operands.length - given);
    return arguments;
  }

  private Door door(String name) {
    CatalogEntry definition = catalog.find(name);
    return Door.to(definition == null ? MissingKernel.named(name) : definition);
  }
}
