/**
 * The seam below the operations: the primitives that they compute with, as interfaces.
 *
 * <p>Door: {@link dev.staunch.kernel.primitive.KernelSet}, which prepares a primitive for operands
 * of one form. A primitive is an interface with its request: {@link
 * dev.staunch.kernel.primitive.MatrixProduct}, {@link dev.staunch.kernel.primitive.Convolution},
 * {@link dev.staunch.kernel.primitive.Pooling} and so on. What it may use while it runs is an
 * {@link dev.staunch.kernel.primitive.ExecutionContext}; an operand that is the same at every call
 * is a {@link dev.staunch.kernel.primitive.Constant}, of which a set may keep a packed form.
 *
 * <p>Operands have been checked before: a primitive meets no mistake of a user's. Below are {@code
 * tensor}, {@code memory}, {@code type} and {@code fault}; the contract of the kernels stands on
 * this. Not here: anything that computes ({@code plain}), and what operations mean.
 */
package dev.staunch.kernel.primitive;
