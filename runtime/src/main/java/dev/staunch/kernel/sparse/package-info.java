/**
 * Sparse tensors in coordinate format (COO), as far as graphs and embeddings use them: construction
 * from indices and values, coalescing, conversion to dense, multiplication with dense matrices,
 * addition and scaling.
 *
 * <p>Start with {@link dev.staunch.kernel.sparse.SparseOperations}. {@link
 * dev.staunch.kernel.sparse.SparseForms} says what operations on dense tensors do with a sparse
 * one.
 *
 * <p>The value itself is {@link dev.staunch.kernel.SparseTensor}, in the contract. Other layouts
 * such as CSR, and sums over some of the dimensions, are refused.
 */
@NullMarked
package dev.staunch.kernel.sparse;

import org.jspecify.annotations.NullMarked;
