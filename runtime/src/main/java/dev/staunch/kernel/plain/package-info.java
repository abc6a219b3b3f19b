/**
 * The primitives in plain Java: the set that is always there, and the oracle of all others.
 *
 * <p>Door: {@link dev.staunch.kernel.plain.PlainKernels}, which prepares each primitive. {@code
 * PlainMatrixProduct} multiplies two {@code Factor}s, with one generated class for each kind of
 * number; {@code SmallProduct} is its short way. A factor is a matrix at any strides ({@code
 * MatrixView}) or what a convolution takes from an image ({@code Patches}), of which nothing is
 * stored. {@code PackedRows} multiplies a few rows by a packed constant.
 *
 * <p>Only {@code standard} names this package, to put the set in its place: families ask their
 * environment for the set. Below are {@code primitive}, {@code reduce}, {@code loop} and {@code
 * operand}. Not here: checks of operands, which families have made before they ask.
 */
package dev.staunch.kernel.plain;
