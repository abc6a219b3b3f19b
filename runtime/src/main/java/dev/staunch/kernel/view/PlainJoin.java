package dev.staunch.kernel.view;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Views;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The fast path for {@code cat} and {@code stack}: tensors of one dtype without gaps, whose shapes
 * differ at most in the joined dimension. It copies whole runs of bytes and allocates nothing but
 * the result.
 */
public final class PlainJoin {
  /** No dimension. */
  private static final int NONE = -1;

  /** Larger work takes the general path, which polls for cancellation. */
  private static final long MOST = CancellationPoll.STRIDE;

  private PlainJoin() {}

  /** Whether {@link #run} can join these along {@code dim}; a negative one counts from the end. */
  public static boolean fits(List<Object> tensors, long dim) {
    if (tensors.isEmpty() || !(tensors.get(0) instanceof DenseTensor first)) {
      return false;
    }
    int at = at(first, dim);
    return at >= 0 && at < first.rank() && fit(first, tensors, at);
  }

  /** Whether {@link #runStacked} can stack these along {@code dim} of the result. */
  static boolean fitsStacked(List<Object> tensors, long dim) {
    if (tensors.isEmpty() || !(tensors.get(0) instanceof DenseTensor first)) {
      return false;
    }
    long at = dim < 0 ? dim + first.rank() + 1 : dim;
    return at >= 0 && at <= first.rank() && fit(first, tensors, NONE);
  }

  /** Whether all are like {@code first}, except for the size of one dimension. */
  private static boolean fit(DenseTensor first, List<Object> tensors, int but) {
    long elements = 0;
    for (int i = 0; i < tensors.size(); i++) {
      long more =
          tensors.get(i) instanceof DenseTensor tensor && fits(first, tensor, but)
              ? tensor.elements()
              : 0;
      if (more == 0 || more > MOST) {
        return false;
      }
      elements += more;
    }
    return elements <= MOST;
  }

  private static int at(DenseTensor first, long dim) {
    return Math.clamp(dim < 0 ? dim + first.rank() : dim, -1, first.rank());
  }

  private static boolean fits(DenseTensor first, DenseTensor tensor, int at) {
    Shape shape = tensor.shape();
    Shape other = first.shape();
    int rank = other.rank();
    boolean fits =
        shape.rank() == rank
            && tensor.dtype() == first.dtype()
            && tensor.isContiguous()
            && (rank < 4 || !tensor.layout().suggestsChannelsLast());
    for (int i = 0; fits && i < rank; i++) {
      fits = i == at || shape.size(i) == other.size(i);
    }
    return fits;
  }

  /** The tensors concatenated; or a fault. */
  static Object run(Call call, List<Object> tensors, long dim) {
    DenseTensor first = (DenseTensor) tensors.get(0);
    int at = at(first, dim);
    long[] sizes = first.shape().toArray();
    for (int i = 1; i < tensors.size(); i++) {
      sizes[at] += ((DenseTensor) tensors.get(i)).shape().size(at);
    }
    return joined(call, tensors, Shape.of(sizes), at);
  }

  /** The tensors stacked along a new dimension; or a fault. */
  static Object runStacked(Call call, List<Object> tensors, long dim) {
    DenseTensor first = (DenseTensor) tensors.get(0);
    int at = (int) (dim < 0 ? dim + first.rank() + 1 : dim);
    long[] sizes = Views.with(first.shape().toArray(), at, tensors.size());
    return joined(call, tensors, Shape.of(sizes), at);
  }

  private static Object joined(Call call, List<Object> tensors, Shape shape, int at) {
    Object made = call.allocate(((DenseTensor) tensors.get(0)).dtype(), shape);
    if (made instanceof DenseTensor target) {
      long step = length(shape, at) * target.dtype().bytes();
      MemorySegment out = target.segment();
      long to = 0;
      for (int i = 0; i < tensors.size(); i++) {
        to += copy((DenseTensor) tensors.get(i), out, to, step, at);
      }
    }
    return made;
  }

  /** Copies all runs of {@code tensor}, {@code step} bytes apart; returns the length of each. */
  private static long copy(DenseTensor tensor, MemorySegment out, long first, long step, int dim) {
    int width = tensor.dtype().bytes();
    long run = length(tensor.shape(), dim);
    MemorySegment in = tensor.segment();
    long from = tensor.layout().offset() * width;
    long bytes = run * width;
    long count = tensor.elements();
    long to = first;
    for (long done = 0; done < count; done += run) {
      MemorySegment.copy(in, from, out, to, bytes);
      from += bytes;
      to += step;
    }
    return bytes;
  }

  /** The number of elements per index of the dimensions before {@code dim}. */
  private static long length(Shape shape, int dim) {
    long run = 1;
    for (int i = dim; i < shape.rank(); i++) {
      run *= shape.size(i);
    }
    return run;
  }
}
