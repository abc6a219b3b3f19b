package dev.staunch.ir;

import dev.staunch.fault.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A straight run of operations with parameters and results. A block sees nothing but its parameters
 * and what it defines: what it needs from around it, the operation that owns it takes as operands
 * and hands on ({@link Operation#handed}).
 *
 * @param results what the block hands to the operation that owns it, or what the function returns
 * @param end where the program's text says so, if it is known
 */
public record Block(
    List<Value> parameters,
    List<Operation> operations,
    List<Value> results,
    @Nullable SourceLocation end) {
  public Block {
    parameters = List.copyOf(parameters);
    operations = List.copyOf(operations);
    results = List.copyOf(results);
  }

  /** The operations, behind each those of its blocks. */
  public List<Operation> all() {
    List<Operation> all = new ArrayList<>();
    addTo(all);
    return all;
  }

  private void addTo(List<Operation> all) {
    for (Operation operation : operations) {
      all.add(operation);
      for (Block inner : operation.blocks()) {
        inner.addTo(all);
      }
    }
  }

  /** Whether there are more than {@code most}, those of its blocks included; does not count all. */
  public boolean hasMoreOperationsThan(int most) {
    return countUpTo(most) > most;
  }

  private int countUpTo(int most) {
    int count = operations.size();
    for (int i = 0; i < operations.size() && count <= most; i++) {
      for (Block inner : operations.get(i).blocks()) {
        count += inner.countUpTo(most - count);
      }
    }
    return count;
  }

  /**
   * This, a function's body, whose inner blocks may use values from around them: they are handed
   * those. Each block of an operation is handed the same.
   *
   * @param handing is told each time how many values an operation is about to hand to its blocks;
   *     it may throw to stop that, for what goes through many blocks in blocks is handed at each
   *     depth
   */
  public Block isolated(IntConsumer handing) {
    return Isolation.of(this, handing);
  }

  /** A block whose end has no line of its own. */
  public Block(List<Value> parameters, List<Operation> operations, List<Value> results) {
    this(parameters, operations, results, null);
  }
}
