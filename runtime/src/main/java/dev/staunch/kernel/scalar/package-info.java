/**
 * Operations on single values: Python numbers and comparisons, casts, and queries about the context
 * that a program runs in. This package also holds the functions of one number that tensor kernels
 * share.
 *
 * <p>Start with {@link dev.staunch.kernel.scalar.ScalarOperations}. The functions are in {@link
 * dev.staunch.kernel.scalar.ErrorFunction}, {@link dev.staunch.kernel.scalar.InverseHyperbolic} and
 * {@link dev.staunch.kernel.scalar.ComplexMath}. {@link dev.staunch.kernel.scalar.NumberText}
 * converts numbers to and from text. {@link dev.staunch.kernel.scalar.ByteText} treats strings as
 * UTF-8 bytes, which is what libtorch counts.
 *
 * <p>Values are {@code Long}, {@code Double}, {@code Boolean}, {@code String} and {@link
 * dev.staunch.kernel.ComplexNumber}. Fault messages are those of libtorch.
 *
 * <p>This package depends on {@code operand}. Operations on strings are in {@code text}; those on
 * lists and dicts are in {@code container}.
 */
package dev.staunch.kernel.scalar;
