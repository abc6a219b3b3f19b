/**
 * Tensors of random numbers, overwriting with them, sampling by probabilities, and dropout.
 *
 * <p>Door: {@link dev.staunch.kernel.random.RandomOperations}. Each operation takes one {@link
 * dev.staunch.kernel.RandomStream}, after its arguments were checked; {@code Drawing} fills the
 * element at row-major place i with the stream's i-th number, so that neither strides nor threads
 * change a result.
 *
 * <p>{@code Distribution} says what is wanted, {@code Draw} how one element is made of the stream's
 * bits.
 *
 * <p>Below are {@code reduce}, {@code create}, {@code loop}, {@code scalar} and {@code operand}.
 * Not here: generators and streams, which are part of the contract.
 */
package dev.staunch.kernel.random;
