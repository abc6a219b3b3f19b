/**
 * Operations that compute each element of the result from the elements at the same position in the
 * operands: arithmetic, comparisons, functions, activations.
 *
 * <p>Start with {@link dev.staunch.kernel.pointwise.PointwiseOperations}, which lists the groups. A
 * group gives each operation its schema and says how to combine which operands, mostly as an {@link
 * dev.staunch.kernel.loop.Elementwise}; {@link dev.staunch.kernel.loop.Pointwise} does the rest.
 *
 * <p>This package depends on {@code formula}, {@code loop}, {@code scalar} and {@code operand}.
 * Losses are in {@code neural}, dropout in {@code random}, and scalar operations without a tensor
 * in {@code scalar}.
 */
package dev.staunch.kernel.pointwise;
