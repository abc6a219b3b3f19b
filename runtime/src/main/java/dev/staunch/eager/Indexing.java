package dev.staunch.eager;

import static dev.staunch.eager.operators.Arguments.present;
import static java.util.Objects.requireNonNull;

import dev.staunch.eager.operators.Applicable;
import dev.staunch.eager.operators.InPlace;
import dev.staunch.type.DType;

/**
 * Selects parts of a tensor by index, as in Python: {@code x[1, ::2, ..., mask]} is {@code
 * x.get(Index.at(1), Slice.every(2), Index.ellipsis(), mask)}.
 *
 * <p>{@link #get} with indices, slices and new dimensions returns a view of the same storage; with
 * tensors or backward slices it returns a copy. Index tensors broadcast against each other. Their
 * dimensions take the place of the first of them if they are adjacent, and come first otherwise.
 * Single indices are applied first and do not count as tensors (PyTorch's rule). An index after a
 * mask of several dimensions applies to the dimensions behind those of the mask, as in NumPy;
 * PyTorch counts the mask as one dimension. An index out of range is an index fault.
 *
 * <p>Ellipses, index tensors, masks and backward slices wait, because they need to know shapes;
 * everything else returns at once.
 */
public sealed interface Indexing extends Applicable<Tensor> permits Tensor {

  /** The part at these indices. */
  default Tensor get(Index... indices) {
    return Indexer.get((Tensor) this, present("indices", indices));
  }

  /** The part at these single indices of the first dimensions; a view. */
  default Tensor get(long... indices) {
    Index[] places = new Index[requireNonNull(indices, "indices").length];
    for (int i = 0; i < places.length; i++) {
      places[i] = Index.at(indices[i]);
    }
    return get(places);
  }

  /**
   * Writes {@code value}, which broadcasts, into the part at these indices. Returns this tensor,
   * which holds the fault if the call failed, as after any {@linkplain InPlace in-place} operation.
   */
  default Tensor set(Tensor value, Index... indices) {
    requireNonNull(value, "value");
    return Indexer.set((Tensor) this, value, present("indices", indices));
  }

  /** As {@link #set(Tensor, Index...)}, with a single value. */
  default Tensor set(double value, Index... indices) {
    return Indexer.set((Tensor) this, value, DType.FLOAT64, present("indices", indices));
  }

  /** As {@link #set(Tensor, Index...)}, with a single value. */
  default Tensor set(long value, Index... indices) {
    return Indexer.set((Tensor) this, value, DType.INT64, present("indices", indices));
  }

  /** Selects the indices of {@code dim} in the int64 or int32 tensor {@code index}; a copy. */
  default Tensor indexSelect(long dim, Tensor index) {
    return apply("aten::index_select", this, dim, index);
  }

  /** The elements at int64 indices along {@code dim}, in the shape of {@code index}. */
  default Tensor gather(long dim, Tensor index) {
    return apply("aten::gather", this, dim, index, false);
  }

  /** The elements where the bool tensor {@code mask} (broadcast) holds, in one dimension. */
  default Tensor maskedSelect(Tensor mask) {
    return apply("aten::masked_select", this, mask);
  }

  /** A copy with {@code value} where {@code mask} (bool, broadcast) holds. */
  default Tensor maskedFill(Tensor mask, double value) {
    return apply("aten::masked_fill.Scalar", this, mask, value);
  }

  /** A copy with {@code value} where {@code mask} (bool, broadcast) holds. */
  default Tensor maskedFill(Tensor mask, long value) {
    return apply("aten::masked_fill.Scalar", this, mask, value);
  }

  /** A copy with {@code source} added at the int64 indices along {@code dim}. */
  default Tensor scatterAdd(long dim, Tensor index, Tensor source) {
    return apply("aten::scatter_add", this, dim, index, source);
  }

  /** A copy with the slices of {@code source} added at the indices of {@code dim}, one for each. */
  default Tensor indexAdd(long dim, Tensor index, Tensor source) {
    return apply("aten::index_add", this, dim, index, source, 1L);
  }

  /** A copy with {@code source} written at the int64 indices along {@code dim}. */
  default Tensor scatter(long dim, Tensor index, Tensor source) {
    return apply("aten::scatter.src", this, dim, index, source);
  }
}
