/**
 * Sparse tensors in coordinate format, as far as graphs and embeddings use them: made of indices
 * and values, coalesced, made dense, multiplied with dense matrices, added and scaled.
 *
 * <p>Door: {@link dev.staunch.kernel.sparse.SparseOperations}. What operations on dense tensors do
 * with a sparse one stands in {@link dev.staunch.kernel.sparse.SparseForms}.
 *
 * <p>Not here: the value itself, {@link dev.staunch.kernel.SparseTensor}; other layouts (CSR and
 * kin), and sums over some dimensions, which are refused.
 */
@NullMarked
package dev.staunch.kernel.sparse;

import org.jspecify.annotations.NullMarked;
