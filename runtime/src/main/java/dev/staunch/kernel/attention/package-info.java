/**
 * Attention: scaled dot products, several heads with their projections, the encoder layer of
 * transformers, and the nested tensors that its fast path makes.
 *
 * <p>Door: {@link dev.staunch.kernel.attention.AttentionOperations}. {@code ScaledDotProduct} is
 * the operation by itself, {@code MultiHeadAttention} reads the heads from projected tensors where
 * they lie, {@code AttentionScores} turns scores to weights behind a mask.
 *
 * <p>What is made on the way is closed on every way out: {@link
 * dev.staunch.kernel.loop.Temporaries}.
 *
 * <p>Below are {@code neural}, {@code linear}, {@code scalar}, {@code loop} and {@code operand}.
 * Not here: the value itself, {@link dev.staunch.kernel.NestedTensor}, which {@code dispatch} knows
 * too.
 */
package dev.staunch.kernel.attention;
