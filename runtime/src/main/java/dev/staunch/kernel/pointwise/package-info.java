/**
 * Operations that make each element of the result of the elements in the same place of the
 * operands: arithmetic, comparisons, functions, activations.
 *
 * <p>Door: {@link dev.staunch.kernel.pointwise.PointwiseOperations}, which lists the groups. A
 * group gives each operation its schema and its {@link dev.staunch.kernel.loop.Rule}; {@link
 * dev.staunch.kernel.loop.Pointwise} does the rest: dtypes, broadcasting, in-place forms.
 *
 * <p>Functions of numbers that other rooms use too stand beside their operations: {@link
 * dev.staunch.kernel.pointwise.TensorFunctions#sigmoid}, {@link
 * dev.staunch.kernel.pointwise.PairFunctions#timesLog}.
 *
 * <p>Below are {@code loop}, {@code scalar} and {@code operand}. Not here: losses and dropout
 * ({@code neural}, {@code random}); scalars without a tensor ({@code scalar}).
 */
package dev.staunch.kernel.pointwise;
