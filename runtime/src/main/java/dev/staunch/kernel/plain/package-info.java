/**
 * The primitives in plain Java. This set is always available, and it is the oracle for all other
 * sets.
 *
 * <p>Start with {@link dev.staunch.kernel.plain.PlainKernels}, which prepares each primitive.
 * {@code PlainMatrixProduct} multiplies two {@code Factor}s, with one generated class per kind of
 * number; {@code SmallProduct} is the shortcut for small ones. A factor is a matrix with any
 * strides ({@code MatrixView}), or the matrix that a convolution reads from an image without
 * storing it ({@code Patches}). {@code PackedRows} multiplies a few rows by a packed constant.
 *
 * <p>Only {@code standard} refers to this package, to install the set; families get the set from
 * their environment. This package depends on {@code primitive}, {@code reduce}, {@code recurrent},
 * {@code loop} and {@code operand}. It does not check operands: the families do that before they
 * ask for a primitive.
 */
package dev.staunch.kernel.plain;
