/**
 * Products of vectors, matrices and batches of matrices, and the operations built on products:
 * contractions, {@code einsum} and distances.
 *
 * <p>Start with {@link dev.staunch.kernel.linear.LinearOperations}. {@link
 * dev.staunch.kernel.linear.BatchedProduct} finds the matrices of operands that broadcast and asks
 * for the primitive that multiplies them. {@code PreparedProduct} is what a step keeps of that
 * primitive between calls. {@link dev.staunch.kernel.linear.ProductFaults} words the error
 * messages.
 *
 * <p>This package depends on {@code loop} and {@code operand}. Decompositions are in {@code
 * algebra}, convolutions in {@code neural}, and the code that computes sits behind {@code
 * primitive}.
 */
package dev.staunch.kernel.linear;
