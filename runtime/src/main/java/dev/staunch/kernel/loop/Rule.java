package dev.staunch.kernel.loop;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How a pointwise operation combines the elements of its operands: as reals, and exactly as
 * integers. A missing form is a category of dtypes that the operation does not take.
 *
 * @param floats a loop of its own for float32 rows, if it is worth one
 * @param single the real function that it applies, if it is one of a single operand
 */
public record Rule(
    @Nullable Reals reals,
    @Nullable Integers integers,
    @Nullable FloatRun floats,
    @Nullable DoubleUnaryOperator single) {

  /** Combines {@code count} elements of each operand. */
  @FunctionalInterface
  interface Reals {
    void run(double[][] in, double[] out, int count);
  }

  /** As {@link Reals}, for integers and bools. */
  @FunctionalInterface
  interface Integers {
    void run(long[][] in, long[] out, int count);
  }

  /** Combines three reals. */
  @FunctionalInterface
  public interface Ternary {
    double apply(double a, double b, double c);
  }

  /** Combines three integers. */
  @FunctionalInterface
  public interface LongTernary {
    long apply(long a, long b, long c);
  }

  /** Of one operand; null for a category that is not taken. */
  public static Rule unary(
      @Nullable DoubleUnaryOperator reals, @Nullable LongUnaryOperator integers) {
    return new Rule(
        reals == null ? null : (in, out, count) -> each(in[0], out, count, reals),
        integers == null ? null : (in, out, count) -> each(in[0], out, count, integers),
        null,
        reals);
  }

  /** Of two operands; null for a category that is not taken. */
  public static Rule binary(
      @Nullable DoubleBinaryOperator reals, @Nullable LongBinaryOperator integers) {
    return new Rule(
        reals == null ? null : (in, out, count) -> pairs(in, out, count, reals),
        integers == null ? null : (in, out, count) -> pairs(in, out, count, integers),
        null,
        null);
  }

  /** Of three operands; null for integers that are not taken. */
  public static Rule ternary(Ternary reals, @Nullable LongTernary integers) {
    return new Rule(
        (in, out, count) -> {
          for (int i = 0; i < count; i++) {
            out[i] = reals.apply(in[0][i], in[1][i], in[2][i]);
          }
        },
        integers == null ? null : (in, out, count) -> triples(in, out, count, integers),
        null,
        null);
  }

  /** The same rule with a loop for float32 rows. */
  public Rule withFloats(FloatRun run) {
    return new Rule(reals, integers, run, single);
  }

  private static void each(double[] in, double[] out, int count, DoubleUnaryOperator rule) {
    for (int i = 0; i < count; i++) {
      out[i] = rule.applyAsDouble(in[i]);
    }
  }

  private static void each(long[] in, long[] out, int count, LongUnaryOperator rule) {
    for (int i = 0; i < count; i++) {
      out[i] = rule.applyAsLong(in[i]);
    }
  }

  private static void pairs(double[][] in, double[] out, int count, DoubleBinaryOperator rule) {
    double[] a = in[0];
    double[] b = in[1];
    for (int i = 0; i < count; i++) {
      out[i] = rule.applyAsDouble(a[i], b[i]);
    }
  }

  private static void pairs(long[][] in, long[] out, int count, LongBinaryOperator rule) {
    for (int i = 0; i < count; i++) {
      out[i] = rule.applyAsLong(in[0][i], in[1][i]);
    }
  }

  private static void triples(long[][] in, long[] out, int count, LongTernary rule) {
    for (int i = 0; i < count; i++) {
      out[i] = rule.apply(in[0][i], in[1][i], in[2][i]);
    }
  }
}
