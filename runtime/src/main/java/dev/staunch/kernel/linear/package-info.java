/**
 * Products of vectors, matrices and batches of them; contractions, {@code einsum} and distances,
 * which are made of products.
 *
 * <p>Door: {@link dev.staunch.kernel.linear.LinearOperations}. {@link
 * dev.staunch.kernel.linear.BatchedProduct} finds the matrices of operands that broadcast and asks
 * for the primitive that multiplies them; {@code PreparedProduct} is what a step keeps of that.
 * {@link dev.staunch.kernel.linear.ProductFaults} words what can be wrong.
 *
 * <p>Below are {@code loop} and {@code operand}. Not here: decompositions, which there are none of;
 * convolutions ({@code neural}), and what computes ({@code primitive}).
 */
package dev.staunch.kernel.linear;
