/**
 * Fourier transforms, including short-time transforms, and operations on complex numbers. Each line
 * of a transform is computed in double precision and rounded once.
 *
 * <p>Start with {@link dev.staunch.kernel.spectral.SpectralOperations}. {@code FourierTransform}
 * transforms one line; {@code FourierLines} applies it to every line of a tensor. {@code
 * ComplexForms} says how operations on reals are computed for complex operands: most by their real
 * and imaginary parts, functions and powers by a loop over the numbers.
 */
@NullMarked
package dev.staunch.kernel.spectral;

import org.jspecify.annotations.NullMarked;
