/**
 * Operations that present the same elements in another shape or order: reshapes, transposes,
 * slices, and the joins and copies that rearrange elements.
 *
 * <p>Start with {@link dev.staunch.kernel.view.ViewOperations}. If strides can express the result,
 * it is a view that shares its operand's storage; {@code Restriding} finds such strides. Otherwise
 * it is a copy: {@link dev.staunch.kernel.view.Rearranged} permutes indices, and {@code
 * JoiningOperations} concatenates tensors.
 *
 * <p>{@link dev.staunch.kernel.operand.Views} decides what a view inherits and who owns it.
 *
 * <p>This package depends on {@code loop} and {@code operand}. Tensors of indices pick elements in
 * {@code index}.
 */
package dev.staunch.kernel.view;
