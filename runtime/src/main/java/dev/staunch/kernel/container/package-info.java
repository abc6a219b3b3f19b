/**
 * Operations of lists, dicts and enums. Programs share lists and dicts by reference, as in Python:
 * what one writes, all that hold it see.
 *
 * <p>Door: {@link dev.staunch.kernel.container.ContainerOperations}. A list is a {@code List}, a
 * dict a {@code Map} that keeps its order, an enum's member an {@link
 * dev.staunch.kernel.EnumMember}.
 *
 * <p>Below are {@code text}, {@code scalar} and {@code operand}. Not here: making lists and tuples
 * and taking them apart, which is the IR's ({@code execute}); tensors made of lists ({@code
 * create}).
 */
package dev.staunch.kernel.container;
