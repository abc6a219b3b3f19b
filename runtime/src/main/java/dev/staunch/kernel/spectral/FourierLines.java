package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Transforms the lines of a tensor along one of its dimensions. */
final class FourierLines {
  /**
   * The input and output of a transform: complex numbers, or the half spectrum that real signals
   * need.
   */
  enum Kind {
    COMPLEX,
    /** From real signals to the first half of their spectra. */
    TO_HALF,
    /** From the first half of a spectrum to a real signal. */
    FROM_HALF
  }

  /** Complex numbers in an array at a time. */
  private static final int PAIRS = 512;

  private final Kind kind;
  private final boolean inverse;
  private final int length;
  private final double scale;

  /**
   * @param length the length of the transform; longer lines are cut, shorter ones padded with zeros
   */
  FourierLines(Kind kind, boolean inverse, int length, double scale) {
    this.kind = kind;
    this.inverse = inverse;
    this.length = length;
    this.scale = scale;
  }

  static DType complexOf(DType dtype) {
    return dtype == DType.FLOAT64 || dtype == DType.COMPLEX128 ? DType.COMPLEX128 : DType.COMPLEX64;
  }

  static DType realOf(DType dtype) {
    return complexOf(dtype) == DType.COMPLEX128 ? DType.FLOAT64 : DType.FLOAT32;
  }

  /** The form of the result of a transform of {@code length} along a dimension. */
  static TensorForm form(TensorForm self, int dim, Kind kind, int length) {
    long[] sizes = self.shape().toArray();
    sizes[dim] = kind == Kind.TO_HALF ? length / 2 + 1 : length;
    DType dtype = kind == Kind.FROM_HALF ? realOf(self.dtype()) : complexOf(self.dtype());
    return TensorForm.contiguous(dtype, Shape.of(sizes));
  }

  /** Fills {@code target}, which has that form; returns the fault if that failed, else null. */
  @Nullable Fault along(Call call, DenseTensor self, int dim, DenseTensor target) {
    if (target.elements() == 0) {
      return null;
    }
    int size = (int) target.shape().size(dim);
    int taken =
        (int) Math.min(self.shape().size(dim), kind == Kind.FROM_HALF ? length / 2 + 1 : length);
    CancellationPoll poll = new CancellationPoll(call);
    boolean complex = kind == Kind.COMPLEX && self.dtype().kind() == DType.Kind.COMPLEX;
    Layout from = single(self.layout(), dim);
    Ends ends =
        new Ends(self, Places.of(from), dim, target, Places.of(single(target.layout(), dim)));
    long lines = from.shape().elements();
    if (kind != Kind.FROM_HALF && FourierBatch.fits(length, !complex, lines)) {
      batches(poll, ends, lines, taken, size, !complex);
      return poll.fault();
    }
    Pass pass = !complex && RealTransform.takes(length) ? ofReals() : ofAll();
    double[] re = new double[length];
    double[] im = new double[length];
    for (long i = 0; i < lines && poll.mayContinue(pass.cost()); i++) {
      read(ends, i, taken, re, im);
      pass.run(re, im);
      write(ends, i, size, re, im);
    }
    return poll.fault();
  }

  /** Where lines are read and written. */
  private record Ends(DenseTensor self, Places starts, int dim, DenseTensor target, Places ends) {}

  private void read(Ends ends, long line, int count, double[] re, double[] im) {
    read(ends.self, ends.starts.at(line), ends.self.layout().stride(ends.dim), count, re, im);
  }

  private void write(Ends ends, long line, int count, double[] re, double[] im) {
    write(ends.target, ends.ends.at(line), ends.target.layout().stride(ends.dim), count, re, im);
  }

  /** Transforms many lines, some at once. */
  private void batches(
      CancellationPoll poll, Ends ends, long lines, int taken, int size, boolean real) {
    boolean floats =
        ends.target.dtype() == DType.COMPLEX64 && ends.target.layout().stride(ends.dim) == 1;
    boolean singles = ends.self.dtype() == DType.FLOAT32;
    FourierBatch batch = new FourierBatch(length, real, floats);
    double[][] re = new double[FourierBatch.ABREAST][length];
    double[][] im = new double[FourierBatch.ABREAST][length];
    float[][] line = new float[FourierBatch.ABREAST][singles ? length : 0];
    float[][] pairs = new float[FourierBatch.ABREAST][floats ? 2 * length : 0];
    long cost = (long) length * (Integer.SIZE - Integer.numberOfLeadingZeros(length));
    for (long first = 0; first < lines && poll.fault() == null; first += FourierBatch.LINES) {
      int count = (int) Math.min(FourierBatch.LINES, lines - first);
      for (int l = 0; l < count; l += FourierBatch.ABREAST) {
        int some = Math.min(FourierBatch.ABREAST, count - l);
        if (singles) {
          load(ends, first + l, some, taken, line);
          batch.put(line, l);
        } else {
          for (int k = 0; k < some; k++) {
            read(ends, first + l + k, taken, re[k], im[k]);
          }
          batch.put(re, im, l);
        }
      }
      batch.run(inverse, count);
      if (floats) {
        batch.round(scale, count);
      }
      for (int l = 0; l < count; l += FourierBatch.ABREAST) {
        int some = Math.min(FourierBatch.ABREAST, count - l);
        if (floats) {
          batch.pairs(pairs, l, real && kind == Kind.COMPLEX);
          store(ends, first + l, some, size, pairs);
        } else {
          batch.take(re, im, l);
          store(ends, first + l, some, size, re, im);
        }
      }
      poll.mayContinue(cost * count);
    }
  }

  /** Reads real lines; what they lack in length stays 0. */
  private static void load(Ends ends, long first, int lines, int count, float[][] into) {
    for (int k = 0; k < lines; k++) {
      long step = ends.self.layout().stride(ends.dim);
      Operand.of(ends.self).load(into[k], ends.starts.at(first + k), step, count);
    }
  }

  private static void store(Ends ends, long first, int lines, int size, float[][] pairs) {
    Operand into = new Operand(ends.target.segment(), DType.FLOAT32);
    for (int k = 0; k < lines; k++) {
      into.store(pairs[k], 2 * ends.ends.at(first + k), 1, 2 * size);
    }
  }

  private void store(Ends ends, long first, int lines, int size, double[][] re, double[][] im) {
    for (int k = 0; k < lines; k++) {
      if (kind == Kind.COMPLEX && ends.self.dtype().kind() != DType.Kind.COMPLEX) {
        mirror(re[k], im[k]);
      }
      write(ends, first + k, size, re[k], im[k]);
    }
  }

  /** Transforms the line that was read into the line to write, without scaling. */
  private interface Pass {
    void run(double[] re, double[] im);

    long cost();
  }

  private Pass ofAll() {
    FourierTransform transform = new FourierTransform(length);
    return new Pass() {
      @Override
      public void run(double[] re, double[] im) {
        if (kind == Kind.FROM_HALF) {
          mirror(re, im);
        }
        transform.transform(inverse ? im : re, inverse ? re : im);
      }

      @Override
      public long cost() {
        return transform.cost();
      }
    };
  }

  /**
   * For transforms with a real side: the inverse of such a line is the conjugate of its spectrum.
   */
  private Pass ofReals() {
    RealTransform transform = new RealTransform(length);
    boolean conjugate = inverse == (kind != Kind.FROM_HALF);
    return new Pass() {
      @Override
      public void run(double[] re, double[] im) {
        if (kind != Kind.FROM_HALF) {
          transform.spectrum(re, im);
        }
        for (int k = 1; conjugate && 2 * k < length; k++) {
          im[k] = -im[k];
        }
        if (kind == Kind.FROM_HALF) {
          transform.line(re, im);
        } else if (kind == Kind.COMPLEX) {
          mirror(re, im);
        }
      }

      @Override
      public long cost() {
        return transform.cost();
      }
    };
  }

  /** {@code layout} with only the first element of dimension {@code dim}. */
  private static Layout single(Layout layout, int dim) {
    long[] sizes = layout.shape().toArray();
    sizes[dim] = 1;
    return new Layout(Shape.of(sizes), layout.strides(), layout.offset());
  }

  private void read(DenseTensor self, long start, long step, int count, double[] re, double[] im) {
    Arrays.fill(re, 0);
    Arrays.fill(im, 0);
    MemorySegment segment = self.segment();
    boolean complex = self.dtype().kind() == DType.Kind.COMPLEX;
    DType part = complex ? realOf(self.dtype()) : self.dtype();
    if (!complex) {
      new Operand(segment, part).load(re, start, step, count);
    } else if (step == 1) {
      readPairs(new Operand(segment, part), 2 * start, count, re, im);
    }
    for (int i = 0; complex && step != 1 && i < count; i++) {
      long at = start + i * step;
      re[i] = Elements.asDouble(segment, part, 2 * at);
      im[i] = Elements.asDouble(segment, part, 2 * at + 1);
    }
  }

  private static void readPairs(Operand from, long start, int count, double[] re, double[] im) {
    double[] pairs = new double[2 * Math.min(PAIRS, count)];
    for (int first = 0; first < count; first += PAIRS) {
      int part = Math.min(PAIRS, count - first);
      from.load(pairs, start + 2L * first, 1, 2 * part);
      for (int i = 0; i < part; i++) {
        re[first + i] = pairs[2 * i];
        im[first + i] = pairs[2 * i + 1];
      }
    }
  }

  /** Fills in the other half of a real signal's spectrum. */
  private void mirror(double[] re, double[] im) {
    im[0] = 0;
    for (int i = 1; i <= length / 2; i++) {
      if (2 * i == length) {
        im[i] = 0;
      } else {
        re[length - i] = re[i];
        im[length - i] = -im[i];
      }
    }
  }

  private void write(
      DenseTensor target, long start, long step, int count, double[] re, double[] im) {
    MemorySegment segment = target.segment();
    DType part = realOf(target.dtype());
    if (kind == Kind.FROM_HALF) {
      for (int i = 0; i < count; i++) {
        re[i] *= scale;
      }
      new Operand(segment, part).store(re, start, step, count);
    } else if (step == 1) {
      writePairs(new Operand(segment, part), 2 * start, count, re, im);
    } else {
      for (int i = 0; i < count; i++) {
        long at = 2 * (start + i * step);
        Elements.putDouble(segment, part, at, re[i] * scale);
        Elements.putDouble(segment, part, at + 1, im[i] * scale);
      }
    }
  }

  private void writePairs(Operand into, long start, int count, double[] re, double[] im) {
    if (into.dtype() == DType.FLOAT32) {
      writeFloats(into, start, count, re, im);
      return;
    }
    double[] pairs = new double[2 * Math.min(PAIRS, count)];
    for (int first = 0; first < count; first += PAIRS) {
      int part = Math.min(PAIRS, count - first);
      for (int i = 0; i < part; i++) {
        pairs[2 * i] = re[first + i] * scale;
        pairs[2 * i + 1] = im[first + i] * scale;
      }
      into.store(pairs, start + 2L * first, 1, 2 * part);
    }
  }

  private void writeFloats(Operand into, long start, int count, double[] re, double[] im) {
    float[] pairs = new float[2 * Math.min(PAIRS, count)];
    for (int first = 0; first < count; first += PAIRS) {
      int part = Math.min(PAIRS, count - first);
      for (int i = 0; i < part; i++) {
        pairs[2 * i] = (float) (re[first + i] * scale);
        pairs[2 * i + 1] = (float) (im[first + i] * scale);
      }
      into.store(pairs, start + 2L * first, 1, 2 * part);
    }
  }
}
