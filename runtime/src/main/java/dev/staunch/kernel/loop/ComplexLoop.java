package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.operand.ComplexOperand;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Combines elements that are complex numbers, or reals as such, into a new tensor. Operands are
 * broadcast. Each element is computed in double precision and rounded once.
 */
public final class ComplexLoop {
  private static final int TILE = 512;

  private final Formula formula;
  private final ComplexOperand target;
  private final @Nullable ComplexOperand[] sources;
  private final DType parts;
  private final Strides walk;

  /** The real and the imaginary parts of both operands and of the result. */
  private final double[][] re;

  private final double[][] im;

  /** Combines the parts of two operands, 0 and 1, into those of the result, 2. */
  private interface Formula {
    void run(double[][] re, double[][] im, int count);
  }

  private ComplexLoop(DenseTensor target, Formula formula, Object... operands) {
    this.formula = formula;
    this.target = ComplexOperand.of(target);
    this.parts = target.dtype().parts();
    this.sources = new ComplexOperand[2];
    Layout[] layouts = new Layout[3];
    Arrays.fill(layouts, Broadcast.stretch(Layout.contiguous(Shape.SCALAR), target.shape()));
    layouts[2] = target.layout();
    for (int k = 0; k < operands.length; k++) {
      if (operands[k] instanceof DenseTensor tensor) {
        sources[k] = ComplexOperand.of(tensor);
        layouts[k] = Broadcast.stretch(tensor.layout(), target.shape());
      }
    }
    this.walk = Strides.of(layouts);
    int size = (int) Math.min(TILE, walk.width());
    this.re = new double[3][size];
    this.im = new double[3][size];
    for (int k = 0; k < operands.length; k++) {
      if (sources[k] == null) {
        ComplexNumber number = Scalars.complex(operands[k]);
        Arrays.fill(re[k], Elements.rounded(parts, number.re()));
        Arrays.fill(im[k], Elements.rounded(parts, number.im()));
      }
    }
  }

  /** The results of {@code formula} for the elements of {@code operand}; or a fault. */
  public static Object map(Call call, UnaryOperator<ComplexNumber> formula, DenseTensor operand) {
    Formula each =
        (re, im, count) -> {
          for (int i = 0; i < count; i++) {
            ComplexNumber result = formula.apply(new ComplexNumber(re[0][i], im[0][i]));
            re[2][i] = result.re();
            im[2][i] = result.im();
          }
        };
    return run(call, operand.dtype(), each, operand);
  }

  /** The results of {@code formula} for two tensors, or a tensor and a number; or a fault. */
  public static Object combine(
      Call call, DType result, BinaryOperator<ComplexNumber> formula, Object a, Object b) {
    Formula each =
        (re, im, count) -> {
          for (int i = 0; i < count; i++) {
            ComplexNumber one = new ComplexNumber(re[0][i], im[0][i]);
            ComplexNumber number = formula.apply(one, new ComplexNumber(re[1][i], im[1][i]));
            re[2][i] = number.re();
            im[2][i] = number.im();
          }
        };
    return run(call, result, each, a, b);
  }

  /** The products of two tensors; or a fault. */
  public static Object product(Call call, DType result, DenseTensor a, DenseTensor b) {
    boolean pairs = isPairs(a) && isPairs(b) && a.shape().equals(b.shape());
    return pairs ? pairs(call, a, b) : run(call, result, ComplexLoop::multiply, a, b);
  }

  /** The conjugate of a tensor; or a fault. */
  public static Object conjugate(Call call, DenseTensor z) {
    if (!isPairs(z)) {
      Formula mirrored =
          (re, im, count) -> {
            System.arraycopy(re[0], 0, re[2], 0, count);
            for (int i = 0; i < count; i++) {
              im[2][i] = -im[0][i];
            }
          };
      return run(call, z.dtype(), mirrored, z);
    }
    Object made = call.allocate(DType.COMPLEX64, z.shape());
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    CancellationPoll poll = new CancellationPoll(call);
    Operand from = new Operand(z.segment(), DType.INT64);
    Operand into = new Operand(target.segment(), DType.INT64);
    long[] pairs = new long[(int) Math.min(TILE, target.elements())];
    poll.inPieces(
        target.elements(),
        TILE,
        (done, count) -> {
          from.load(pairs, z.layout().offset() + done, 1, count);
          mirror(pairs, count);
          into.store(pairs, done, 1, count);
        });
    return CancellationPoll.finished(target, poll.fault());
  }

  /** Turns the sign of the imaginary part, which is the half at the higher address. */
  private static void mirror(long[] pairs, int count) {
    long sign = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Long.MIN_VALUE : 1L << 31;
    for (int i = 0; i < count; i++) {
      pairs[i] ^= sign;
    }
  }

  /** Whether the parts of all elements lie one after the other, in float32. */
  private static boolean isPairs(DenseTensor tensor) {
    return tensor.dtype() == DType.COMPLEX64 && tensor.isContiguous();
  }

  /** The products of such tensors of one shape. */
  private static Object pairs(Call call, DenseTensor a, DenseTensor b) {
    Object made = call.allocate(DType.COMPLEX64, a.shape());
    if (!(made instanceof DenseTensor target) || target.elements() == 0) {
      return made;
    }
    boolean mapped = a.segment().isMapped() || b.segment().isMapped();
    RowFormula own =
        mapped ? null : call.environment().kernels().rowFormula(DType.FLOAT32, "multiplyPairs");
    CancellationPoll poll = new CancellationPoll(call);
    if (own != null) {
      poll.inPieces(
          target.elements(),
          TILE,
          (done, count) ->
              own.run(
                  a.segment(),
                  2 * (a.layout().offset() + done),
                  b.segment(),
                  2 * (b.layout().offset() + done),
                  target.segment(),
                  2 * done,
                  2 * count));
      return CancellationPoll.finished(target, poll.fault());
    }
    Operand left = new Operand(a.segment(), DType.FLOAT32);
    Operand right = new Operand(b.segment(), DType.FLOAT32);
    Operand into = new Operand(target.segment(), DType.FLOAT32);
    int size = 2 * (int) Math.min(TILE, target.elements());
    float[] x = new float[size];
    float[] y = new float[size];
    poll.inPieces(
        target.elements(),
        TILE,
        (done, count) -> {
          left.load(x, 2 * (a.layout().offset() + done), 1, 2 * count);
          right.load(y, 2 * (b.layout().offset() + done), 1, 2 * count);
          multiply(x, y, count);
          into.store(x, 2 * done, 1, 2 * count);
        });
    return CancellationPoll.finished(target, poll.fault());
  }

  private static void multiply(float[] x, float[] y, int count) {
    for (int i = 0; i < 2 * count; i += 2) {
      double a = x[i];
      double b = x[i + 1];
      x[i] = (float) (a * y[i] - b * y[i + 1]);
      x[i + 1] = (float) (a * y[i + 1] + b * y[i]);
    }
  }

  private static void multiply(double[][] re, double[][] im, int count) {
    double[] a = re[0];
    double[] b = im[0];
    double[] c = re[1];
    double[] d = im[1];
    double[] real = re[2];
    double[] imaginary = im[2];
    for (int i = 0; i < count; i++) {
      real[i] = a[i] * c[i] - b[i] * d[i];
    }
    for (int i = 0; i < count; i++) {
      imaginary[i] = a[i] * d[i] + b[i] * c[i];
    }
  }

  /** New complex numbers with the parts {@code re} and {@code im}: reals, or numbers. */
  public static Object join(Call call, Object re, Object im) {
    boolean wide = Promotion.of(re, im).result() == DType.FLOAT64;
    Formula parts =
        (real, imaginary, count) -> {
          System.arraycopy(real[0], 0, real[2], 0, count);
          System.arraycopy(real[1], 0, imaginary[2], 0, count);
        };
    return run(call, wide ? DType.COMPLEX128 : DType.COMPLEX64, parts, re, im);
  }

  private static Object run(Call call, DType result, Formula formula, Object... operands) {
    Object shape = Pointwise.shape(operands);
    Object made =
        shape instanceof Shape known
            ? DenseStrides.allocate(call, DenseStrides.combined(result, known, operands))
            : shape;
    if (!(made instanceof DenseTensor target) || target.elements() == 0) {
      return made;
    }
    Fault stop = new ComplexLoop(target, formula, operands).run(new CancellationPoll(call));
    return CancellationPoll.finished(target, stop);
  }

  private @Nullable Fault run(CancellationPoll poll) {
    long[] at = walk.start();
    long[] index = walk.index();
    do {
      poll.inPieces(walk.width(), TILE, (done, count) -> run(at, done, count));
    } while (poll.fault() == null && walk.next(index, at));
    return poll.fault();
  }

  private void run(long[] at, long done, int count) {
    for (int k = 0; k < sources.length; k++) {
      ComplexOperand source = sources[k];
      if (source != null) {
        source.load(re[k], im[k], at[k] + done * walk.step(k), walk.step(k), count, parts);
      }
    }
    formula.run(re, im, count);
    target.store(re[2], im[2], at[2] + done * walk.step(2), walk.step(2), count);
  }
}
