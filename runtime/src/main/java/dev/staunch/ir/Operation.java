package dev.staunch.ir;

import dev.staunch.fault.SourceLocation;
import java.util.List;
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

  /** One without blocks that no line asked for. */
  public Operation(Operator operator, List<Value> operands, List<Value> results) {
    this(operator, operands, results, List.of(), null);
  }

  /** What it is called in the IR: the qualified name of an entry of the catalog, or a word. */
  public String name() {
    return operator.word();
  }
}
