package dev.staunch.kernel.loop;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.operation.Operands;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/**
 * The common case of a pointwise operation: it combines its first arguments, as many as the rule
 * takes, in the dtype that they are promoted to.
 *
 * @param name the name in messages
 */
public record Elementwise(String name, Rule rule, Kind kind) implements Pointwise.Choice {
  /** How the result's dtype follows from the operands' common dtype. */
  public enum Kind {
    /** The result has it. */
    SAME,
    /** The result has it, but bool is refused. */
    NUMBERS,
    /** The result has it; integers and bools become reals. */
    REAL,
    /** The result is bool. */
    ANSWER
  }

  /** Adds operations of {@code kind}, and their in-place forms, that take only self. */
  public static void functions(Catalog.Builder catalog, Kind kind, Rule rule, String... names) {
    for (String name : names) {
      Pointwise.both(catalog, name, "", "", new Elementwise(name, rule, kind));
    }
  }

  @Override
  public @Nullable Rule rule(Operands operands) {
    return kind == Kind.ANSWER || rule.operands() > 2 ? null : rule;
  }

  @Override
  public Object of(Operands operands) {
    Object[] combined = new Object[rule.operands()];
    for (int i = 0; i < combined.length; i++) {
      combined[i] = operands.value(i);
    }
    DType common =
        combined.length == 2
            ? Promotion.common(combined[0], combined[1])
            : Promotion.of(combined).result();
    DType computed = kind == Kind.REAL ? Promotion.floating(common) : common;
    if (kind == Kind.NUMBERS && computed == DType.BOOL) {
      return Pointwise.refusal(name, computed);
    }
    return kind == Kind.ANSWER
        ? Combination.answer(name, computed, rule, combined)
        : Combination.of(name, computed, rule, combined);
  }
}
