package dev.staunch.ir;

import java.util.List;

/**
 * A straight run of operations with parameters and results. A block sees the values of the blocks
 * around it.
 *
 * @param results what the block hands to the operation that owns it, or what the function returns
 */
public record Block(List<Value> parameters, List<Operation> operations, List<Value> results) {
  public Block {
    parameters = List.copyOf(parameters);
    operations = List.copyOf(operations);
    results = List.copyOf(results);
  }
}
