package dev.staunch.operation;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a pointwise operation combines the elements at one position of its operands, as data: what
 * its loops compute, for code that fuses or differentiates operations.
 *
 * @param name the name of its line in the table of formulas
 * @param operands the names of the elements in its expressions, in order
 * @param constants the values of the other names
 * @param texts one expression for each supported kind of number
 */
public record Formula(
    String name, List<String> operands, Map<String, Object> constants, Map<Kind, String> texts) {

  /** The kinds of number that elements are combined as. */
  public enum Kind {
    /** float64, to which narrower elements are widened; the result is rounded once. */
    REAL,
    /** int64, and bools as 0 and 1. */
    INTEGER,
    /** float32, where the result has the same bits as a float64 result that is rounded once. */
    FLOAT
  }

  public Formula {
    operands = List.copyOf(operands);
    constants = Map.copyOf(constants);
    texts = Map.copyOf(texts);
  }

  /** The expression for a kind of number; null if the kind is not supported. */
  public @Nullable Expression expression(Kind kind) {
    String text = texts.get(kind);
    return text == null ? null : Expression.parse(text);
  }
}
