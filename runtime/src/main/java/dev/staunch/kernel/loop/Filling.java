package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.operand.ComplexOperand;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Gives new tensors their first content, and reads small ones. */
public final class Filling {
  /** Elements written at a time. */
  private static final int TILE = 1024;

  private Filling() {}

  /** Zeroes a new tensor; returns the fault of a cancellation, or null. */
  public static @Nullable Fault zero(Call call, DenseTensor target) {
    return new CancellationPoll(call).zero(target.segment());
  }

  /** Fills a new tensor with a number or bool; returns the fault of a cancellation, or null. */
  public static @Nullable Fault fill(CancellationPoll poll, DenseTensor target, Object value) {
    if (value.equals(0L)) {
      return poll.zero(target.segment());
    }
    if (target.elements() == 0) {
      return poll.fault();
    }
    Operand operand = Operand.of(target);
    int tile = (int) Math.min(target.elements(), TILE);
    if (value instanceof ComplexNumber number) {
      double[] re = new double[tile];
      double[] im = new double[tile];
      Arrays.fill(re, number.re());
      Arrays.fill(im, number.im());
      ComplexOperand.of(target).store(re, im, 0, 1, tile);
    } else if (value instanceof Double) {
      double[] reals = new double[tile];
      Arrays.fill(reals, Scalars.real(value));
      operand.store(reals, 0, 1, tile);
    } else {
      long[] integers = new long[tile];
      Arrays.fill(integers, Scalars.integer(value));
      operand.store(integers, 0, 1, tile);
    }
    MemorySegment all = target.segment();
    long width = target.dtype().bytes();
    return poll.inPieces(
        target.elements() - tile,
        tile,
        (at, count) -> MemorySegment.copy(all, 0, all, (tile + at) * width, count * width));
  }

  /** The {@link Shape} with these sizes, or a fault if it has more elements than fit in a long. */
  public static Object shape(long... sizes) {
    Fault misfit = Shape.misfit(sizes);
    if (misfit == null) {
      return Shape.of(sizes);
    }
    if (Arrays.stream(sizes).anyMatch(size -> size < 0)) {
      return misfit;
    }
    String text = "a tensor of shape " + Arrays.toString(sizes) + " exceeds the address space";
    return Fault.of(FaultType.OUT_OF_MEMORY, text);
  }

  /** A new tensor of zeros, or a fault. */
  public static Object zeros(Call call, DType dtype, Shape shape) {
    Object made = call.allocate(dtype, shape);
    return made instanceof DenseTensor tensor
        ? CancellationPoll.finished(tensor, zero(call, tensor))
        : made;
  }

  /**
   * The elements of a parameter of any real dtype as doubles, row-major. The array is meaningless
   * if {@code poll} has seen a cancellation.
   */
  public static double[] read(CancellationPoll poll, DenseTensor parameter) {
    double[] values = new double[Shape.asInt(parameter.elements())];
    Reals elements = Reals.of(poll, parameter);
    for (int i = 0; i < values.length && poll.fault() == null; i++) {
      values[i] = elements.at(i);
    }
    return values;
  }
}
