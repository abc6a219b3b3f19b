/**
 * Element-wise special functions: the gamma family, Bessel functions and the normal distribution.
 * They compute in double precision and round once.
 *
 * <p>Start with {@link dev.staunch.kernel.special.SpecialOperations}. The functions themselves are
 * in {@code GammaFamily}, {@code BesselFunctions} and {@code NormalDistribution}.
 */
@NullMarked
package dev.staunch.kernel.special;

import org.jspecify.annotations.NullMarked;
