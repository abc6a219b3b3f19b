package dev.staunch.kernel.attention;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.RandomStream;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Makes weights of attention scores: a softmax along each row, behind a mask. */
final class AttentionScores {
  /** Rows after which cancellation is looked for. */
  private static final int POLL = 16;

  /** Hides scores of one row by making them minus infinity, or changes them otherwise. */
  @FunctionalInterface
  interface RowMask {
    void apply(long row, double[] scores);
  }

  /** Hides nothing. */
  static final RowMask NOTHING = (row, scores) -> {};

  private AttentionScores() {}

  /**
   * Turns each row of {@code scores}, which are row-major, into weights that sum to 1, in place.
   *
   * @param emptyIsZero whether a row all of whose scores are minus infinity has weights 0, not NaN
   * @return the fault of a cancellation
   */
  static @Nullable Fault normalize(
      Environment environment, DenseTensor scores, RowMask mask, boolean emptyIsZero) {
    int width = Shape.asInt(scores.shape().size(scores.rank() - 1));
    long rows = width == 0 ? 0 : scores.elements() / width;
    double[] values = new double[width];
    Operand operand = Operand.of(scores);
    for (long row = 0; row < rows; row++) {
      Fault stop = row % POLL == 0 ? environment.cancelled() : null;
      if (stop != null) {
        return stop;
      }
      operand.load(values, row * width, 1, width);
      mask.apply(row, values);
      softmax(values, emptyIsZero);
      operand.store(values, row * width, 1, width);
    }
    return null;
  }

  private static void softmax(double[] values, boolean emptyIsZero) {
    double most = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      most = Math.max(most, value);
    }
    if (most == Double.NEGATIVE_INFINITY && emptyIsZero) {
      Arrays.fill(values, 0);
      return;
    }
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.exp(values[i] - most);
      sum += values[i];
    }
    for (int i = 0; i < values.length; i++) {
      values[i] /= sum;
    }
  }

  /** Zeroes weights with probability {@code p} and scales the rest, as {@code dropout} does. */
  static void drop(DenseTensor weights, double p, RandomStream stream) {
    int width = Shape.asInt(weights.shape().size(weights.rank() - 1));
    double[] values = new double[width];
    double[] draws = new double[width];
    Operand operand = Operand.of(weights);
    for (long at = 0; at < weights.elements(); at += width) {
      operand.load(values, at, 1, width);
      stream.uniforms(at, draws, width);
      for (int j = 0; j < width; j++) {
        values[j] = draws[j] < 1 - p ? values[j] / (1 - p) : 0;
      }
      operand.store(values, at, 1, width);
    }
  }
}
