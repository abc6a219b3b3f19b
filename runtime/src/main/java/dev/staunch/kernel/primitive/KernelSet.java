package dev.staunch.kernel.primitive;

import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/**
 * One implementation of each primitive that operations compute with. A set is part of a {@code
 * Catalog} and so of the configuration: it is chosen once and is the same for every call.
 *
 * <p>Each method prepares a primitive for requests of one form. The returned object is immutable
 * and may run any number of times, on any threads at once; the operands of a call must have the
 * form that the request says. Preparing allocates memory. For small shapes, running allocates
 * nothing but the scratch memory that a kernel needs. A set that computes only some requests
 * delegates the others to another set.
 *
 * <p>Results of different sets may differ by rounding. In float32, a result differs from libtorch's
 * by at most 1e-5 of the value, or it is closer to the exact value than libtorch's. One set gives
 * the same bits for the same operands, whatever else is running; a set that has to become
 * {@linkplain #isWarm warm} changes those of each primitive once.
 */
public interface KernelSet {
  /** The name of the set in reports and traces. */
  String name();

  /**
   * Whether the primitives in use already compute as they will from now on. A set that takes long
   * to become fast may let another set serve until then; the results of each primitive then change
   * once, by rounding.
   */
  default boolean isWarm() {
    return true;
  }

  /** The version of a set that always prepares requests in the same way. */
  int FINAL_VERSION = 0;

  /**
   * Changes when primitives have become warm: what was derived from this set before may then be
   * derived anew.
   */
  default int version() {
    return FINAL_VERSION;
  }

  /**
   * Starts warming up in the background, for a set that otherwise waits until that seems to pay.
   */
  default void warmUp() {}

  /**
   * The set that this becomes once it is warm; use it to get the same bits from the first call on.
   */
  default KernelSet warm() {
    return this;
  }

  /** Prepares a product of matrices, or of batches of them. */
  MatrixProduct matrixProduct(MatrixProduct.Request request);

  /** Prepares a convolution over two dimensions. */
  Convolution convolution(Convolution.Request request);

  /**
   * Whether a convolution is faster with channels-last input and result than with the row-major
   * ones of {@code request}. A set that is not warm yet answers for the time when it is.
   */
  default boolean prefersChannelsLast(Convolution.Request request) {
    return false;
  }

  /** Prepares a pooling over one or two dimensions. */
  Pooling pooling(Pooling.Request request);

  /** Prepares a normalisation of rows by their own statistics. */
  RowNormalization rowNormalization(RowNormalization.Request request);

  /** Prepares a normalisation of channels with given statistics. */
  ChannelNormalization channelNormalization(ChannelNormalization.Request request);

  /** Prepares a softmax along one dimension. */
  Softmax softmax(Softmax.Request request);

  /** Prepares a copy between layouts, with a cast if necessary. */
  Copy copy(Copy.Request request);

  /** Prepares the time steps of one direction of a recurrent layer. */
  Recurrence recurrence(Recurrence.Request request);

  /** Moves elements of {@code dtype} to and from arbitrary positions. */
  Gather gather(DType dtype);

  /** Adds up rows of a float32 table; all sets give the same bits. */
  RowSum rowSum();

  /**
   * The loop of a pointwise formula over off-heap rows that are not in a mapped file; null if the
   * set has none that is faster than the formula's own.
   *
   * @param dtype the dtype of the rows, in which they are combined
   * @param name the name of the formula
   * @param constants the numbers that complete it, rounded to the dtype
   */
  @Nullable RowFormula rowFormula(DType dtype, String name, double... constants);

  /**
   * The loop of a reduction over rows of {@code dtype} that are not in a mapped file; null if the
   * set has none that is faster than processing one element after the other.
   */
  @Nullable RowReduction rowReduction(DType dtype, RowReduction.Kind kind);

  /**
   * The loops of casts between float32 and {@code narrow}, over off-heap rows that are not in a
   * mapped file; null if the set has none that are faster than the plain ones.
   */
  @Nullable RowCast rowCast(DType narrow);
}
