package dev.staunch.operation;

import java.util.List;

/** An expression over the elements and constants of a {@link Formula}, with Java's meaning. */
public sealed interface Expression {

  /** A number, {@code Double} or {@code Long}, or a {@code Boolean}. */
  record Literal(Object value) implements Expression {}

  /**
   * An operand, a constant, or a constant of the functions' own: {@code LOG_2}, {@code Math.PI}.
   */
  record Name(String name) implements Expression {}

  /** {@code -}, {@code ~} or {@code !} before an operand; or a cast, {@code (double)}. */
  record Unary(String operator, Expression operand) implements Expression {}

  /** An operator of arithmetic, of bits, of comparison or of logic between two operands. */
  record Binary(String operator, Expression left, Expression right) implements Expression {}

  /** {@code condition ? yes : no}. */
  record Choice(Expression condition, Expression yes, Expression no) implements Expression {}

  /** A function of the JDK's {@code Math}, or of the runtime's own, by its name. */
  record Function(String name, List<Expression> arguments) implements Expression {
    public Function {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException if the text is none
   */
  static Expression parse(String text) {
    return new ExpressionText(text).whole();
  }
}
