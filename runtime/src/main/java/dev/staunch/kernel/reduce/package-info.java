/**
 * Operations along dimensions that treat a tensor as groups of elements: sums and means, extremes,
 * norms, softmax, sorts, quantiles, counts, and cumulative operations.
 *
 * <p>Start with {@link dev.staunch.kernel.reduce.ReductionOperations}. All of them build on {@link
 * dev.staunch.kernel.reduce.Reduction}, which says which elements form a group, and on {@link
 * dev.staunch.kernel.reduce.RealRow}, which reads a group as doubles, a tile at a time ({@code
 * IntegerRow} for integers). {@link dev.staunch.kernel.reduce.StableOrder} sorts a group.
 *
 * <p>This package depends on {@code create}, {@code formula}, {@code loop} and {@code operand}.
 * Reductions of Python lists are in {@code container}; pooling and normalisation are in {@code
 * neural}.
 */
package dev.staunch.kernel.reduce;
