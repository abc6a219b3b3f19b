package dev.staunch.ir;

import dev.staunch.fault.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A straight run of operations with parameters and results. A block sees the values of the blocks
 * around it.
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

  /** A block whose end has no line of its own. */
  public Block(List<Value> parameters, List<Operation> operations, List<Value> results) {
    this(parameters, operations, results, null);
  }
}
