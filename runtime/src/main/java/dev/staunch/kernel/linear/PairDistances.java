package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The distances of all pairs of rows of two contiguous batches. A block of rows on the right is
 * transposed, so that one element on the left meets the elements of neighbouring rows together. The
 * terms of each distance are summed in order, in double precision.
 */
final class PairDistances {
  /** Rows on the left that meet a block before the next. */
  private static final int LINES = 64;

  /** Rows of a block on the right. */
  private static final int COLUMNS = 128;

  /** Elements of a row in a block. */
  private static final int DEPTH = 64;

  private final Operand left;
  private final Operand right;
  private final int width;
  private final double p;
  private final double[] row = new double[DEPTH];
  private final double[][] block;
  private final double[][] totals;

  private PairDistances(DenseTensor left, DenseTensor right, double p) {
    this.left = Operand.of(left);
    this.right = Operand.of(right);
    this.width = Shape.asInt(left.shape().size(left.rank() - 1));
    this.p = p;
    this.block = new double[Math.min(DEPTH, width)][COLUMNS];
    this.totals = new double[LINES][COLUMNS];
  }

  /** Writes a new tensor; the arguments are the batches and the order of the norm. */
  static @Nullable Fault fill(DenseTensor target, Call call) {
    DenseTensor left = call.tensor(0);
    DenseTensor right = call.tensor(1);
    long rows = left.shape().size(left.rank() - 2);
    int columns = Shape.asInt(right.shape().size(right.rank() - 2));
    if (target.elements() == 0) {
      return null;
    }
    ExecutionContext context = call.environment();
    double p = call.real(2);
    Operand results = Operand.of(target);
    long blocks = Math.ceilDiv(rows, LINES);
    return context.parallel(
        target.elements() / columns / rows * blocks,
        1,
        (first, end) -> {
          CancellationPoll poll = new CancellationPoll(context);
          PairDistances distances = new PairDistances(left, right, p);
          for (long piece = first; piece < end && poll.fault() == null; piece++) {
            long batch = piece / blocks;
            long line = piece % blocks * LINES;
            int lines = (int) Math.min(LINES, rows - line);
            long from = left.layout().offset() + (batch * rows + line) * distances.width;
            long to = right.layout().offset() + batch * columns * distances.width;
            long at = (batch * rows + line) * columns;
            distances.lines(from, lines, to, columns, results, at, poll);
          }
          return poll.fault();
        });
  }

  private void lines(
      long from, int lines, long to, int columns, Operand results, long at, CancellationPoll poll) {
    for (int column = 0; column < columns; column += COLUMNS) {
      int count = Math.min(COLUMNS, columns - column);
      for (int line = 0; line < lines; line++) {
        Arrays.fill(totals[line], 0);
      }
      for (int k = 0; k < width; k += DEPTH) {
        int depth = Math.min(DEPTH, width - k);
        transpose(to + (long) column * width + k, count, depth);
        for (int line = 0; line < lines; line++) {
          left.load(row, from + (long) line * width + k, 1, depth);
          add(totals[line], depth, count);
          if (!poll.mayContinue((long) depth * COLUMNS)) {
            return;
          }
        }
      }
      for (int line = 0; line < lines; line++) {
        finish(totals[line], count);
        results.store(totals[line], at + (long) line * columns + column, 1, count);
      }
    }
  }

  private void transpose(long from, int count, int depth) {
    double[] each = new double[depth];
    for (int column = 0; column < count; column++) {
      right.load(each, from + (long) column * width, 1, depth);
      for (int k = 0; k < depth; k++) {
        block[k][column] = each[k];
      }
    }
  }

  private void add(double[] total, int depth, int count) {
    for (int k = 0; k < depth; k++) {
      if (p == 2) {
        addSquares(row[k], block[k], total, count);
      } else if (p == 1) {
        addSizes(row[k], block[k], total, count);
      } else if (Double.isInfinite(p)) {
        raise(row[k], block[k], total, count);
      } else {
        addPowers(row[k], block[k], total, count);
      }
    }
  }

  private static void addSquares(double x, double[] others, double[] total, int count) {
    for (int i = 0; i < count; i++) {
      double away = x - others[i];
      total[i] += away * away;
    }
  }

  private static void addSizes(double x, double[] others, double[] total, int count) {
    for (int i = 0; i < count; i++) {
      total[i] += Math.abs(x - others[i]);
    }
  }

  private static void raise(double x, double[] others, double[] total, int count) {
    for (int i = 0; i < count; i++) {
      total[i] = Math.max(total[i], Math.abs(x - others[i]));
    }
  }

  private void addPowers(double x, double[] others, double[] total, int count) {
    for (int i = 0; i < count; i++) {
      double away = Math.abs(x - others[i]);
      total[i] +=
          p != 0 ? Math.pow(away, p) : Double.isNaN(away) ? away : Math.signum(away); // counts
    }
  }

  private void finish(double[] total, int count) {
    boolean plain = p == 0 || p == 1 || Double.isInfinite(p);
    for (int i = 0; i < count && !plain; i++) {
      total[i] = p == 2 ? Math.sqrt(total[i]) : Math.pow(total[i], 1 / p);
    }
  }
}
