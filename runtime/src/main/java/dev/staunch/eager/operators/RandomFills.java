package dev.staunch.eager.operators;

import static dev.staunch.operation.None.NONE;

/**
 * Operations that overwrite this tensor with random numbers of the context's {@link
 * dev.staunch.kernel.Generator}.
 *
 * <p>The element at row-major position {@code i} depends on the seed, on how many random operations
 * were called before, and on {@code i}; not on threads or layout. A call that fails does not
 * advance the generator. Each method returns this tensor, which holds the fault of a call that
 * failed, as after any {@linkplain InPlace in-place} operation.
 */
public interface RandomFills<T> extends Applicable<T> {

  /** Uniform in [from, to); floating dtypes; a fault if {@code from > to}. */
  default T uniform_(double from, double to) {
    return applyInPlace("aten::uniform_", this, from, to, NONE);
  }

  /** Normal with this mean and standard deviation; floating dtypes; a fault if {@code std < 0}. */
  default T normal_(double mean, double std) {
    return applyInPlace("aten::normal_", this, mean, std, NONE);
  }

  /** 1 with probability {@code p}, else 0; a fault unless {@code p} is in [0, 1]. */
  default T bernoulli_(double p) {
    return applyInPlace("aten::bernoulli_.float", this, p, NONE);
  }

  /**
   * Exponential with rate {@code lambda}; floating dtypes; all infinite if it is 0; a fault if it
   * is negative or NaN.
   */
  default T exponential_(double lambda) {
    return applyInPlace("aten::exponential_", this, lambda, NONE);
  }

  /**
   * Uniform integers from {@code from} up to but excluding {@code to}; a fault if there are none or
   * the dtype cannot hold them.
   */
  default T random_(long from, long to) {
    return applyInPlace("aten::random_.from", this, from, to, NONE);
  }
}
