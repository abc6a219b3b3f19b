package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import jdk.incubator.vector.DoubleVector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares functions of vectors of doubles with those of {@link Math}. */
class DoubleFunctionsTest {
  private static final int LANES = DoubleVector.SPECIES_PREFERRED.length();
  private static final double[] SPECIAL = {
    0,
    -0.0,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Double.MAX_VALUE,
    1,
    709.782712893384,
    709.7827128933841,
    -745.13,
    -745.14,
    -708.5,
    0.625,
    -0.625
  };

  interface Function extends UnaryOperator<DoubleVector> {}

  static Stream<Arguments> functions() {
    return Stream.of(
        of("exp", 2, DoubleFunctions::exp, Math::exp),
        of("log", 2, DoubleFunctions::log, Math::log),
        of("sigmoid", 4, DoubleFunctions::sigmoid, DoubleFunctionsTest::sigmoid),
        of("tanh", 4, DoubleFunctions::tanh, Math::tanh));
  }

  private static Arguments of(String name, int ulp, Function found, DoubleUnaryOperator exact) {
    return arguments(name, ulp, found, exact);
  }

  private static double sigmoid(double x) {
    double power = Math.exp(-Math.abs(x));
    return (x < 0 ? power : 1) / (1 + power);
  }

  @ParameterizedTest(name = "{0} within {1} ulp")
  @MethodSource("functions")
  void aFunctionIsAsNearToTheExactOneAsItSays(
      String name, int ulp, Function function, DoubleUnaryOperator exact) {
    Random random = new Random(7);
    double[] x = new double[LANES];
    double[] y = new double[LANES];
    double worst = 0;
    for (int done = 0; done < 1 << 20; done += LANES) {
      for (int i = 0; i < LANES; i++) {
        x[i] = done + i < SPECIAL.length ? SPECIAL[done + i] : number(random, (done + i) % 4);
      }
      function.apply(DoubleVector.fromArray(DoubleVector.SPECIES_PREFERRED, x, 0)).intoArray(y, 0);
      for (int i = 0; i < LANES; i++) {
        double of = x[i];
        double error = error(() -> name + " of " + of, exact.applyAsDouble(of), y[i]);
        worst = Math.max(worst, error);
      }
    }
    assertTrue(worst <= ulp, name + " is off by " + worst + " ulp");
  }

  private static double number(Random random, int kind) {
    return switch (kind) {
      case 0 -> random.nextGaussian();
      case 1 -> random.nextGaussian() * 100;
      case 2 -> Math.exp(random.nextGaussian());
      default -> Double.longBitsToDouble(random.nextLong());
    };
  }

  /** The error in ulp of the exact result; asserts equality where no such error is defined. */
  private static double error(Supplier<String> what, double exact, double found) {
    if (!Double.isFinite(exact) || exact == 0) {
      assertEquals(exact, found, what);
      return 0;
    }
    return Math.abs(found - exact) / Math.ulp(exact);
  }
}
