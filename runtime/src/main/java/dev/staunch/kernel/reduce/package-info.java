/**
 * Operations along dimensions that treat a tensor as groups of elements: sums and means, extremes,
 * norms, softmax, sorts, quantiles, counts, and those that run along a dimension.
 *
 * <p>Door: {@link dev.staunch.kernel.reduce.ReductionOperations}. All stand on {@link
 * dev.staunch.kernel.reduce.Reduction}, which says which elements make a group, and on {@link
 * dev.staunch.kernel.reduce.RealRow}, which brings them as doubles, some at a time (integers:
 * {@code IntegerRow}). {@link dev.staunch.kernel.reduce.StableOrder} sorts a group.
 *
 * <p>Below are {@code create}, {@code pointwise}, {@code loop} and {@code operand}. Not here:
 * reductions of Python lists ({@code container}); pooling and normalisation ({@code neural}).
 */
package dev.staunch.kernel.reduce;
