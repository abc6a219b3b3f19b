/**
 * Neural-network layers: convolution, pooling, normalisation, padding, resizing, embeddings, and
 * losses.
 *
 * <p>Start with {@link dev.staunch.kernel.neural.NeuralOperations}, which lists the groups. {@code
 * ConvolutionCall} checks a call and asks for the primitive that computes it; pooling and
 * normalisation work the same way. {@code SmallLookup} is a shortcut for small tensors with
 * bit-identical results.
 *
 * <p>This package depends on {@code view}, {@code reduce}, {@code formula}, {@code loop} and {@code
 * operand}. Activations are in {@code pointwise}, dropout in {@code random}, attention in {@code
 * attention}, and stateful layers in {@code recurrent}.
 */
package dev.staunch.kernel.neural;
