package dev.staunch.torchscript;

import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Attribute;
import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.DTypeTrials;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Infers the dtypes of a program's values before it runs. Dtypes come from weights, constants, and
 * operations with a fixed result dtype, such as casts and comparisons; they are followed through
 * calls, branches and loops. Of a function's arguments, only what its caller knows is known.
 * Whatever is known of a value holds on every path that leads to it.
 *
 * <p>What is known of a value is one of: the {@link DType} of a tensor, or of all tensors in a
 * list; an object of the module; a number, truth value or None; for a tuple, the list of what is
 * known of its elements; or null if nothing is known.
 */
final class DTypeFlow {
  /** Is notified of operations that have no kernel for the dtype of their operands. */
  interface Listener {
    /**
     * @param passable whether a run may bypass the operation
     */
    void missing(String operation, DType dtype, @Nullable SourceLocation source, boolean passable);
  }

  /**
   * The most operations to follow; beyond this, results of nested loops and calls remain unknown.
   */
  private static final int MOST_STEPS = 500_000;

  private static final int DEEPEST_CALL = 100;

  private enum Unread {
    /** What is known of a value that no run reads. */
    NEVER
  }

  /** How a block is examined, and whether findings are reported. */
  private enum Look {
    /** To find what stays the same in every iteration of a loop; reports nothing. */
    SILENT,
    PASSABLE,
    SURE
  }

  private record Call(String function, List<@Nullable Object> arguments) {}

  private record Known(Look look, List<@Nullable Object> results) {}

  private final Program program;
  private final Catalog catalog;
  private final Listener listener;

  /** The names of attributes that some function sets; nothing is known of those. */
  private final Set<String> stored = new HashSet<>();

  private final Map<Call, Known> calls = new HashMap<>();
  private final Map<Function, Set<Value>> shared = new IdentityHashMap<>();
  private final Map<CatalogEntry, Optional<DTypeTrials>> trials = new HashMap<>();
  private int steps;
  private int depth;

  DTypeFlow(Program program, Catalog catalog, Listener listener) {
    this.program = program;
    this.catalog = catalog;
    this.listener = listener;
    program.functions().forEach(function -> addStored(function.body()));
  }

  private void addStored(Block block) {
    for (Operation operation : block.operations()) {
      if (operation.operator() instanceof Structure.SetAttribute set) {
        stored.add(set.attribute());
      }
      operation.blocks().forEach(this::addStored);
    }
  }

  /** Follows a method of {@code object}; nothing is known of its other arguments. */
  void follow(String method, ObjectValue object) {
    call(method, List.of(object), Look.SURE);
  }

  private List<@Nullable Object> call(String name, List<@Nullable Object> arguments, Look look) {
    Function function = program.find(name);
    if (function == null) {
      return List.of();
    }
    Call call = new Call(name, arguments);
    Known before = calls.get(call);
    if (before != null && before.look().compareTo(look) >= 0) {
      return before.results();
    }
    List<@Nullable Object> unknown = Collections.nCopies(function.body().results().size(), null);
    if (depth == DEEPEST_CALL) {
      return unknown;
    }
    calls.put(call, new Known(look, unknown)); // what a recursive call sees
    depth++;
    Set<Value> held = shared.computeIfAbsent(function, any -> shared(function.body()));
    List<@Nullable Object> results = new Frame(held).run(function.body(), arguments, look);
    depth--;
    calls.put(call, new Known(look, results));
    return results;
  }

  /**
   * The lists in a function that may be changed, by the function itself or by code it passes them
   * to.
   */
  private static Set<Value> shared(Block block) {
    Set<Value> found = new HashSet<>(block.results());
    for (Operation operation : block.operations()) {
      for (int i = 0; i < operation.operands().size() - operation.handed(); i++) {
        boolean reads =
            operation.operator() instanceof Operator.Entry entry
                ? !entry.definition().effects().writes(i)
                : operation.operator() == Structure.Plain.LIST_UNPACK;
        if (!reads) {
          found.add(operation.operands().get(i));
        }
      }
      operation.blocks().forEach(inner -> found.addAll(shared(inner)));
      operation.forEachHanded((parameter, operand) -> {
        if (found.contains(parameter)) {
          found.add(operand);
        }
      });
    }
    return found;
  }

  /** What is known in both cases. */
  private static @Nullable Object join(@Nullable Object one, @Nullable Object other) {
    if (one == Unread.NEVER || Objects.equals(one, other)) {
      return other;
    }
    return other == Unread.NEVER ? one : null;
  }

  /** What is known of all of these. */
  private static @Nullable Object join(List<@Nullable Object> all) {
    Object joined = Unread.NEVER;
    for (Object each : all) {
      joined = join(joined, each);
    }
    return joined == Unread.NEVER ? null : joined;
  }

  /** The values of one call of a function. */
  private final class Frame {
    private final Map<Value, Object> known = new IdentityHashMap<>();
    private final Set<Value> held;

    Frame(Set<Value> held) {
      this.held = held;
    }

    private @Nullable Object of(Value value) {
      return known.get(value);
    }

    private List<@Nullable Object> of(List<Value> values) {
      List<@Nullable Object> all = new ArrayList<>();
      values.forEach(value -> all.add(of(value)));
      return all;
    }

    private void note(Value value, @Nullable Object what) {
      boolean changing = value.type() instanceof Type.ListOf && held.contains(value);
      if (what == null || (changing && what != Unread.NEVER)) {
        known.remove(value);
      } else {
        known.put(value, what);
      }
    }

    private void note(List<Value> values, List<@Nullable Object> what) {
      for (int i = 0; i < values.size(); i++) {
        note(values.get(i), i < what.size() ? what.get(i) : null);
      }
    }

    /** Follows a block; returns what is known of its results. */
    List<@Nullable Object> run(Block block, List<@Nullable Object> arguments, Look look) {
      note(block.parameters(), arguments);
      for (Operation operation : block.operations()) {
        if (steps == MOST_STEPS) {
          return Collections.nCopies(block.results().size(), null);
        }
        steps++;
        note(operation.results(), results(operation, look));
      }
      return of(block.results());
    }

    private List<@Nullable Object> results(Operation operation, Look look) {
      List<@Nullable Object> operands = of(operation.operands());
      return switch (operation.operator()) {
        case Structure.Constant constant -> one(value(constant.value()));
        case Structure.GetAttribute get -> one(attribute(operands.getFirst(), get.attribute()));
        case Structure.CallFunction called -> call(called.function(), operands, look);
        case Structure.CallMethod called -> method(called.method(), operands, passable(look));
        case Structure.With with -> {
          Block block = operation.blocks().getFirst();
          List<@Nullable Object> manager = operands.subList(0, 1);
          List<@Nullable Object> entered = call(with.enter(), manager, look);
          List<@Nullable Object> arguments = new ArrayList<>(operands.subList(1, operands.size()));
          if (block.parameters().size() > arguments.size()) {
            arguments.addFirst(entered.isEmpty() ? null : entered.getFirst());
          }
          run(block, arguments, look);
          call(with.exit(), manager, look);
          yield List.of();
        }
        case Structure.CheckedCast cast -> operands;
        case Structure.TupleIndex at ->
            one(
                operands.getFirst() instanceof List<?> tuple
                    ? tuple.get((int) (at.index() < 0 ? tuple.size() + at.index() : at.index()))
                    : null);
        case Structure.Plain plain -> built(plain, operation, operands, look);
        case Structure other -> List.of();
        case Operator.Entry entry -> computed(operation, operands, look);
      };
    }

    private List<@Nullable Object> built(
        Structure.Plain plain, Operation operation, List<@Nullable Object> operands, Look look) {
      return switch (plain) {
        case LIST_CONSTRUCT -> one(join(operands) instanceof DType dtype ? dtype : null);
        case LIST_UNPACK -> Collections.nCopies(operation.results().size(), operands.getFirst());
        case TUPLE_CONSTRUCT -> one(Collections.unmodifiableList(operands));
        case TUPLE_UNPACK -> {
          List<@Nullable Object> parts = new ArrayList<>();
          if (operands.getFirst() instanceof List<?> tuple) {
            parts.addAll(tuple);
          }
          yield parts;
        }
        case CAST -> operands;
        case UNINITIALIZED -> one(Unread.NEVER);
        case IF -> branches(operation, operands, passable(look));
        case LOOP -> loop(operation, operands, passable(look));
        case DICT_CONSTRUCT, PRINT -> List.of();
      };
    }

    private List<@Nullable Object> branches(
        Operation branches, List<@Nullable Object> operands, Look look) {
      List<@Nullable Object> arguments = operands.subList(1, operands.size());
      List<@Nullable Object> one = run(branches.blocks().getFirst(), arguments, look);
      return joined(one, run(branches.blocks().getLast(), arguments, look));
    }

    private static List<@Nullable Object> joined(
        List<@Nullable Object> one, List<@Nullable Object> other) {
      List<@Nullable Object> joined = new ArrayList<>();
      for (int i = 0; i < one.size(); i++) {
        joined.add(join(one.get(i), other.get(i)));
      }
      return joined;
    }

    /** What is known of a loop-carried value, as far as no iteration changes it. */
    private List<@Nullable Object> loop(
        Operation loop, List<@Nullable Object> operands, Look look) {
      Block body = loop.blocks().getFirst();
      int first = operands.size() - loop.handed();
      List<@Nullable Object> carried = operands.subList(2, first);
      List<@Nullable Object> handed = operands.subList(first, operands.size());
      while (true) {
        List<@Nullable Object> next = run(body, round(carried, handed), Look.SILENT);
        List<@Nullable Object> joined = joined(carried, next.subList(1, next.size()));
        if (joined.equals(carried)) {
          break;
        }
        carried = joined;
      }
      run(body, round(carried, handed), look);
      return carried;
    }

    /**
     * The arguments of a loop body: an unknown number, then the carried values and those handed on.
     */
    private static List<@Nullable Object> round(
        List<@Nullable Object> carried, List<@Nullable Object> handed) {
      List<@Nullable Object> arguments = new ArrayList<>(one(null));
      arguments.addAll(carried);
      arguments.addAll(handed);
      return arguments;
    }

    private List<@Nullable Object> computed(
        Operation operation, List<@Nullable Object> operands, Look look) {
      if (operands.contains(Unread.NEVER)) {
        return never(operation);
      }
      CatalogEntry entry = catalog.find(operation.name());
      if (entry == null || entry.kernel() == null) {
        return List.of();
      }
      DTypeTrials trial = trials.computeIfAbsent(entry, DTypeFlow::trials).orElse(null);
      if (trial == null || trial.size() != operands.size()) {
        return one(element(entry.schema(), operands));
      }
      List<Object> given = new ArrayList<>();
      for (int i = 0; i < operands.size(); i++) {
        Object operand = operands.get(i);
        given.add(operand == null ? operation.operands().get(i).type() : operand);
      }
      DTypeTrials.Answer answer = trial.answer(given);
      if (answer.refused() == null) {
        return answer.results();
      }
      if (look != Look.SILENT) {
        listener.missing(
            operation.name(), answer.refused(), operation.source(), look == Look.PASSABLE);
      }
      return never(operation);
    }

    private static List<@Nullable Object> never(Operation operation) {
      return Collections.nCopies(operation.results().size(), Unread.NEVER);
    }
  }

  private static Optional<DTypeTrials> trials(CatalogEntry operation) {
    return Optional.ofNullable(DTypeTrials.of(operation));
  }

  /** What is known of the result of an operation on lists of any type, such as an element. */
  private static @Nullable Object element(Schema schema, List<@Nullable Object> operands) {
    if (schema.variadic()
        || schema.results().size() != 1
        || !isFree(schema.results().getFirst().type())) {
      return null;
    }
    List<@Nullable Object> alike = new ArrayList<>();
    for (int i = 0; i < operands.size(); i++) {
      if (isFree(schema.parameters().get(i).type())) {
        alike.add(operands.get(i));
      }
    }
    return join(alike) instanceof DType dtype ? dtype : null;
  }

  private static boolean isFree(Type type) {
    return switch (type) {
      case Type.Variable variable -> true;
      case Type.ListOf list -> isFree(list.element());
      case Type.Optional optional -> isFree(optional.element());
      case Type.Dict dict -> isFree(dict.value());
      default -> false;
    };
  }

  /**
   * What is known of a method's results. Behind an interface there may be any class that has a
   * method with that name.
   */
  private List<@Nullable Object> method(String name, List<@Nullable Object> arguments, Look look) {
    if (arguments.getFirst() instanceof ObjectValue object) {
      return call(object.layout().name() + "." + name, arguments, look);
    }
    for (Function function : program.functions()) {
      if (function.name().endsWith("." + name)) {
        call(function.name(), arguments, look);
      }
    }
    return List.of();
  }

  private @Nullable Object attribute(@Nullable Object object, String name) {
    if (!(object instanceof ObjectValue known) || stored.contains(name)) {
      return null;
    }
    int slot = known.layout().indexOf(name);
    Object value = slot < 0 ? null : known.get(slot);
    return switch (value) {
      case DenseTensor tensor -> tensor.dtype();
      case ObjectValue _, Number _, Boolean _, String _, None _ -> value;
      case null, default -> null;
    };
  }

  private static @Nullable Object value(Attribute constant) {
    return switch (constant) {
      case Attribute.Int number -> number.value();
      case Attribute.Real number -> number.value();
      case Attribute.Bool flag -> flag.value();
      case Attribute.Text text -> text.value();
      case Attribute.None none -> None.NONE;
      case Attribute.Dense dense -> dense.tensor().dtype();
      default -> null;
    };
  }

  private static Look passable(Look look) {
    return look == Look.SILENT ? look : Look.PASSABLE;
  }

  private static List<@Nullable Object> one(@Nullable Object what) {
    return Arrays.asList(what);
  }
}
