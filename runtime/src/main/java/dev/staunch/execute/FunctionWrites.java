package dev.staunch.execute;

import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.operation.Effects;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a call of one function may write: its module's state, its arguments, its results. Values
 * that may share memory, or contain one another, form one group ({@link Aliases}), in whatever
 * order that came about. For a single use. Runs before a first request, so it uses loops: in a new
 * process, linking each lambda takes part of a millisecond.
 */
final class FunctionWrites {
  /** Types of values that hold no memory and no other value. */
  private static final Set<Type.Plain> SIMPLE =
      EnumSet.of(
          Type.Plain.INT,
          Type.Plain.FLOAT,
          Type.Plain.BOOL,
          Type.Plain.STRING,
          Type.Plain.COMPLEX,
          Type.Plain.NUMBER,
          Type.Plain.NONE,
          Type.Plain.DEVICE);

  /** What is known about the functions that are called. */
  interface Calls {
    /** Null for a function that does not exist, is being analyzed, or is too large to analyze. */
    @Nullable Summary summary(Variant variant, int depth);

    /** The functions that a call of {@code method} may reach; the first operand may be known. */
    List<Callee> callees(String method, List<Value> operands, @Nullable Object known);
  }

  /**
   * The effects of a call of a function.
   *
   * @param writes what it writes of the state directly; the parameters say which arguments it
   *     writes
   */
  record Summary(List<Aliases> parameters, List<Aliases> results, StateUse writes) {}

  /**
   * A function that a call may reach.
   *
   * @param object the first argument, if known
   */
  record Callee(String function, @Nullable ObjectValue object) {}

  private final Calls calls;
  private final Catalog catalog;
  private final Variant variant;
  private final int depth;
  private final KnownValues known;
  private final Map<Value, Aliases> aliases = new IdentityHashMap<>();
  private final Aliases state = Aliases.ofState();

  /** Lists that so far were used only by operations that read their tensors. */
  private final Map<Value, Operation> lists = new IdentityHashMap<>();

  private StateUse writes = StateUse.NONE;
  private int operations;

  /** Calls of this very function. */
  private final List<Operation> recursions = new ArrayList<>();

  /**
   * @param known the known values of its parameters
   * @param variant the function, and how it is called
   * @param depth the number of calls around it
   */
  FunctionWrites(Calls calls, Catalog catalog, KnownValues known, Variant variant, int depth) {
    this.calls = calls;
    this.catalog = catalog;
    this.known = known;
    this.variant = variant;
    this.depth = depth;
  }

  /** The number of operations. */
  int operations() {
    return operations;
  }

  Summary of(Function function) {
    List<Value> parameters = function.parameters();
    for (int i = 0; i < parameters.size(); i++) {
      know(parameters.get(i), variant.value(i));
    }
    List<Aliases> given = all(parameters);
    add(function.body());
    List<Aliases> results = all(function.body().results());
    if (writesAnyOf(given) || writesAnyOf(results) || writesState()) {
      recursions.forEach(this::writeOperands); // if it writes nothing, they write nothing
    }
    writesState();
    return new Summary(given, results, writes);
  }

  private static boolean writesAnyOf(List<Aliases> values) {
    boolean any = false;
    for (Aliases each : values) {
      any |= each.isWritten();
    }
    return any;
  }

  private boolean writesState() {
    writes = state.isWritten() ? writes.withState(state.writer()) : writes;
    return writes.state();
  }

  private void know(Value value, @Nullable Object what) {
    known.know(value, what);
    if (what != null && !Constants.isImmutable(what)) {
      join(value, state);
    }
  }

  private Aliases of(Value value) {
    Operation list = lists.remove(value);
    if (list != null) {
      joinAll(list);
    }
    Aliases known = aliases.get(value);
    if (known == null) {
      known = made(value.type());
      aliases.put(value, known);
    }
    return known;
  }

  private static Aliases made(Type type) {
    if (!(type instanceof Type.Tuple tuple)) {
      return new Aliases();
    }
    List<Aliases> elements = new ArrayList<>();
    for (Type element : tuple.elements()) {
      elements.add(made(element));
    }
    return Aliases.ofTuple(elements);
  }

  private List<Aliases> all(List<Value> values) {
    List<Aliases> all = new ArrayList<>();
    for (Value value : values) {
      all.add(of(value));
    }
    return all;
  }

  /** Each of the two values is, or contains, what the other is or contains. */
  private void join(Value one, Value two) {
    if (!isSimple(one.type()) && !isSimple(two.type())) {
      of(one).merge(of(two));
    }
  }

  private void add(Block block) {
    for (Operation operation : block.operations()) {
      operations++;
      Object result = known.result(operation, made -> false);
      if (result != null) {
        know(operation.results().get(0), result);
      } else if (operation.operator() instanceof Operator.Entry entry) {
        computed(operation, entry);
      } else {
        structured(operation, (Structure) operation.operator());
      }
    }
  }

  private void structured(Operation operation, Structure structure) {
    List<Value> operands = operation.operands();
    switch (structure) {
      case Structure.SetAttribute set -> {
        of(operands.get(0)).write(operation.source());
        join(operands.get(0), operands.get(1));
      }
      case Structure.CallFunction called ->
          call(operation, List.of(new Callee(called.function(), null)));
      case Structure.CallMethod called ->
          call(operation, calls.callees(called.method(), operands, known.of(operands.get(0))));
      case Structure.With with -> with(operation, with);
      case Structure.TupleIndex index -> {
        int count = of(operands.get(0)).size();
        int i = (int) (index.index() < 0 ? index.index() + count : index.index());
        join(operation.results().get(0), of(operands.get(0)).element(i, count));
      }
      case Structure.Plain plain -> structured(operation, plain);
      case Structure.Constant _, Structure.IsInstance _, Structure.CreateObject _ -> {}
      case Structure.GetAttribute _, Structure.CheckedCast _ -> joinAll(operation);
    }
  }

  private void structured(Operation operation, Structure.Plain plain) {
    switch (plain) {
      case IF -> branch(operation);
      case LOOP -> loop(operation);
      case TUPLE_CONSTRUCT ->
          aliases.put(operation.results().get(0), Aliases.ofTuple(all(operation.operands())));
      case TUPLE_UNPACK -> {
        int count = operation.results().size();
        for (int i = 0; i < count; i++) {
          join(operation.results().get(i), of(operation.operands().get(0)).element(i, count));
        }
      }
      case LIST_CONSTRUCT -> lists.put(operation.results().get(0), operation);
      case DICT_CONSTRUCT, LIST_UNPACK, CAST -> joinAll(operation);
      case UNINITIALIZED, PRINT -> {}
    }
  }

  private void join(Value value, Aliases other) {
    if (!isSimple(value.type())) {
      of(value).merge(other);
    }
  }

  /** All operands and results of the operation may share memory. */
  private void joinAll(Operation operation) {
    Aliases all = new Aliases();
    for (Value operand : operation.operands()) {
      join(operand, all);
    }
    for (Value result : operation.results()) {
      join(result, all);
    }
  }

  private void unknown(Operation operation) {
    joinAll(operation);
    writeOperands(operation);
  }

  private void writeOperands(Operation operation) {
    for (Value operand : operation.operands()) {
      if (!isSimple(operand.type())) {
        of(operand).write(operation.source());
      }
    }
  }

  private void branch(Operation branch) {
    branch.forEachHanded(this::same);
    Object taken = known.of(branch.operands().get(0));
    for (int arm = 0; arm < 2; arm++) {
      if (taken == null || taken.equals(arm == 0)) {
        Block block = branch.blocks().get(arm);
        add(block);
        for (int i = 0; i < branch.results().size(); i++) {
          join(branch.results().get(i), block.results().get(i));
          known.know(
              branch.results().get(i), taken == null ? null : known.of(block.results().get(i)));
        }
      }
    }
  }

  private void same(Value handed, Value operand) {
    known.know(handed, known.of(operand));
    aliases.put(handed, of(operand));
  }

  private void loop(Operation loop) {
    loop.forEachHanded(this::same);
    Block body = loop.blocks().get(0);
    for (int i = 0; i < loop.results().size(); i++) {
      join(body.parameters().get(i + 1), loop.operands().get(i + 2));
      join(loop.results().get(i), body.parameters().get(i + 1));
    }
    add(body);
    for (int i = 0; i < loop.results().size(); i++) {
      join(body.results().get(i + 1), body.parameters().get(i + 1));
    }
  }

  private void with(Operation operation, Structure.With with) {
    Value manager = operation.operands().get(0);
    operation.forEachHanded(this::same);
    Block body = operation.blocks().get(0);
    Object none = None.NONE;
    List<Aliases> entered =
        call(operation, with.enter(), List.of(of(manager)), asList(known.of(manager)));
    if (body.parameters().size() > operation.handed()) {
      join(body.parameters().get(0), entered.isEmpty() ? of(manager) : entered.getFirst());
    }
    add(body);
    Aliases nothing = new Aliases();
    call(
        operation,
        with.exit(),
        List.of(of(manager), nothing, nothing, nothing),
        asList(known.of(manager), none, none, none));
    for (int i = 0; i < operation.results().size(); i++) {
      join(operation.results().get(i), body.results().get(i));
    }
  }

  private void call(Operation operation, List<Callee> callees) {
    List<@Nullable Object> arguments = new ArrayList<>();
    for (Value operand : operation.operands()) {
      arguments.add(known.of(operand));
    }
    if (callees.isEmpty()) {
      unknown(operation);
    }
    for (Callee callee : callees) {
      List<@Nullable Object> values = new ArrayList<>(arguments);
      if (callee.object != null) {
        values.set(0, callee.object);
      }
      List<Aliases> given = all(operation.operands());
      List<Aliases> results = call(operation, callee.function, given, values);
      for (int i = 0; i < Math.min(results.size(), operation.results().size()); i++) {
        join(operation.results().get(i), results.get(i));
      }
    }
  }

  /** The results of a call of {@code function}; applies its effects to the arguments. */
  private List<Aliases> call(
      Operation at, String function, List<Aliases> arguments, List<@Nullable Object> values) {
    Variant called = Variant.ofValues(function, values);
    Summary summary = calls.summary(called, depth + 1);
    if (summary == null && called.equals(variant)) {
      joinAll(at);
      recursions.add(at);
      return List.of();
    }
    if (summary == null || summary.parameters.size() != arguments.size()) {
      unknown(at);
      return List.of();
    }
    writes = writes.and(summary.writes);
    Map<Aliases, Aliases> here = new IdentityHashMap<>();
    for (int i = 0; i < arguments.size(); i++) {
      arguments.get(i).merge(brought(summary.parameters.get(i), here));
    }
    List<Aliases> results = new ArrayList<>();
    for (Aliases result : summary.results) {
      results.add(brought(result, here));
    }
    return results;
  }

  /** The group here that corresponds to {@code other}, a group of the called function. */
  private Aliases brought(Aliases other, Map<Aliases, Aliases> here) {
    Aliases whole = other.whole();
    Aliases known = here.get(whole);
    if (known != null) {
      return known;
    }
    List<Aliases> elements = new ArrayList<>();
    for (int i = 0; i < whole.size(); i++) {
      elements.add(brought(whole.element(i, whole.size()), here));
    }
    Aliases made = Aliases.ofTuple(elements);
    here.put(whole, made);
    if (whole.isShared()) {
      made.merge(state);
    }
    if (elements.isEmpty() && whole.isWritten()) {
      made.write(whole.writer());
    }
    return made;
  }

  private void computed(Operation operation, Operator.Entry entry) {
    CatalogEntry definition = catalog.find(entry.name());
    if (definition == null || !entry.attributes().isEmpty()) { // operands stand elsewhere then
      unknown(operation);
      return;
    }
    Effects effects = definition.effects();
    List<Value> operands = operation.operands();
    boolean container = false;
    for (int i = 0; i < operands.size(); i++) {
      if (effects.writes(i) || mayMove(effects, i, operands)) {
        of(operands.get(i)).write(operation.source());
        container |= operands.get(i).type() != Type.Plain.TENSOR;
      }
    }
    if (container) { // which may hold the others from now on
      joinAll(operation);
    }
    for (int i = 0; i < operation.results().size(); i++) {
      result(operation, i, definition);
      if (effects.has(Trait.TAKES_APART)) {
        join(operation.results().get(i), state); // must be assumed
      }
    }
  }

  /** Whether statistics may be updated: not if the flag is known to be false. */
  private boolean mayMove(Effects effects, int parameter, List<Value> operands) {
    return effects.mayUpdateState(parameter)
        && (effects.flag() >= operands.size()
            || !Boolean.FALSE.equals(known.of(operands.get(effects.flag()))));
  }

  /**
   * A result may be part of operands, as the schema says; a tensor for which it says nothing is
   * new.
   */
  private void result(Operation operation, int i, CatalogEntry definition) {
    Value result = operation.results().get(i);
    if (isSimple(result.type())) {
      return;
    }
    Effects effects = definition.effects();
    Schema schema = definition.schema();
    Schema.Result declared = i < schema.results().size() ? schema.results().get(i) : null;
    int source = effects.aliasOf(i) == Effects.NONE ? effects.viewed(i) : effects.aliasOf(i);
    String alias = declared == null ? null : declared.alias();
    if (declared == null || (alias == null && !isTensor(declared.type())) || "*".equals(alias)) {
      for (Value operand : operation.operands()) {
        if (!isOfNumbers(result.type()) || !isOfTensors(operand.type())) {
          join(result, operand);
        }
      }
      return;
    }
    for (int p = 0; p < operation.operands().size(); p++) {
      if (p == source
          || (alias != null
              && p < schema.parameters().size()
              && schema.parameters().get(p).alias() != null)) {
        join(result, operation.operands().get(p));
      }
    }
  }

  private static List<@Nullable Object> asList(@Nullable Object... values) {
    return Arrays.asList(values);
  }

  private static boolean isTensor(Type type) {
    return type == Type.Plain.TENSOR
        || (type instanceof Type.Optional optional && isTensor(optional.element()));
  }

  /** Whether the type is a list of values that hold no memory, such as the sizes of a tensor. */
  private static boolean isOfNumbers(Type type) {
    return type instanceof Type.ListOf list && isSimple(list.element());
  }

  private static boolean isOfTensors(Type type) {
    return isTensor(type) || (type instanceof Type.ListOf list && isTensor(list.element()));
  }

  private static boolean isSimple(Type type) {
    Type bare = type instanceof Type.Optional optional ? optional.element() : type;
    return bare instanceof Type.Plain plain && SIMPLE.contains(plain);
  }
}
