/**
 * Tensors of random numbers, operations that overwrite a tensor with them, sampling by
 * probabilities, and dropout.
 *
 * <p>Start with {@link dev.staunch.kernel.random.RandomOperations}. Each operation checks its
 * arguments, then takes one {@link dev.staunch.kernel.RandomStream}. {@code Drawing} fills the
 * element at row-major position i with the stream's i-th number, so neither strides nor threads
 * change a result.
 *
 * <p>{@code Distribution} describes the numbers to draw. {@code Draw} makes one element from the
 * stream's bits.
 *
 * <p>This package depends on {@code reduce}, {@code create}, {@code formula}, {@code loop}, {@code
 * scalar} and {@code operand}. Generators and streams are part of the contract, {@code
 * dev.staunch.kernel}.
 */
package dev.staunch.kernel.random;
