package dev.staunch.operation;

import java.util.List;

/**
 * An expression over the elements and constants of a {@link Formula}, with the meaning it has in
 * Java.
 */
public sealed interface Expression {

  /** A number, {@code Double} or {@code Long}, or a {@code Boolean}. */
  record Literal(Object value) implements Expression {}

  /** An operand, a constant, or a built-in constant: {@code LOG_2}, {@code Math.PI}. */
  record Name(String name) implements Expression {}

  /** {@code -}, {@code ~} or {@code !} before an operand; or a cast, {@code (double)}. */
  record Unary(String operator, Expression operand) implements Expression {}

  /** An arithmetic, bitwise, comparison or logical operator between two operands. */
  record Binary(String operator, Expression left, Expression right) implements Expression {}

  /** {@code condition ? yes : no}. */
  record Choice(Expression condition, Expression yes, Expression no) implements Expression {}

  /** A function of the JDK's {@code Math}, or of the runtime's own, by name. */
  record Function(String name, List<Expression> arguments) implements Expression {
    public Function {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * Parses an expression.
   *
   * @throws IllegalArgumentException if the text is not one
   */
  static Expression parse(String text) {
    return new ExpressionText(text).whole();
  }
}
