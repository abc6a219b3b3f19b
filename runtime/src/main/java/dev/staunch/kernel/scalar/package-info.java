/**
 * Operations of single values: Python's numbers and comparisons, casts, and what programs ask of
 * the context they run in. Also the functions of one number that the kernels of tensors share.
 *
 * <p>Door: {@link dev.staunch.kernel.scalar.ScalarOperations}. Functions: {@link
 * dev.staunch.kernel.scalar.ErrorFunction}, {@link dev.staunch.kernel.scalar.InverseHyperbolic},
 * {@link dev.staunch.kernel.scalar.ComplexMath}; numbers as text: {@link
 * dev.staunch.kernel.scalar.NumberText}; strings as the UTF-8 bytes that libtorch counts: {@link
 * dev.staunch.kernel.scalar.ByteText}.
 *
 * <p>Values are {@code Long}, {@code Double}, {@code Boolean}, {@code String} and {@link
 * dev.staunch.kernel.ComplexNumber}; the messages of faults are libtorch's.
 *
 * <p>Below is {@code operand}. Not here: operations of strings ({@code text}) and of lists and
 * dicts ({@code container}).
 */
package dev.staunch.kernel.scalar;
