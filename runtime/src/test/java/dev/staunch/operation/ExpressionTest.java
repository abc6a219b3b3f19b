package dev.staunch.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.operation.Expression.Binary;
import dev.staunch.operation.Expression.Choice;
import dev.staunch.operation.Expression.Function;
import dev.staunch.operation.Expression.Literal;
import dev.staunch.operation.Expression.Name;
import dev.staunch.operation.Expression.Unary;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The expressions of formulas are parsed as Java parses them. */
class ExpressionTest {
  private static final Name A = new Name("a");
  private static final Name B = new Name("b");

  @Test
  void whatBindsMoreTightlyStandsBelow() {
    assertEquals(
        new Binary("+", A, new Binary("*", B, new Literal(2L))), Expression.parse("a + b * 2"));
    assertEquals(
        new Binary("*", new Binary("+", A, B), new Literal(0.5)),
        Expression.parse("(a + b) * 0.5"));
  }

  @Test
  void operatorsOfOneLevelGoFromLeftToRight() {
    assertEquals(new Binary("-", new Binary("-", A, B), A), Expression.parse("a - b - a"));
  }

  @Test
  void choicesGoFromRightToLeft() {
    assertEquals(
        new Choice(new Binary("<", A, B), A, new Choice(new Name("c"), B, new Unary("-", A))),
        Expression.parse("a < b ? a : c ? b : -a"));
  }

  @Test
  void functionsAndCastsAreKept() {
    assertEquals(
        new Function("Math.max", List.of(new Unary("(double)", A), B)),
        Expression.parse("Math.max((double) a, b)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a +", "a b", "(a", "a ? b", "f(a", "a $ b", "1.", ")"})
  void whatIsNoExpressionIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Expression.parse(text));
  }
}
