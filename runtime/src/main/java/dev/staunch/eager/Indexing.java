package dev.staunch.eager;

import static dev.staunch.eager.operators.Arguments.present;
import static java.util.Objects.requireNonNull;

import dev.staunch.eager.operators.Applicable;
import dev.staunch.eager.operators.InPlace;
import dev.staunch.type.DType;

/**
 * Parts of a tensor by index, as Python writes them: {@code x[1, ::2, ..., mask]} is {@code
 * x.get(Index.at(1), Slice.every(2), Index.ellipsis(), mask)}.
 *
 * <p>{@link #get} with indices, slices and new dimensions is a view of the same storage; with
 * tensors or backward slices it is a copy. Tensors of indices broadcast against each other; their
 * dimensions stand where the first of them stood if they are neighbours, else in front. Single
 * indices are taken first and count as no tensor (PyTorch's rule). What follows a mask of several
 * dimensions stands for those behind them, as in NumPy, where PyTorch counts the mask as one. An
 * index that is not there is an index fault.
 *
 * <p>Ellipses, tensors of indices, masks and backward slices have to know shapes and wait for them;
 * all else returns at once.
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
   * Writes {@code value}, which broadcasts, into the part at these indices. The result is this
   * tensor, which holds the fault if the call failed, as after any {@linkplain InPlace in-place}
   * operation.
   */
  default Tensor set(Tensor value, Index... indices) {
    requireNonNull(value, "value");
    return Indexer.set((Tensor) this, value, present("indices", indices));
  }

  /** As {@link #set(Tensor, Index...)}, with one value everywhere. */
  default Tensor set(double value, Index... indices) {
    return Indexer.set((Tensor) this, value, DType.FLOAT64, present("indices", indices));
  }

  /** As {@link #set(Tensor, Index...)}, with one value everywhere. */
  default Tensor set(long value, Index... indices) {
    return Indexer.set((Tensor) this, value, DType.INT64, present("indices", indices));
  }

  /** The indices in the int64 or int32 tensor {@code index} of {@code dim}; a copy. */
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

  /** A copy in which elements where {@code mask} (bool, broadcast) holds are {@code value}. */
  default Tensor maskedFill(Tensor mask, double value) {
    return apply("aten::masked_fill.Scalar", this, mask, value);
  }

  /** A copy in which elements where {@code mask} (bool, broadcast) holds are {@code value}. */
  default Tensor maskedFill(Tensor mask, long value) {
    return apply("aten::masked_fill.Scalar", this, mask, value);
  }

  /** A copy in which {@code source} is added at the int64 indices along {@code dim}. */
  default Tensor scatterAdd(long dim, Tensor index, Tensor source) {
    return apply("aten::scatter_add", this, dim, index, source);
  }

  /** A copy in which {@code source} is written at the int64 indices along {@code dim}. */
  default Tensor scatter(long dim, Tensor index, Tensor source) {
    return apply("aten::scatter.src", this, dim, index, source);
  }
}
