package dev.staunch.kernel.primitive;

import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/**
 * The primitives that operations compute with, in one implementation of each. A set is part of a
 * {@code Catalog} and so of the configuration: chosen once, the same for every call.
 *
 * <p>Each method prepares a primitive for requests of one form. What it returns is immutable, runs
 * any number of times and on any threads at once; operands of a call must be of the form that the
 * request says. Preparing allocates; running takes no memory for small shapes but what a kernel
 * needs as scratch. A set that computes some requests only hands the others to another set.
 *
 * <p>Results of different sets may differ by rounding: in float32 by 1e-5 of a value from
 * libtorch's, or less from the exact one than libtorch's does. One set gives the same bits for the
 * same operands, whatever runs besides; one that has to become {@linkplain #isWarm warm} changes
 * them once.
 */
public interface KernelSet {
  /** What reports and traces call the set. */
  String name();

  /**
   * Whether calls compute as they will from now on. A set that takes long to become fast may let
   * another one serve until it is; then results change once, by rounding.
   */
  default boolean isWarm() {
    return true;
  }

  /**
   * Begins to become warm, in the background, where the set puts that off until it seems to pay.
   */
  default void warmUp() {}

  /** The set that this is once it is warm: for the same bits from the first call on. */
  default KernelSet warm() {
    return this;
  }

  /** Prepares a product of matrices, or of batches of them. */
  MatrixProduct matrixProduct(MatrixProduct.Request request);

  /** Prepares a convolution over two dimensions. */
  Convolution convolution(Convolution.Request request);

  /**
   * Whether a convolution is faster on images whose channels lie last, on both sides, than on the
   * row-major ones of {@code request}. A set that is not warm yet answers for the time when it is.
   */
  default boolean prefersChannelsLast(Convolution.Request request) {
    return false;
  }

  /** Prepares a pooling over one or two dimensions. */
  Pooling pooling(Pooling.Request request);

  /** Prepares a normalisation of rows by their own statistics. */
  RowNormalization rowNormalization(RowNormalization.Request request);

  /** Prepares a normalisation of channels by statistics that are known. */
  ChannelNormalization channelNormalization(ChannelNormalization.Request request);

  /** Prepares a softmax along one dimension. */
  Softmax softmax(Softmax.Request request);

  /** Prepares a copy between layouts, with a cast if need be. */
  Copy copy(Copy.Request request);

  /** Prepares the time steps of one direction of a recurrent layer. */
  Recurrence recurrence(Recurrence.Request request);

  /** How elements of {@code dtype} are moved to and from places of their own. */
  Gather gather(DType dtype);

  /** How rows of a float32 table are added up; all sets to the same bits. */
  RowSum rowSum();

  /**
   * The loop of a pointwise formula over off-heap rows that are no mapped file; null if the set has
   * none that is better than the formula's own.
   *
   * @param name that of the formula, which has no constants
   */
  @Nullable RowFormula rowFormula(String name);

  /**
   * The loop of a reduction over rows that are no mapped file; null if the set has none that is
   * better than one element after the other.
   */
  @Nullable RowReduction rowReduction(RowReduction.Kind kind);

  /**
   * The loops of casts between float32 and {@code narrow}, over off-heap rows that are no mapped
   * file; null if the set has none that are better than the plain ones.
   */
  @Nullable RowCast rowCast(DType narrow);
}
