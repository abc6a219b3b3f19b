/**
 * What values are, without any value: element types, shapes, layouts and the types of the IR.
 *
 * <p>Doors: {@link dev.staunch.type.DType}, {@link dev.staunch.type.Shape}, {@link
 * dev.staunch.type.Layout} describe tensors; {@link dev.staunch.type.Type} describes any value of a
 * program or of an operation's schema.
 *
 * <p>Everything here is an immutable value. The rooms above ({@code tensor}, {@code kernel}, {@code
 * ir}) build on it; it builds on nothing. Bytes are not here ({@code memory}), nor is the rule
 * which operation takes which type ({@code kernel}).
 */
package dev.staunch.type;
