package dev.staunch.eager.operators;

/**
 * Operations that write this tensor; the names are PyTorch's, with its trailing underscore.
 *
 * <p>Every view of the storage sees the change. Operands broadcast to this tensor's shape, which
 * never changes. The dtype stays: a computed result of a higher kind (a real into integers) is a
 * dtype fault, while values that are only stored ({@code fill_}, {@code copy_}, {@code
 * maskedFill_}) are cast. If several elements share one place in memory, as in an expanded tensor,
 * nothing is written and the call is a value fault.
 *
 * <p>Each method returns this tensor. A call that fails leaves its fault in this tensor and in
 * every view of its storage, because no value is left that such a line promised. So does a call
 * that is cancelled before it begins. The fault stays until an operation overwrites the whole
 * tensor, in whatever order its elements lie ({@code fill_}, {@code zero_}, {@code copy_}, {@link
 * RandomFills}).
 */
public interface InPlace<T> extends Applicable<T> {

  /** {@code this += other}. */
  default T add_(T other) {
    return applyInPlace("aten::add_.Tensor", this, other, 1L);
  }

  /** {@code this += other}. */
  default T add_(double other) {
    return applyInPlace("aten::add_.Scalar", this, other, 1L);
  }

  /** {@code this += other}. */
  default T add_(long other) {
    return applyInPlace("aten::add_.Scalar", this, other, 1L);
  }

  /** {@code this += alpha * other}. */
  default T add_(T other, double alpha) {
    return applyInPlace("aten::add_.Tensor", this, other, alpha);
  }

  /** {@code this += alpha * other}. */
  default T add_(T other, long alpha) {
    return applyInPlace("aten::add_.Tensor", this, other, alpha);
  }

  /** {@code this -= other}. */
  default T sub_(T other) {
    return applyInPlace("aten::sub_.Tensor", this, other, 1L);
  }

  /** {@code this -= other}. */
  default T sub_(double other) {
    return applyInPlace("aten::sub_.Scalar", this, other, 1L);
  }

  /** {@code this -= other}. */
  default T sub_(long other) {
    return applyInPlace("aten::sub_.Scalar", this, other, 1L);
  }

  /** {@code this *= other}. */
  default T mul_(T other) {
    return applyInPlace("aten::mul_.Tensor", this, other);
  }

  /** {@code this *= other}. */
  default T mul_(double other) {
    return applyInPlace("aten::mul_.Scalar", this, other);
  }

  /** {@code this *= other}. */
  default T mul_(long other) {
    return applyInPlace("aten::mul_.Scalar", this, other);
  }

  /** {@code this /= other}; a dtype fault for integers. */
  default T div_(T other) {
    return applyInPlace("aten::div_.Tensor", this, other);
  }

  /** {@code this /= other}; a dtype fault for integers. */
  default T div_(double other) {
    return applyInPlace("aten::div_.Scalar", this, other);
  }

  /** {@code this /= other}; a dtype fault for integers. */
  default T div_(long other) {
    return applyInPlace("aten::div_.Scalar", this, other);
  }

  /** Raises each element to a power. */
  default T pow_(double exponent) {
    return applyInPlace("aten::pow_.Scalar", this, exponent);
  }

  /** Raises each element to a power. */
  default T pow_(long exponent) {
    return applyInPlace("aten::pow_.Scalar", this, exponent);
  }

  /** Negates each element. */
  default T neg_() {
    return applyInPlace("aten::neg_", this);
  }

  /** Replaces each element by its absolute value. */
  default T abs_() {
    return applyInPlace("aten::abs_", this);
  }

  /** As {@link dev.staunch.eager.Tensor#exp()}; floating dtypes. */
  default T exp_() {
    return applyInPlace("aten::exp_", this);
  }

  /** As {@link dev.staunch.eager.Tensor#log()}; floating dtypes. */
  default T log_() {
    return applyInPlace("aten::log_", this);
  }

  /** As {@link dev.staunch.eager.Tensor#sqrt()}; floating dtypes. */
  default T sqrt_() {
    return applyInPlace("aten::sqrt_", this);
  }

  /** As {@link dev.staunch.eager.Tensor#clamp(double, double)}. */
  default T clamp_(double min, double max) {
    return applyInPlace("aten::clamp_", this, min, max);
  }

  /** As {@link dev.staunch.eager.Tensor#clamp(double, double)}. */
  default T clamp_(long min, long max) {
    return applyInPlace("aten::clamp_", this, min, max);
  }

  /** {@code this += value * first * second}. */
  default T addcmul_(T first, T second, double value) {
    return applyInPlace("aten::addcmul_", this, first, second, value);
  }

  /** {@code this += value * first * second}. */
  default T addcmul_(T first, T second, long value) {
    return applyInPlace("aten::addcmul_", this, first, second, value);
  }

  /** {@code this += value * first / second}. */
  default T addcdiv_(T first, T second, double value) {
    return applyInPlace("aten::addcdiv_", this, first, second, value);
  }

  /** {@code this += weight * (end - this)}. */
  default T lerp_(T end, double weight) {
    return applyInPlace("aten::lerp_.Scalar", this, end, weight);
  }

  /** As {@link dev.staunch.eager.Tensor#relu()}. */
  default T relu_() {
    return applyInPlace("aten::relu_", this);
  }

  /** As {@link dev.staunch.eager.Tensor#sigmoid()}; floating dtypes. */
  default T sigmoid_() {
    return applyInPlace("aten::sigmoid_", this);
  }

  /** As {@link dev.staunch.eager.Tensor#tanh()}; floating dtypes. */
  default T tanh_() {
    return applyInPlace("aten::tanh_", this);
  }

  /** Sets every element. */
  default T fill_(double value) {
    return applyInPlace("aten::fill_.Scalar", this, value);
  }

  /** Sets every element. */
  default T fill_(long value) {
    return applyInPlace("aten::fill_.Scalar", this, value);
  }

  /** Sets every element to 0. */
  default T zero_() {
    return applyInPlace("aten::zero_", this);
  }

  /** Copies the elements of {@code source}, which broadcasts and may be of any dtype. */
  default T copy_(T source) {
    return applyInPlace("aten::copy_", this, source, false);
  }

  /** Sets the elements where {@code mask} (bool, broadcast) holds. */
  default T maskedFill_(T mask, double value) {
    return applyInPlace("aten::masked_fill_.Scalar", this, mask, value);
  }

  /** Sets the elements where {@code mask} (bool, broadcast) holds. */
  default T maskedFill_(T mask, long value) {
    return applyInPlace("aten::masked_fill_.Scalar", this, mask, value);
  }

  /** Writes {@code source} at the int64 indices along {@code dim}. */
  default T scatter_(long dim, T index, T source) {
    return applyInPlace("aten::scatter_.src", this, dim, index, source);
  }

  /** Adds {@code source} at the int64 indices along {@code dim}. */
  default T scatterAdd_(long dim, T index, T source) {
    return applyInPlace("aten::scatter_add_", this, dim, index, source);
  }

  /**
   * Adds the slices of {@code source} at int64 or int32 indices, one for each, along {@code dim}.
   */
  default T indexAdd_(long dim, T index, T source) {
    return applyInPlace("aten::index_add_", this, dim, index, source, 1L);
  }
}
