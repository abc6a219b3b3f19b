/**
 * Dense linear algebra: matrix factorisations, linear solves, eigenvalues, and the operations built
 * on them. Each operation processes one matrix at a time in double precision and rounds once at the
 * end.
 *
 * <p>Start with {@link dev.staunch.kernel.algebra.AlgebraOperations}. {@code Matrices} passes each
 * matrix of a batch to a computation. The computations are {@code Elimination}, {@code Triangles},
 * {@code Orthogonal}, {@code SymmetricEigen} and {@code Jacobi}; they work on row-major arrays.
 */
@NullMarked
package dev.staunch.kernel.algebra;

import org.jspecify.annotations.NullMarked;
