package dev.staunch.kernel.attention;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.RandomStream;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Turns attention scores into weights: a softmax along each row, behind a mask. */
final class AttentionScores {
  /** Rows between two polls for cancellation. */
  private static final int POLL = 16;

  /** Hides scores of one row by setting them to minus infinity, or changes them otherwise. */
  @FunctionalInterface
  interface RowMask {
    void apply(long row, double[] scores);

    /** As {@link #apply(long, double[])}, for scores in float32. */
    default void apply(long row, float[] scores) {
      double[] wide = new double[scores.length];
      for (int i = 0; i < wide.length; i++) {
        wide[i] = scores[i];
      }
      apply(row, wide);
      for (int i = 0; i < wide.length; i++) {
        scores[i] = (float) wide[i];
      }
    }

    /** The most of {@code keys} that the row sees; it sees no key after them. */
    default int visible(long row, int keys) {
      return keys;
    }
  }

  /**
   * Hides from each query the keys after its own position.
   *
   * @param queries rows of each matrix of scores
   */
  record CausalMask(long queries) implements RowMask {
    @Override
    public void apply(long row, double[] scores) {
      Arrays.fill(scores, visible(row, scores.length), scores.length, Double.NEGATIVE_INFINITY);
    }

    @Override
    public int visible(long row, int keys) {
      return (int) Math.min(keys, row % queries + 1);
    }
  }

  /** Hides nothing. */
  static final RowMask NO_MASK = (row, scores) -> {};

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

  /**
   * Applies {@code mask} to all rows of row-major {@code scores}, the first of which is {@code
   * row}.
   */
  static void hide(DenseTensor scores, long row, RowMask mask) {
    if (mask.equals(NO_MASK)) {
      return;
    }
    int width = Shape.asInt(scores.shape().size(1));
    long rows = scores.shape().size(0);
    if (mask instanceof CausalMask causal) {
      double[] hidden = new double[width];
      Arrays.fill(hidden, Double.NEGATIVE_INFINITY);
      for (long i = 0; i < rows; i++) {
        int visible = causal.visible(row + i, width);
        Operand.of(scores).store(hidden, i * width + visible, 1, width - visible);
      }
    } else if (scores.dtype() == DType.FLOAT32) {
      float[] values = new float[width];
      for (long i = 0; i < rows; i++) {
        MemorySegment.copy(scores.segment(), JAVA_FLOAT, i * width * 4, values, 0, width);
        mask.apply(row + i, values);
        MemorySegment.copy(values, 0, scores.segment(), JAVA_FLOAT, i * width * 4, width);
      }
    } else {
      double[] values = new double[width];
      for (long i = 0; i < rows; i++) {
        Operand.of(scores).load(values, i * width, 1, width);
        mask.apply(row + i, values);
        Operand.of(scores).store(values, i * width, 1, width);
      }
    }
  }

  /** Marks the rows whose scores are all minus infinity; null if there are none. */
  static boolean @Nullable [] empty(DenseTensor scores) {
    int width = Shape.asInt(scores.shape().size(1));
    boolean[] empty = null;
    double[] first = new double[1];
    double[] values = new double[0];
    Operand operand = Operand.of(scores);
    for (int i = 0; i < scores.shape().size(0); i++) {
      operand.load(first, (long) i * width, 1, 1);
      if (first[0] == Double.NEGATIVE_INFINITY) {
        values = values.length == 0 ? new double[width] : values;
        operand.load(values, (long) i * width, 1, width);
        if (Arrays.stream(values).allMatch(value -> value == Double.NEGATIVE_INFINITY)) {
          empty = empty == null ? new boolean[Shape.asInt(scores.shape().size(0))] : empty;
          empty[i] = true;
        }
      }
    }
    return empty;
  }

  /** Sets the weights of some rows to 0. */
  static void clear(DenseTensor weights, boolean[] rows) {
    int width = Shape.asInt(weights.shape().size(1));
    for (int i = 0; i < rows.length; i++) {
      if (rows[i]) {
        Operand.of(weights).store(new double[width], (long) i * width, 1, width);
      }
    }
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
