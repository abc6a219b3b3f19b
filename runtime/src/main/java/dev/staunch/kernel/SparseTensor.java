package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tensor that keeps only some of its elements, each with its coordinates. Scripts see it as a
 * tensor of layout {@code sparse_coo}; the adjacency matrix of a graph is an example.
 *
 * @param indices int64 [sparse dimensions, kept], within the bounds of {@code shape}
 * @param values [kept, dense dimensions]; values at the same coordinates add up
 * @param coalesced whether the coordinates are sorted and unique
 */
public record SparseTensor(DenseTensor indices, DenseTensor values, Shape shape, boolean coalesced)
    implements CompoundTensor {
  /** The fault if these cannot be the parts of a sparse tensor of any shape; else null. */
  public static @Nullable Fault misfit(DenseTensor indices, DenseTensor values) {
    if (indices.dtype() != DType.INT64) {
      return Fault.dtype("`indices` must be int64, but it is " + indices.dtype())
          .withExpected(ExpectedDType.of(DType.INT64).in("indices"), indices.dtype());
    }
    boolean fits =
        indices.rank() == 2
            && values.rank() >= 1
            && indices.shape().size(1) == values.shape().size(0);
    String text = "a sparse tensor has indices [dimensions, n] and n values, not %s and %s";
    return fits
        ? null
        : Fault.shape(Message.of(text, indices.shape(), values.shape()))
            .withExpected("indices [dimensions, n]", indices.shape().toString());
  }

  /**
   * The fault if this is not a valid sparse tensor, because its shape differs from its parts or an
   * index is out of bounds; else null.
   *
   * @param least the least index of each sparse dimension, and {@code greatest} the greatest; empty
   *     if nothing is kept
   */
  public @Nullable Fault misfit(long[] least, long[] greatest) {
    int sparse = sparseDims();
    boolean fits = shape.rank() == sparse + values.rank() - 1;
    for (int d = 1; fits && d < values.rank(); d++) {
      fits = shape.size(sparse + d - 1) == values.shape().size(d);
    }
    if (!fits) {
      String text = "the size %s does not fit indices %s and values %s";
      return Fault.shape(Message.of(text, shape, indices.shape(), values.shape()))
          .withExpected(sparse + " sparse dimensions, then those of the values", shape.toString());
    }
    for (int d = 0; d < least.length; d++) {
      long wrong = least[d] < 0 ? least[d] : greatest[d];
      if (wrong < 0 || wrong >= shape.size(d)) {
        String text = "index %d of dimension %d is not within its size %d";
        return Fault.index(Message.of(text, wrong, d, shape.size(d)))
            .withExpected("0 to " + (shape.size(d) - 1), Long.toString(wrong));
      }
    }
    return null;
  }

  @Override
  public List<DenseTensor> parts() {
    return List.of(indices, values);
  }

  @Override
  public Trait knownBy() {
    return Trait.TAKES_SPARSE;
  }

  @Override
  public String remedy() {
    return "a sparse tensor; make it dense with `to_dense` before";
  }

  /** The number of sparse dimensions; the dimensions after them are dense. */
  public int sparseDims() {
    return (int) indices.shape().size(0);
  }

  /** The number of elements that are kept. */
  public long kept() {
    return indices.shape().size(1);
  }

  @Override
  public String toString() {
    return "sparse " + values.dtype() + shape;
  }
}
