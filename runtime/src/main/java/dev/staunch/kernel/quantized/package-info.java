/**
 * Quantised tensors: 8-bit integers with a scale, as post-training quantisation leaves them in an
 * archive. Every operation on them is the one on the reals that they stand for, rounded once to the
 * codes of the result: at most one code from what libtorch's backends give, which differ from each
 * other by as much.
 *
 * <p>Start with {@link dev.staunch.kernel.quantized.QuantizedOperations}. {@code QuantizedForms}
 * says what operations on reals do with a quantised tensor, and {@code ChannelViews} with one that
 * has a scale for each channel; {@code Quantization} goes from reals to codes and back. {@code
 * PackedParameters} are the weights of a layer, in an object of the classes that libtorch calls
 * {@code torch.classes.quantized}; they are made real once for a model.
 *
 * <p>The value itself is {@link dev.staunch.kernel.QuantizedTensor}, in the contract.
 */
@NullMarked
package dev.staunch.kernel.quantized;

import org.jspecify.annotations.NullMarked;
