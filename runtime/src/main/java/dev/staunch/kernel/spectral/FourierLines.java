package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.ComplexOperand;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
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
    boolean apart = kind == Kind.FROM_HALF && !ends.singles() && !areNeighbours(ends.ends);
    if (!apart && FourierBatch.fits(length, !complex, lines)) {
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
  private record Ends(DenseTensor self, Places starts, int dim, DenseTensor target, Places ends) {
    /** The distance between elements of a line that is read. */
    long step() {
      return self.layout().stride(dim);
    }

    /** The same of one that is written. */
    long stepTo() {
      return target.layout().stride(dim);
    }

    /** Whether the results are float32, in lines without gaps. */
    boolean singles() {
      return target.dtype().parts() == DType.FLOAT32 && stepTo() == 1;
    }
  }

  /** Whether equal elements of most lines lie one after the other. */
  private static boolean areNeighbours(Places lines) {
    return lines.step() == 1 && lines.width() >= FourierBatch.LINES / 2;
  }

  /** The number of lines from {@code first} on, at most {@code most}, that are neighbours. */
  private static int neighbours(Places lines, long first, int most) {
    lines.at(first);
    return lines.run(first, most);
  }

  private void read(Ends ends, long line, int count, double[] re, double[] im) {
    ComplexOperand from = ComplexOperand.of(ends.self);
    from.load(re, im, ends.starts.at(line), ends.step(), count, realOf(ends.self.dtype()));
    Arrays.fill(re, count, length, 0);
    Arrays.fill(im, count, length, 0);
  }

  private void write(Ends ends, long line, int count, double[] re, double[] im) {
    for (int i = 0; i < count; i++) {
      re[i] *= scale;
      im[i] *= scale;
    }
    ComplexOperand into = ComplexOperand.of(ends.target);
    into.store(re, im, ends.ends.at(line), ends.stepTo(), count);
  }

  /** Transforms many lines, some at once. */
  private void batches(
      CancellationPoll poll, Ends ends, long lines, int taken, int size, boolean real) {
    boolean rowsFrom = areNeighbours(ends.starts);
    boolean rowsTo = areNeighbours(ends.ends);
    FourierBatch batch = new FourierBatch(length, kind, real, ends.singles() && !rowsTo);
    Transposed transposed = new Transposed(batch, ends, taken, size);
    long cost = (long) length * (Integer.SIZE - Integer.numberOfLeadingZeros(length));
    for (long first = 0; first < lines && poll.fault() == null; ) {
      int count = (int) Math.min(FourierBatch.LINES, lines - first);
      count = rowsFrom ? neighbours(ends.starts, first, count) : count;
      count = rowsTo ? neighbours(ends.ends, first, count) : count;
      if (rowsFrom) {
        ComplexOperand from = ComplexOperand.of(ends.self);
        DType part = realOf(ends.self.dtype());
        batch.load(from, ends.starts.at(first), ends.step(), taken, count, part);
      } else {
        transposed.put(first, count);
      }
      batch.run(inverse, count);
      if (rowsTo) {
        ComplexOperand into = ComplexOperand.of(ends.target);
        batch.store(into, ends.ends.at(first), ends.stepTo(), size, count, scale);
      } else {
        transposed.take(first, count);
      }
      poll.mayContinue(cost * count);
      first += count;
    }
  }

  /** Brings lines into a batch and out of it that do not lie beside each other. */
  private final class Transposed {
    private final FourierBatch batch;
    private final Ends ends;
    private final int taken;
    private final int size;
    private final double[][] re = new double[FourierBatch.ABREAST][length];
    private final double[][] im = new double[FourierBatch.ABREAST][length];

    /** Numbers of float32, or parts of complex ones, as they are read and written. */
    private final float[][] line;

    private final float[][] pairs;

    /** Floats of an element that is read as it is: one, or two parts; or 0. */
    private final int floats;

    Transposed(FourierBatch batch, Ends ends, int taken, int size) {
      this.batch = batch;
      this.ends = ends;
      this.taken = taken;
      this.size = size;
      boolean pairs = ends.self.dtype() == DType.COMPLEX64 && ends.step() == 1;
      boolean reals = ends.self.dtype() == DType.FLOAT32 && kind != Kind.FROM_HALF;
      this.floats = pairs ? 2 : reals ? 1 : 0;
      this.line = new float[FourierBatch.ABREAST][floats * length];
      this.pairs = new float[FourierBatch.ABREAST][ends.singles() ? 2 * length : 0];
    }

    void put(long first, int count) {
      for (int l = 0; l < count; l += FourierBatch.ABREAST) {
        int some = Math.min(FourierBatch.ABREAST, count - l);
        if (floats > 0) {
          load(first + l, some);
          batch.put(line, l);
        } else {
          for (int k = 0; k < some; k++) {
            read(ends, first + l + k, taken, re[k], im[k]);
          }
          batch.put(re, im, l);
        }
      }
    }

    /** Reads lines as floats; what they lack in length stays 0. */
    private void load(long first, int lines) {
      Operand from = new Operand(ends.self.segment(), DType.FLOAT32);
      for (int k = 0; k < lines; k++) {
        from.load(line[k], floats * ends.starts.at(first + k), ends.step(), floats * taken);
      }
    }

    void take(long first, int count) {
      if (ends.singles()) {
        batch.round(scale, count);
      }
      for (int l = 0; l < count; l += FourierBatch.ABREAST) {
        int some = Math.min(FourierBatch.ABREAST, count - l);
        if (ends.singles()) {
          batch.pairs(pairs, l);
        } else {
          batch.take(re, im, l);
        }
        for (int k = 0; k < some; k++) {
          store(first + l + k, k);
        }
      }
    }

    private void store(long line, int k) {
      int parts = kind == Kind.FROM_HALF ? 1 : 2;
      if (ends.singles()) {
        Operand into = new Operand(ends.target.segment(), DType.FLOAT32);
        into.store(pairs[k], parts * ends.ends.at(line), 1, parts * size);
        return;
      }
      if (kind == Kind.COMPLEX && ends.self.dtype().kind() != DType.Kind.COMPLEX) {
        mirror(re[k], im[k]);
      }
      write(ends, line, size, re[k], im[k]);
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
}
