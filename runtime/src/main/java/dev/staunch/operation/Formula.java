package dev.staunch.operation;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a pointwise operation combines the elements in one place of its operands, as data: what its
 * loops compute, for whoever fuses or differentiates.
 *
 * @param name that of its line in the table of formulas
 * @param operands the names that its expressions have for elements, in order
 * @param constants the values of the other names
 * @param texts an expression for each kind of number that is taken
 */
public record Formula(
    String name, List<String> operands, Map<String, Object> constants, Map<Kind, String> texts) {

  /** What elements are combined as. */
  public enum Kind {
    /** float64, to which others are widened, and rounded once. */
    REAL,
    /** int64, and bools as 0 and 1. */
    INTEGER,
    /** float32, where it gives the same bits as reals that are rounded once. */
    FLOAT
  }

  public Formula {
    operands = List.copyOf(operands);
    constants = Map.copyOf(constants);
    texts = Map.copyOf(texts);
  }

  /** The expression for a kind of number; null if it is not taken. */
  public @Nullable Expression expression(Kind kind) {
    String text = texts.get(kind);
    return text == null ? null : Expression.parse(text);
  }
}
