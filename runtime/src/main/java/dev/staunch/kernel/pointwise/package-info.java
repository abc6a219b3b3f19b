/**
 * Operations that make each element of the result of the elements in the same place of the
 * operands: arithmetic, comparisons, functions, activations.
 *
 * <p>Door: {@link dev.staunch.kernel.pointwise.PointwiseOperations}, which lists the groups. A
 * group gives each operation its schema and says what is combined for which operands, mostly as an
 * {@link dev.staunch.kernel.loop.Elementwise}; {@link dev.staunch.kernel.loop.Pointwise} does the
 * rest.
 *
 * <p>Below are {@code formula}, {@code loop}, {@code scalar} and {@code operand}. Not here: losses
 * and dropout ({@code neural}, {@code random}); scalars without a tensor ({@code scalar}).
 */
package dev.staunch.kernel.pointwise;
