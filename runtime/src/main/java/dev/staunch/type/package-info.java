/**
 * Element types, shapes, layouts and the types of the IR: descriptions of values, never the values
 * themselves.
 *
 * <p>Entry points: {@link dev.staunch.type.DType}, {@link dev.staunch.type.Shape} and {@link
 * dev.staunch.type.Layout} describe tensors. {@link dev.staunch.type.Type} describes any value of a
 * program or of an operation's schema.
 *
 * <p>Everything here is an immutable value. The packages above ({@code tensor}, {@code kernel},
 * {@code ir}) build on this one; it builds on nothing. Not here: the bytes of a tensor ({@code
 * memory}), and which operation takes which type ({@code kernel}).
 */
package dev.staunch.type;
