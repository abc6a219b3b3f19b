package dev.staunch.kernel.recurrent;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A weight that multiplies the state of every sequence at each step. It is packed once per layer,
 * transposed, so that a step neither copies it nor allocates, and its rows stay in the cache while
 * it multiplies all sequences. Sums of {@link #DEPTH} products are formed in the weight's dtype and
 * added up as doubles.
 */
sealed interface RecurrentWeight {
  /** Products that are summed in the weight's dtype. */
  int DEPTH = 128;

  /** Rows of a weight that are transposed together. */
  int LANES = 8;

  /**
   * Packs {@code weight} [to, from], float32 or float64, for at most {@code most} sequences. After
   * a cancellation, which {@code poll} then knows, the packing is incomplete.
   */
  static RecurrentWeight of(CancellationPoll poll, DenseTensor weight, int most) {
    return weight.dtype() == DType.FLOAT32
        ? Floats.pack(poll, weight, most)
        : Doubles.pack(poll, weight);
  }

  /** The width of a weight, rounded up to a multiple of four. */
  private static int padded(DenseTensor weight) {
    return (Shape.asInt(weight.shape().size(1)) + 3) & ~3;
  }

  /**
   * Adds weight times state to {@code sums}, for the first {@code count} sequences.
   *
   * @return the fault of a cancellation
   */
  @Nullable Fault add(CancellationPoll poll, double[][] state, int count, double[][] sums);

  /** In float32. */
  record Floats(float[][] packed, float[][] scratch) implements RecurrentWeight {
    private static Floats pack(CancellationPoll poll, DenseTensor weight, int most) {
      int to = Shape.asInt(weight.shape().size(0));
      float[][] packed = new float[padded(weight)][to];
      float[][] lanes = new float[LANES][Shape.asInt(weight.shape().size(1))];
      long work = 2L * LANES * packed.length;
      for (int start = 0; start < to && poll.mayContinue(work); start += LANES) {
        int used = Math.min(LANES, to - start);
        for (int lane = 0; lane < used; lane++) {
          read(weight, start + lane, lanes[lane]);
        }
        for (int i = 0; i < lanes[0].length; i++) {
          float[] row = packed[i];
          for (int lane = 0; lane < used; lane++) {
            row[start + lane] = lanes[lane][i];
          }
        }
      }
      return new Floats(packed, new float[most][to]);
    }

    private static void read(DenseTensor weight, int row, float[] into) {
      MemorySegment source = weight.segment();
      long at = weight.layout().offset() + row * weight.layout().stride(0);
      long step = weight.layout().stride(1);
      if (step == 1) {
        MemorySegment.copy(source, JAVA_FLOAT, at * Float.BYTES, into, 0, into.length);
        return;
      }
      for (int i = 0; i < into.length; i++) {
        into[i] = source.getAtIndex(JAVA_FLOAT, at + i * step);
      }
    }

    @Override
    public @Nullable Fault add(
        CancellationPoll poll, double[][] state, int count, double[][] sums) {
      for (int k = 0; k < packed.length && poll.fault() == null; k += DEPTH) {
        addBlock(poll, k, Math.min(packed.length, k + DEPTH), state, count);
        for (int b = 0; b < count; b++) {
          flush(scratch[b], sums[b]);
        }
      }
      return poll.fault();
    }

    private void addBlock(CancellationPoll poll, int first, int end, double[][] state, int count) {
      long work = (long) count * packed[0].length;
      for (int k = first; k < end && poll.mayContinue(work); k += 4) {
        for (int b = 0; b < count; b++) {
          float a0 = (float) at(state[b], k);
          float a1 = (float) at(state[b], k + 1);
          float a2 = (float) at(state[b], k + 2);
          float a3 = (float) at(state[b], k + 3);
          addFour(
              scratch[b], a0, a1, a2, a3, packed[k], packed[k + 1], packed[k + 2], packed[k + 3]);
        }
      }
    }

    private static void addFour(
        float[] c,
        float a0,
        float a1,
        float a2,
        float a3,
        float[] b0,
        float[] b1,
        float[] b2,
        float[] b3) {
      for (int j = 0; j < c.length; j++) {
        c[j] += a0 * b0[j] + a1 * b1[j] + (a2 * b2[j] + a3 * b3[j]);
      }
    }

    private static void flush(float[] from, double[] into) {
      for (int j = 0; j < from.length; j++) {
        into[j] += from[j];
      }
      Arrays.fill(from, 0);
    }
  }

  /** In float64. */
  record Doubles(double[][] packed) implements RecurrentWeight {
    private static Doubles pack(CancellationPoll poll, DenseTensor weight) {
      int to = Shape.asInt(weight.shape().size(0));
      double[][] packed = new double[padded(weight)][to];
      double[] column = new double[Shape.asInt(weight.shape().size(1))];
      for (int j = 0; j < to && poll.mayContinue(2L * column.length); j++) {
        long at = weight.layout().offset() + j * weight.layout().stride(0);
        Operand.of(weight).load(column, at, weight.layout().stride(1), column.length);
        for (int i = 0; i < column.length; i++) {
          packed[i][j] = column[i];
        }
      }
      return new Doubles(packed);
    }

    @Override
    public @Nullable Fault add(
        CancellationPoll poll, double[][] state, int count, double[][] sums) {
      for (int k = 0;
          k < packed.length && poll.mayContinue((long) count * packed[k].length);
          k += 4) {
        for (int b = 0; b < count; b++) {
          double[] x = state[b];
          addFour(sums[b], at(x, k), at(x, k + 1), at(x, k + 2), at(x, k + 3), k);
        }
      }
      return poll.fault();
    }

    private void addFour(double[] c, double a0, double a1, double a2, double a3, int k) {
      double[] b0 = packed[k];
      double[] b1 = packed[k + 1];
      double[] b2 = packed[k + 2];
      double[] b3 = packed[k + 3];
      for (int j = 0; j < c.length; j++) {
        c[j] += a0 * b0[j] + a1 * b1[j] + (a2 * b2[j] + a3 * b3[j]);
      }
    }
  }

  /** An element of a state; 0 past its end, where the packed weight is 0 too. */
  private static double at(double[] state, int i) {
    return i < state.length ? state[i] : 0;
  }
}
