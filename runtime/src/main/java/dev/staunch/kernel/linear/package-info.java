/**
 * Products of vectors, matrices and batches of them; contractions, {@code einsum} and distances,
 * which are made of products.
 *
 * <p>Door: {@link dev.staunch.kernel.linear.LinearOperations}. {@link
 * dev.staunch.kernel.linear.BatchedProduct} finds the matrices of operands that broadcast; {@link
 * dev.staunch.kernel.linear.MatrixProduct} multiplies two of them, which a {@link
 * dev.staunch.kernel.linear.MatrixView} shows at any strides, with one class for each kind of
 * element. {@link dev.staunch.kernel.linear.ProductFaults} words what can be wrong.
 *
 * <p>Below are {@code loop} and {@code operand}. Not here: decompositions, which there are none of;
 * convolutions ({@code neural}), which call these products.
 */
package dev.staunch.kernel.linear;
