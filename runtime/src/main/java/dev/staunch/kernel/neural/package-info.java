/**
 * Layers of neural networks: convolution, pooling, normalisation, padding, resizing, embeddings;
 *
 * <p>and losses.
 *
 * <p>Door: {@link dev.staunch.kernel.neural.NeuralOperations}, which lists the groups. {@code
 * ConvolutionCall} checks and asks for the primitive that computes, as pooling and normalisation
 * do. {@code SmallLookup} is a short way for small tensors, with the same results to the bit.
 *
 * <p>Below are {@code linear}, {@code view}, {@code reduce}, {@code pointwise}, {@code loop} and
 * {@code operand}. Not here: activations ({@code pointwise}), dropout ({@code random}), {@code
 * attention}, and layers that keep a state ({@code recurrent}).
 */
package dev.staunch.kernel.neural;
