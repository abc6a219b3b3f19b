package dev.staunch.kernel.operand;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.Arrays;

/**
 * Moves runs of evenly spaced elements of any dtype between a segment and two arrays, of real and
 * of imaginary parts.
 */
public final class ComplexOperand {
  /** Numbers in an array at a time. */
  private static final int TILE = 512;

  /** The parts of complex numbers as reals, which alternate; the reals themselves otherwise. */
  private final Operand parts;

  private final boolean complex;

  private ComplexOperand(DenseTensor tensor) {
    this.parts = new Operand(tensor.segment(), tensor.dtype().parts());
    this.complex = tensor.dtype().kind() == DType.Kind.COMPLEX;
  }

  /** The whole storage of {@code tensor}; positions count its elements. */
  public static ComplexOperand of(DenseTensor tensor) {
    return new ComplexOperand(tensor);
  }

  /**
   * Reads {@code count} elements, starting at {@code at}. A real has an imaginary part of 0 and is
   * rounded as by a cast to the floating dtype {@code as}.
   */
  public void load(double[] re, double[] im, long at, long step, int count, DType as) {
    if (complex && step == 1 && parts.dtype() == DType.FLOAT32) {
      float[] both = new float[2 * Math.min(TILE, count)];
      for (int done = 0; done < count; done += TILE) {
        int some = Math.min(TILE, count - done);
        parts.load(both, 2 * (at + done), 1, 2 * some);
        split(both, re, im, done, some);
      }
    } else if (complex) {
      parts.load(re, 2 * at, 2 * step, count, as);
      parts.load(im, 2 * at + 1, 2 * step, count, as);
    } else {
      parts.load(re, at, step, count, as);
      Arrays.fill(im, 0, count, 0);
    }
  }

  /** Writes {@code count} elements, rounding to the dtype. Reals and bools take the real parts. */
  public void store(double[] re, double[] im, long at, long step, int count) {
    if (complex && step == 1 && parts.dtype() == DType.FLOAT32) {
      float[] both = new float[2 * Math.min(TILE, count)];
      for (int done = 0; done < count; done += TILE) {
        int some = Math.min(TILE, count - done);
        join(re, im, done, both, some);
        parts.store(both, 2 * (at + done), 1, 2 * some);
      }
    } else if (complex) {
      parts.store(re, 2 * at, 2 * step, count);
      parts.store(im, 2 * at + 1, 2 * step, count);
    } else {
      parts.store(re, at, step, count);
    }
  }

  private static void split(float[] both, double[] re, double[] im, int to, int count) {
    for (int i = 0; i < count; i++) {
      re[to + i] = both[2 * i];
      im[to + i] = both[2 * i + 1];
    }
  }

  private static void join(double[] re, double[] im, int from, float[] both, int count) {
    for (int i = 0; i < count; i++) {
      both[2 * i] = (float) re[from + i];
      both[2 * i + 1] = (float) im[from + i];
    }
  }
}
