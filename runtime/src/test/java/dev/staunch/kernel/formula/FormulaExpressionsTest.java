package dev.staunch.kernel.formula;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.kernel.loop.Rule;
import dev.staunch.operation.Expression;
import dev.staunch.operation.Formula;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A formula's expressions, which other code may read, are what its loops compute. */
class FormulaExpressionsTest {
  private static final int COUNT = 300;
  private static final long SEED = 11;
  private static final double[] EDGES = {
    0.0, -0.0, 1, -1, 0.5, -0.5, 2, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
  };

  static Stream<Named<Rule>> rulesOfReals() throws ReflectiveOperationException {
    return FormulasTest.rulesOfReals();
  }

  static Stream<Named<Rule>> rulesOfIntegers() throws ReflectiveOperationException {
    return FormulasTest.rules().stream().filter(named -> named.getPayload().takesIntegers());
  }

  @ParameterizedTest
  @MethodSource("rulesOfReals")
  void theExpressionOfRealsGivesTheBitsOfTheLoop(Rule rule) {
    Formula formula = rule.formula();
    Expression expression = Objects.requireNonNull(formula.expression(Formula.Kind.REAL));
    assertEquals(rule.operands(), formula.operands().size());
    Random random = new Random(SEED);
    double[][] in = new double[rule.operands()][COUNT];
    for (double[] each : in) {
      for (int i = 0; i < COUNT; i++) {
        each[i] = i < 100 ? EDGES[random.nextInt(EDGES.length)] : random.nextGaussian() * 3;
      }
    }
    double[] expected = new double[COUNT];
    for (int i = 0; i < COUNT; i++) {
      Object[] elements = new Object[in.length];
      for (int k = 0; k < in.length; k++) {
        elements[k] = in[k][i];
      }
      expected[i] = ExpressionValue.real(ExpressionValue.of(formula, expression, elements));
    }
    double[] found = new double[COUNT];
    switch (rule) {
      case Rule.Numbers numbers -> numbers.run(in, found, COUNT);
      case Rule.Truths truths -> {
        byte[] answers = new byte[COUNT];
        truths.run(in, answers, COUNT);
        for (int i = 0; i < COUNT; i++) {
          found[i] = answers[i];
        }
      }
    }
    assertArrayEquals(expected, found, "seed " + SEED);
  }

  @ParameterizedTest
  @MethodSource("rulesOfIntegers")
  void theExpressionOfIntegersGivesWhatTheLoopGives(Rule rule) {
    Formula formula = rule.formula();
    Expression expression = Objects.requireNonNull(formula.expression(Formula.Kind.INTEGER));
    Random random = new Random(SEED);
    long[][] in = new long[rule.operands()][COUNT];
    for (long[] each : in) {
      for (int i = 0; i < COUNT; i++) {
        long some = random.nextInt(-9, 9);
        each[i] = some == 0 ? 5 : some;
      }
    }
    long[] expected = new long[COUNT];
    for (int i = 0; i < COUNT; i++) {
      Object[] elements = new Object[in.length];
      for (int k = 0; k < in.length; k++) {
        elements[k] = in[k][i];
      }
      expected[i] = ExpressionValue.integer(ExpressionValue.of(formula, expression, elements));
    }
    long[] found = new long[COUNT];
    switch (rule) {
      case Rule.Numbers numbers -> numbers.run(in, found, COUNT);
      case Rule.Truths truths -> {
        byte[] answers = new byte[COUNT];
        truths.run(in, answers, COUNT);
        for (int i = 0; i < COUNT; i++) {
          found[i] = answers[i];
        }
      }
    }
    assertArrayEquals(expected, found, "seed " + SEED);
  }
}
