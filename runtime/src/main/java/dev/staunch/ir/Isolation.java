package dev.staunch.ir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * Passes outer values to blocks explicitly: they become operands of the operation that owns the
 * blocks, and parameters of the blocks. Takes time linear in the operations and in the values
 * passed; for nested blocks, a value is passed at each level.
 */
final class Isolation {
  /** The values defined in the block or passed to it. */
  private final Set<Value> own = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The outer values that the block uses, and the parameters that stand for them, in order. */
  private final Map<Value, Value> handed = new LinkedHashMap<>();

  /** Is told how many values are about to be passed to blocks, and may throw to stop. */
  private final IntConsumer handing;

  private final Block block;
  private final List<Operation> operations = new ArrayList<>();
  private final List<Value> results;

  private Isolation(Block block, IntConsumer handing) {
    this.block = block;
    this.handing = handing;
    own.addAll(block.parameters());
    for (Operation operation : block.operations()) {
      operations.add(isolated(operation));
      own.addAll(operation.results());
    }
    results = here(block.results());
  }

  /** The body of a function, which has nothing around it. */
  static Block of(Block body, IntConsumer handing) {
    return new Isolation(body, handing).taking(Set.of());
  }

  private Operation isolated(Operation operation) {
    List<Value> operands = operation.operands();
    List<Block> blocks = operation.blocks();
    if (!blocks.isEmpty()) {
      List<Isolation> inner = new ArrayList<>();
      Set<Value> all = new LinkedHashSet<>();
      for (Block each : blocks) {
        Isolation isolation = new Isolation(each, handing);
        inner.add(isolation);
        all.addAll(isolation.handed.keySet());
      }
      handing.accept(all.size() * blocks.size());
      blocks = new ArrayList<>();
      for (Isolation isolation : inner) {
        blocks.add(isolation.taking(all));
      }
      operands = new ArrayList<>(operands);
      operands.addAll(all);
    } else if (own.containsAll(operands)) {
      return operation;
    }
    return new Operation(
        operation.operator(), here(operands), operation.results(), blocks, operation.source());
  }

  /** The block with a parameter for each of {@code all}, whether or not it uses them. */
  private Block taking(Set<Value> all) {
    List<Value> parameters = new ArrayList<>(block.parameters());
    for (Value value : all) {
      Value parameter = handed.get(value);
      parameters.add(parameter == null ? new Value(value) : parameter);
    }
    return new Block(parameters, operations, results, block.end());
  }

  /** The values that stand for {@code values} in the block. */
  private List<Value> here(List<Value> values) {
    List<Value> here = new ArrayList<>(values);
    for (int i = 0; i < here.size(); i++) {
      Value value = here.get(i);
      if (!own.contains(value)) {
        here.set(i, handed.computeIfAbsent(value, Value::new));
      }
    }
    return here;
  }
}
