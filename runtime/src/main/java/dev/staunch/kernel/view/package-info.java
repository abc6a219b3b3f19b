/**
 * The same elements in another shape or order: reshapes, transposes, slices, and joins and copies
 * that rearrange.
 *
 * <p>Door: {@link dev.staunch.kernel.view.ViewOperations}. Where strides can express the result it
 * is a view and shares its storage; {@code Restriding} finds such strides. Otherwise it is a copy:
 * {@link dev.staunch.kernel.view.Rearranged} exchanges indices, {@code JoiningOperations} lays
 * tensors one behind the other.
 *
 * <p>What a view inherits and who owns it is decided in {@link dev.staunch.kernel.operand.Views}.
 *
 * <p>Below are {@code loop} and {@code operand}. Not here: elements picked by tensors of indices
 * ({@code index}).
 */
package dev.staunch.kernel.view;
