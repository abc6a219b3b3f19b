package dev.staunch.ir;

import dev.staunch.fault.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A straight-line sequence of operations with parameters and results. A block sees only its
 * parameters and the values that it defines. The operation that owns the block takes the outer
 * values that the block needs as operands and passes them on ({@link Operation#handed}).
 *
 * @param results what the block passes to the operation that owns it, or what the function returns
 * @param end where the block ends in the program's text, if known
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

  /** The operations; each is followed by those of its blocks. */
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

  /**
   * Whether there are more than {@code most} operations, including those in inner blocks; stops
   * counting there.
   */
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
   * An isolated form of this block, which is a function's body whose inner blocks may use outer
   * values: the values are passed to them. All blocks of an operation are passed the same values.
   *
   * @param handing is told each time how many values an operation is about to pass to its blocks.
   *     It may throw to stop this, because a value used in nested blocks is passed at each level.
   */
  public Block isolated(IntConsumer handing) {
    return Isolation.of(this, handing);
  }

  /** A block whose end has no known line. */
  public Block(List<Value> parameters, List<Operation> operations, List<Value> results) {
    this(parameters, operations, results, null);
  }
}
