/**
 * Special functions, element by element: of gamma's family, Bessel's, the normal distribution's.
 * Computed in double precision, rounded once.
 *
 * <p>Door: {@link dev.staunch.kernel.special.SpecialOperations}. The functions themselves are in
 * {@code GammaFamily}, {@code BesselFunctions} and {@code NormalDistribution}.
 */
@NullMarked
package dev.staunch.kernel.special;

import org.jspecify.annotations.NullMarked;
