/**
 * New tensors: of one value, of a range, of Python numbers and lists; copies and casts of others;
 *
 * <p>and new content for old ones.
 *
 * <p>Door: {@link dev.staunch.kernel.create.CreationOperations}, with the rules for the arguments
 * that all of them take at their end: dtype, layout, device, pinned memory. {@link
 * dev.staunch.kernel.create.ConversionOperations} copies and casts, {@link
 * dev.staunch.kernel.create.WritingOperations} overwrites.
 *
 * <p>Results belong to the call's scope.
 *
 * <p>Below are {@code loop}, {@code scalar} and {@code operand}. Not here: tensors of random
 * numbers ({@code random}); views ({@code view}).
 */
package dev.staunch.kernel.create;
