/**
 * Operations on lists, dicts and enums. As in Python, programs share lists and dicts by reference:
 * a write is visible to everyone who holds the container.
 *
 * <p>Start with {@link dev.staunch.kernel.container.ContainerOperations}. A list is a {@code List},
 * a dict is a {@code Map} that keeps its order, and an enum member is an {@link
 * dev.staunch.kernel.EnumMember}.
 *
 * <p>This package depends on {@code text}, {@code scalar} and {@code operand}. The IR ({@code
 * execute}) makes lists and tuples and takes them apart; {@code create} makes tensors from lists.
 */
package dev.staunch.kernel.container;
