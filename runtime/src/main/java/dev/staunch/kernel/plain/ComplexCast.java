package dev.staunch.kernel.plain;

import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Strides;
import dev.staunch.kernel.operand.ComplexOperand;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;

/** Casts complex numbers to another dtype, and reals to complex numbers, row by row. */
final class ComplexCast {
  private static final int TILE = 1024;

  private ComplexCast() {}

  /** Whether one of the dtypes is complex. */
  static boolean takes(DType from, DType to) {
    return from.kind() == DType.Kind.COMPLEX || to.kind() == DType.Kind.COMPLEX;
  }

  /** Casts all rows; {@code walk} is that of the target and of the source. */
  static void run(CancellationPoll poll, DenseTensor source, DenseTensor target, Strides walk) {
    ComplexOperand from = ComplexOperand.of(source);
    ComplexOperand to = ComplexOperand.of(target);
    DType as = target.dtype() == DType.COMPLEX64 ? DType.FLOAT32 : DType.FLOAT64;
    int size = (int) Math.min(TILE, walk.width());
    double[] re = new double[size];
    double[] im = new double[size];
    long[] at = walk.start();
    long[] index = walk.index();
    do {
      poll.inPieces(
          walk.width(),
          TILE,
          (done, count) -> {
            from.load(re, im, at[1] + done * walk.step(1), walk.step(1), count, as);
            to.store(re, im, at[0] + done * walk.step(0), walk.step(0), count);
          });
    } while (poll.fault() == null && walk.next(index, at));
  }
}
