/**
 * Fourier transforms, short-time ones included, and complex numbers made of reals. Lines are
 * computed in double precision and rounded once.
 *
 * <p>Door: {@link dev.staunch.kernel.spectral.SpectralOperations}. {@code FourierTransform} is the
 * transform of one line, {@code FourierLines} takes a tensor's lines through it.
 */
@NullMarked
package dev.staunch.kernel.spectral;

import org.jspecify.annotations.NullMarked;
