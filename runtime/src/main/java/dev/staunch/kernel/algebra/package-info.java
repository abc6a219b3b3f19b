/**
 * Linear algebra of dense matrices: factors, solutions, eigenvalues, and what is made of them. A
 * matrix at a time, in double precision, rounded once at the end.
 *
 * <p>Door: {@link dev.staunch.kernel.algebra.AlgebraOperations}. {@code Matrices} takes a batch's
 * matrices through a computation; {@code Elimination}, {@code Triangles}, {@code Orthogonal} and
 * {@code Jacobi} are the computations, on row-major arrays.
 */
@NullMarked
package dev.staunch.kernel.algebra;

import org.jspecify.annotations.NullMarked;
