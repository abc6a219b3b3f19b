/**
 * The interfaces of the primitives that operations compute with.
 *
 * <p>Start with {@link dev.staunch.kernel.primitive.KernelSet}, which prepares a primitive for
 * operands of one form. Each primitive is an interface with a request record: {@link
 * dev.staunch.kernel.primitive.MatrixProduct}, {@link dev.staunch.kernel.primitive.Convolution},
 * {@link dev.staunch.kernel.primitive.Pooling} and so on. A running primitive gets its resources
 * from an {@link dev.staunch.kernel.primitive.ExecutionContext}. An operand that is the same at
 * every call is a {@link dev.staunch.kernel.primitive.Constant}; a set may keep a packed form of
 * it.
 *
 * <p>Callers check operands first, so a primitive never sees a user's mistake. This package depends
 * on {@code tensor}, {@code memory}, {@code type} and {@code fault}; the contract of the kernels
 * builds on it. The code that computes is in {@code plain}; the meaning of operations is in the
 * packages above.
 */
package dev.staunch.kernel.primitive;
