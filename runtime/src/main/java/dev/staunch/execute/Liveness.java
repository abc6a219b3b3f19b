package dev.staunch.execute;

import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.operation.Effects;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which tensors of a function can be released before the request ends, and after which operation.
 *
 * <p>A tensor is the function's own if it is made by an operation of the catalog, by a call that
 * {@linkplain Ownership gives} it, by both branches of an if, or by each iteration of a loop. It is
 * released after its last use if every use only borrows it: as an operand of an operation of the
 * catalog whose schema takes a tensor there, as an argument that the called function only borrows,
 * or in a list that is only borrowed itself. Everything else lives until the scope closes. The
 * operation that owns blocks uses the values passed to them, and keeps them if the blocks do.
 */
final class Liveness {
  private final Function function;
  private final Catalog catalog;
  private final Calls calls;
  private final Map<Value, Operation> lastUse = new IdentityHashMap<>();

  /** Values that are made here and that nothing else holds when they are made. */
  private final Set<Value> made = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Values that stand for what no execution reads. */
  private final Set<Value> never = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Values that something keeps. */
  private final Set<Value> kept = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Values kept by something other than a block's result. */
  private final Set<Value> keptByOthers = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Lists of tensors made here, and their elements. */
  private final Map<Value, List<Value>> lists = new IdentityHashMap<>();

  /** Those lists in the order in which they were made: each holds only earlier ones. */
  private final List<Value> listsInOrder = new ArrayList<>();

  /** The positions of operations: a later one in the same block has a greater number. */
  private final Map<Operation, Integer> order = new IdentityHashMap<>();

  /** How often a block has a value among its results. */
  private final Map<Block, Map<Value, Integer>> resultCounts = new IdentityHashMap<>();

  private final Map<Operation, List<Value>> ending = new IdentityHashMap<>();

  /** What is known about the functions that are called. */
  interface Calls {
    /** Whether calling {@code function} only borrows its argument {@code i}. */
    boolean borrows(String function, int i);

    /** Whether a caller of {@code function} may release its result {@code i}. */
    boolean gives(String function, int i);
  }

  /** Null until first asked for. */
  private @Nullable ReadOnlyValues readOnly;

  private Liveness(Function function, Catalog catalog, Calls calls) {
    this.function = function;
    this.catalog = catalog;
    this.calls = calls;
  }

  static Liveness of(Function function, Catalog catalog, Calls calls) {
    Liveness liveness = new Liveness(function, catalog, calls);
    liveness.scan(function.body());
    liveness.keepAll(function.body().results());
    liveness.useElements();
    for (Map.Entry<Value, Operation> last : liveness.lastUse.entrySet()) {
      Value value = last.getKey();
      if (liveness.made.contains(value) && !liveness.isKept(value)) {
        liveness.ending.computeIfAbsent(last.getValue(), o -> new ArrayList<>()).add(value);
      }
    }
    return liveness;
  }

  /** The values to release after {@code operation}. */
  List<Value> endingAt(Operation operation) {
    return ending.getOrDefault(operation, List.of());
  }

  /** Whether {@code value}, which is made here, is neither an operand nor a block's result. */
  boolean isUnread(Value value) {
    return made.contains(value) && !lastUse.containsKey(value) && !isKept(value);
  }

  /** As {@link ReadOnlyValues#holds}. */
  boolean isOnlyRead(Value value) {
    ReadOnlyValues known = readOnly;
    if (known == null) {
      known = ReadOnlyValues.of(function, catalog);
      readOnly = known;
    }
    return known.holds(value);
  }

  /** Whether every use of the function's parameter {@code value} only borrows it. */
  boolean borrowed(Value value) {
    return !isKept(value);
  }

  /**
   * Whether result {@code i} of a block was made in it and nothing else holds it, or is never read.
   */
  boolean gives(Block block, int i) {
    Value value = block.results().get(i);
    return never.contains(value)
        || (made.contains(value) && count(block, value) == 1 && !keptByOthers.contains(value));
  }

  private int count(Block block, Value value) {
    Map<Value, Integer> counts = resultCounts.get(block);
    if (counts == null) {
      counts = new IdentityHashMap<>();
      for (Value result : block.results()) {
        counts.merge(result, 1, Integer::sum);
      }
      resultCounts.put(block, counts);
    }
    return counts.getOrDefault(value, 0);
  }

  /**
   * Whether a loop may release its carried value {@code i} once the next iteration has replaced it.
   * It then only borrows the initial value, and always owns the final one.
   */
  boolean replaces(Operation loop, int i) {
    Block body = loop.blocks().get(0);
    return gives(body, i + 1) && !isKept(body.parameters().get(i + 1));
  }

  private boolean isKept(Value value) {
    return kept.contains(value);
  }

  private void keepAll(List<Value> results) {
    for (Value value : results) {
      kept.add(value);
      List<Value> held = lists.get(value);
      if (held != null) {
        for (Value each : held) {
          keep(each);
        }
      }
    }
  }

  /** Keeps a value and the elements of lists in it, each once. */
  private void keep(Value value) {
    Deque<Value> waiting = new ArrayDeque<>(List.of(value));
    for (Value next = waiting.poll(); next != null; next = waiting.poll()) {
      if (keptByOthers.add(next)) {
        kept.add(next);
        waiting.addAll(lists.getOrDefault(next, List.of()));
      }
    }
  }

  private void scan(Block block) {
    for (Operation operation : block.operations()) {
      order.put(operation, order.size());
      for (Block inner : operation.blocks()) {
        scan(inner, operation);
      }
      if (operation.operator() instanceof Operator.Entry entry) {
        computed(operation, entry);
      } else {
        structured(operation);
      }
    }
  }

  private void computed(Operation operation, Operator.Entry entry) {
    CatalogEntry definition = catalog.find(entry.name());
    Effects effects = definition == null ? null : definition.effects();
    boolean inOrder = entry.attributes().isEmpty(); // otherwise operands are in other positions
    List<Value> operands = operation.operands();
    for (int i = 0; i < operands.size(); i++) {
      Value operand = operands.get(i);
      boolean list = lists.containsKey(operand);
      if (effects == null || !inOrder || !(list ? effects.borrowsList(i) : effects.borrows(i))) {
        keep(operand);
      }
      lastUse.put(operand, operation);
    }
    for (int i = 0; effects != null && i < operation.results().size(); i++) {
      if (effects.returnsNew(i)) {
        made.add(operation.results().get(i));
      }
    }
  }

  private void structured(Operation operation) {
    Operator structure = operation.operator();
    if (structure == Structure.Plain.LIST_CONSTRUCT) {
      Value list = operation.results().get(0);
      listsInOrder.add(list);
      lists.put(list, operation.operands());
    } else if (structure == Structure.Plain.UNINITIALIZED) {
      never.addAll(operation.results());
    }
    List<Value> operands = operation.operands();
    for (int i = 0; i < operands.size(); i++) {
      Value operand = operands.get(i);
      if (!borrows(operation, i)) {
        keep(operand);
      }
      lastUse.put(operand, operation);
    }
    List<Value> results = operation.results();
    for (int i = 0; i < results.size(); i++) {
      if (makes(operation, i)) {
        made.add(results.get(i));
      }
    }
  }

  /** What a block does to a value passed to it happens to the operand of its owner. */
  private void scan(Block block, Operation owner) {
    List<Value> parameters = block.parameters();
    List<Value> operands = owner.operands();
    int handed = owner.handed();
    for (int i = 1; i <= handed; i++) {
      Value operand = operands.get(operands.size() - i);
      Value parameter = parameters.get(parameters.size() - i);
      List<Value> held = lists.get(operand);
      if (held != null) {
        lists.put(parameter, held);
      }
      if (never.contains(operand)) {
        never.add(parameter);
      }
    }
    scan(block);
    keepAll(block.results());
    for (int i = 1; i <= handed; i++) {
      if (kept.contains(parameters.get(parameters.size() - i))) {
        keep(operands.get(operands.size() - i)); // as the block's result it is also the operation's
      }
    }
  }

  /**
   * The elements of a list are in use as long as the list. Goes from the last list to the first, so
   * that the last use of each is known by then.
   */
  private void useElements() {
    for (Value list : listsInOrder.reversed()) {
      Operation last = lastUse.get(list);
      for (Value element : lists.getOrDefault(list, List.of())) {
        if (last != null) {
          lastUse.merge(element, last, this::later);
        }
      }
    }
  }

  private Operation later(Operation a, Operation b) {
    return order.getOrDefault(a, 0) >= order.getOrDefault(b, 0) ? a : b;
  }

  /** Whether a structure only borrows its operand {@code i}. */
  private boolean borrows(Operation operation, int i) {
    return switch (operation.operator()) {
      case Structure.IsInstance test -> true;
      case Structure.With with -> isHanded(operation, i);
      case Structure.CallFunction call -> calls.borrows(call.function(), i);
      case Structure.CallMethod call -> calls.borrows(CallGraph.anyOf(call.method()), i);
      case Structure.Plain plain ->
          switch (plain) {
            case PRINT, LIST_CONSTRUCT -> true;
            case IF -> isHanded(operation, i);
            case LOOP -> isHanded(operation, i) || (i >= 2 && replaces(operation, i - 2));
            default -> false;
          };
      case Operator other -> false;
    };
  }

  /** Whether nothing else holds a structure's result {@code i}. */
  private boolean makes(Operation operation, int i) {
    return switch (operation.operator()) {
      case Structure.CallFunction call -> calls.gives(call.function(), i);
      case Structure.CallMethod call -> calls.gives(CallGraph.anyOf(call.method()), i);
      case Structure.Plain plain ->
          switch (plain) {
            case IF -> gives(operation.blocks().get(0), i) && gives(operation.blocks().get(1), i);
            case LOOP -> replaces(operation, i);
            default -> false;
          };
      case Operator other -> false;
    };
  }

  /** Whether operand {@code i} goes to the blocks, which determine what happens to it. */
  private static boolean isHanded(Operation owner, int i) {
    return i >= owner.operands().size() - owner.handed();
  }
}
