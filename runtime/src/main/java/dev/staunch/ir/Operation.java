package dev.staunch.ir;

import dev.staunch.fault.SourceLocation;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One step of a function.
 *
 * @param operator what it does
 * @param blocks the operation's regions, such as both branches of an if
 * @param source the line that asked for it, if known
 */
public record Operation(
    Operator operator,
    List<Value> operands,
    List<Value> results,
    List<Block> blocks,
    @Nullable SourceLocation source) {

  public Operation {
    operands = List.copyOf(operands);
    results = List.copyOf(results);
    blocks = List.copyOf(blocks);
  }

  /** An operation without blocks and without a source line. */
  public Operation(Operator operator, List<Value> operands, List<Value> results) {
    this(operator, operands, results, List.of(), null);
  }

  /**
   * How many of the last operands are passed unchanged to each of the blocks, as the last of its
   * parameters.
   */
  public int handed() {
    // not a switch: linking one over constants among types costs a new process ten milliseconds
    int own = operands.size();
    if (operator instanceof Structure.With || operator == Structure.Plain.IF) {
      own = 1;
    } else if (operator == Structure.Plain.LOOP) {
      own = 2 + results.size();
    }
    return operands.size() - own;
  }

  /** Visits each parameter through which a block is passed an operand, and that operand. */
  public void forEachHanded(BiConsumer<Value, Value> each) {
    int handed = handed();
    for (Block block : blocks) {
      int parameters = block.parameters().size();
      for (int i = handed; i > 0; i--) {
        each.accept(block.parameters().get(parameters - i), operands.get(operands.size() - i));
      }
    }
  }

  /** The name in the IR: the qualified name of a catalog entry, or a keyword. */
  public String name() {
    return operator.word();
  }
}
