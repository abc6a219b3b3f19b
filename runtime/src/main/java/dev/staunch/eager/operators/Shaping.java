package dev.staunch.eager.operators;

import static dev.staunch.eager.operators.Arguments.longs;
import static dev.staunch.operation.None.NONE;

/**
 * Other views of the same elements, and rearranged copies.
 *
 * <p>Views share the storage, so an in-place write to one is seen in all of them; each view holds
 * the memory on its own. Each method says whether it returns a view or a copy. Negative dimensions
 * count from the end; a dimension out of range is an index fault. The dtype is kept.
 */
public interface Shaping<T> extends Applicable<T> {

  /**
   * A view if the layout allows it, else a copy; one size may be -1; a shape fault if the number of
   * elements does not match.
   */
  default T reshape(long... shape) {
    return apply("aten::reshape", this, longs("shape", shape));
  }

  /** A view; one size may be -1; a shape fault if the layout does not allow it. */
  default T view(long... shape) {
    return apply("aten::view", this, longs("shape", shape));
  }

  /** All dimensions as one; a view if the layout allows it. */
  default T flatten() {
    return apply("aten::flatten.using_ints", this, 0L, -1L);
  }

  /**
   * Merges dimensions {@code startDim} to {@code endDim}, both included, into one; a view if the
   * layout allows it.
   */
  default T flatten(long startDim, long endDim) {
    return apply("aten::flatten.using_ints", this, startDim, endDim);
  }

  /** A view with the dimensions in the order {@code dims}. */
  default T permute(long... dims) {
    return apply("aten::permute", this, longs("dims", dims));
  }

  /** A view with two dimensions swapped. */
  default T transpose(long dim0, long dim1) {
    return apply("aten::transpose.int", this, dim0, dim1);
  }

  /**
   * A view with the two dimensions of a matrix swapped; a shape fault for more than two dimensions.
   */
  default T t() {
    return apply("aten::t", this);
  }

  /** A view with all dimensions in reverse order, as {@code x.T} in PyTorch and NumPy. */
  @SuppressWarnings("MemberName") // the name that users look for
  default T T() {
    return apply("aten::numpy_T", this);
  }

  /** A view without the dimensions of size 1. */
  default T squeeze() {
    return apply("aten::squeeze", this);
  }

  /** A view without {@code dim} if its size is 1. */
  default T squeeze(long dim) {
    return apply("aten::squeeze.dim", this, dim);
  }

  /** A view with a new dimension of size 1 before {@code dim}. */
  default T unsqueeze(long dim) {
    return apply("aten::unsqueeze", this, dim);
  }

  /** A view in which dimensions of size 1 repeat; -1 keeps a size. */
  default T expand(long... sizes) {
    return apply("aten::expand", this, longs("sizes", sizes), false);
  }

  /** {@link #expand} to the shape of {@code other}. */
  default T expandAs(T other) {
    return apply("aten::expand_as", this, other);
  }

  /**
   * A view of {@code length} indices of {@code dim} from {@code start} on; out of range is an index
   * fault.
   */
  default T narrow(long dim, long start, long length) {
    return apply("aten::narrow", this, dim, start, length);
  }

  /** A view of one index of {@code dim}, which is removed; out of range is an index fault. */
  default T select(long dim, long index) {
    return apply("aten::select.int", this, dim, index);
  }

  /**
   * A view of every {@code step}-th index from {@code start} up to but excluding {@code end}.
   * Negative bounds count from the end, and bounds are clipped to the size; a fault unless {@code
   * step} is positive.
   */
  default T slice(long dim, long start, long end, long step) {
    return apply("aten::slice.Tensor", this, dim, start, end, step);
  }

  /** A copy repeated this many times along each dimension. */
  default T repeat(long... times) {
    return apply("aten::repeat", this, longs("times", times));
  }

  /**
   * A copy in which each index of {@code dim} comes {@code repeats} times, one behind the other.
   */
  default T repeatInterleave(long repeats, long dim) {
    return apply("aten::repeat_interleave.self_int", this, repeats, dim, NONE);
  }

  /** As {@link #repeatInterleave(long, long)}, with an integer for each index of {@code dim}. */
  default T repeatInterleave(T repeats, long dim) {
    return apply("aten::repeat_interleave.self_Tensor", this, repeats, dim, NONE);
  }

  /** A copy with the order along {@code dims} reversed. */
  default T flip(long... dims) {
    return apply("aten::flip", this, longs("dims", dims));
  }

  /** A copy shifted along {@code dim}; elements that leave at the end come back at the start. */
  default T roll(long shift, long dim) {
    return apply("aten::roll", this, longs(shift), longs(dim));
  }

  /** A copy with 0 above a diagonal of the last two dimensions. */
  default T tril(long diagonal) {
    return apply("aten::tril", this, diagonal);
  }

  /** A copy with 0 below a diagonal of the last two dimensions. */
  default T triu(long diagonal) {
    return apply("aten::triu", this, diagonal);
  }

  /**
   * A copy of a diagonal of a matrix, above the main one if {@code diagonal} is positive; or a
   * matrix with this vector there, and 0 elsewhere.
   */
  default T diag(long diagonal) {
    return apply("aten::diag", this, diagonal);
  }

  /**
   * Views of {@code size} indices of {@code dim} each; the last may be smaller. Waits for this
   * tensor; throws its fault.
   */
  default T[] split(long size, long dim) {
    return applyList("aten::split.Tensor", this, size, dim);
  }

  /**
   * Views of the given numbers of indices of {@code dim}, which must sum to its size. Waits for
   * this tensor; throws its fault.
   */
  default T[] splitWithSizes(long[] sizes, long dim) {
    return applyList("aten::split_with_sizes", this, longs("sizes", sizes), dim);
  }

  /**
   * At most {@code chunks} views of equal size, except for the last. Waits for this tensor; throws
   * its fault.
   */
  default T[] chunk(long chunks, long dim) {
    return applyList("aten::chunk", this, chunks, dim);
  }

  /**
   * A view for each index of {@code dim}, which is removed. Waits for this tensor; throws its
   * fault.
   */
  default T[] unbind(long dim) {
    return applyList("aten::unbind.int", this, dim);
  }
}
