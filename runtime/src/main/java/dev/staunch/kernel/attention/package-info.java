/**
 * Attention: scaled dot products, multi-head attention with its projections, the encoder layer of
 * transformers, and the nested tensors that its fast path makes.
 *
 * <p>Start with {@link dev.staunch.kernel.attention.AttentionOperations}. {@code ScaledDotProduct}
 * is the operation by itself, {@code MultiHeadAttention} reads the heads in place from projected
 * tensors, and {@code AttentionScores} turns scores into weights behind a mask.
 *
 * <p>Intermediate tensors are closed however a kernel ends: see {@link
 * dev.staunch.kernel.loop.Temporaries}.
 *
 * <p>This package depends on {@code neural}, {@code linear}, {@code formula}, {@code scalar},
 * {@code loop} and {@code operand}. Not here: the value itself, {@link
 * dev.staunch.kernel.NestedTensor}, which {@code dispatch} needs too.
 */
package dev.staunch.kernel.attention;
