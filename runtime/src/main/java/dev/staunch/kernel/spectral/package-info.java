/**
 * Fourier transforms, including short-time transforms, and complex numbers made of reals. Each line
 * is computed in double precision and rounded once.
 *
 * <p>Start with {@link dev.staunch.kernel.spectral.SpectralOperations}. {@code FourierTransform}
 * transforms one line; {@code FourierLines} applies it to every line of a tensor.
 */
@NullMarked
package dev.staunch.kernel.spectral;

import org.jspecify.annotations.NullMarked;
