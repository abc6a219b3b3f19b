package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A weight that multiplies the state of every sequence at each step. It is packed once per layer,
 * transposed, so that a step neither copies it nor allocates, and its rows stay in the cache while
 * all sequences pass. Sums of {@link #DEPTH} products are formed in the weight's dtype and added up
 * as doubles.
 */
sealed interface RecurrentWeight {
  /** Products that are summed in one go, and after which cancellation is looked for. */
  int DEPTH = 128;

  /** Rows of a weight that are transposed together. */
  int LANES = 8;

  /** Packs {@code weight} [to, from], float32 or float64, for at most {@code most} sequences. */
  static RecurrentWeight of(DenseTensor weight, int most) {
    int to = Math.toIntExact(weight.shape().size(0));
    int width = Math.toIntExact(weight.shape().size(1));
    int from = (width + 3) & ~3;
    boolean single = weight.dtype() == DType.FLOAT32;
    float[][] floats = new float[single ? from : 0][to];
    double[][] doubles = new double[single ? 0 : from][to];
    double[][] lanes = new double[LANES][width];
    for (int start = 0; start < to; start += LANES) {
      int used = Math.min(LANES, to - start);
      load(weight, start, used, lanes);
      if (single) {
        Floats.put(lanes, used, floats, start);
      } else {
        Doubles.put(lanes, used, doubles, start);
      }
    }
    return single ? new Floats(floats, new float[most][to]) : new Doubles(doubles);
  }

  private static void load(DenseTensor weight, int start, int used, double[][] lanes) {
    Operand source = Operand.of(weight);
    for (int lane = 0; lane < used; lane++) {
      long at = weight.layout().offset() + (start + lane) * weight.layout().stride(0);
      source.load(lanes[lane], at, weight.layout().stride(1), lanes[lane].length);
    }
  }

  /**
   * Adds weight times state to {@code sums}, for the first {@code count} sequences.
   *
   * @return the fault of a cancellation
   */
  @Nullable Fault add(Environment environment, double[][] state, int count, double[][] sums);

  /** In float32. */
  record Floats(float[][] packed, float[][] scratch) implements RecurrentWeight {
    private static void put(double[][] lanes, int used, float[][] packed, int start) {
      for (int i = 0; i < lanes[0].length; i++) {
        float[] row = packed[i];
        for (int lane = 0; lane < used; lane++) {
          row[start + lane] = (float) lanes[lane][i];
        }
      }
    }

    @Override
    public @Nullable Fault add(
        Environment environment, double[][] state, int count, double[][] sums) {
      for (int k = 0; k < packed.length; k += DEPTH) {
        Fault stop = environment.cancelled();
        if (stop != null) {
          return stop;
        }
        addBlock(k, Math.min(packed.length, k + DEPTH), state, count);
        for (int b = 0; b < count; b++) {
          flush(scratch[b], sums[b]);
        }
      }
      return null;
    }

    private void addBlock(int first, int end, double[][] state, int count) {
      for (int k = first; k < end; k += 4) {
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
    private static void put(double[][] lanes, int used, double[][] packed, int start) {
      for (int i = 0; i < lanes[0].length; i++) {
        double[] row = packed[i];
        for (int lane = 0; lane < used; lane++) {
          row[start + lane] = lanes[lane][i];
        }
      }
    }

    @Override
    public @Nullable Fault add(
        Environment environment, double[][] state, int count, double[][] sums) {
      for (int k = 0; k < packed.length; k += 4) {
        Fault stop = k % DEPTH == 0 ? environment.cancelled() : null;
        if (stop != null) {
          return stop;
        }
        for (int b = 0; b < count; b++) {
          double[] x = state[b];
          addFour(sums[b], at(x, k), at(x, k + 1), at(x, k + 2), at(x, k + 3), k);
        }
      }
      return null;
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

  /** An element of a state; 0 behind its end, where the packed weight is 0 too. */
  private static double at(double[] state, int i) {
    return i < state.length ? state[i] : 0;
  }
}
