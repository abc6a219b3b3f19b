/**
 * New tensors: filled with one value, with a range, or from Python numbers and lists; copies and
 * casts of other tensors; and operations that overwrite an existing tensor.
 *
 * <p>Start with {@link dev.staunch.kernel.create.CreationOperations}. It also holds the rules for
 * the trailing arguments that all these operations share: dtype, layout, device, pinned memory.
 * {@link dev.staunch.kernel.create.ConversionOperations} copies and casts, {@link
 * dev.staunch.kernel.create.WritingOperations} overwrites.
 *
 * <p>The call's scope owns the results.
 *
 * <p>This package depends on {@code formula}, {@code loop}, {@code scalar} and {@code operand}.
 * Tensors of random numbers are in {@code random}, views in {@code view}.
 */
package dev.staunch.kernel.create;
