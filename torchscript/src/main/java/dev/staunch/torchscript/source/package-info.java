/**
 * Parses the Python subset in which TorchScript archives keep their code.
 *
 * <p>Doors: {@link dev.staunch.torchscript.source.SourceFile} for a file, {@link
 * dev.staunch.torchscript.source.TypeParser} for a type alone. Text goes in; a tree of records
 * comes out: definitions hold statements, statements hold expressions. Each node knows the byte
 * offset of its first token, by which the archive's debug records name the original line.
 *
 * <p>The text may be hostile. Time and memory are linear in it, the number of tokens, the nesting
 * and the height of the tree are bounded, and every error is a data format fault with its line.
 *
 * <p>Neighbours: {@code archive} hands over the text, {@code lower} walks the tree, {@code pickle}
 * knows the debug records.
 *
 * <p>Not here: names, types and overloads ({@code schema}, {@code lower}).
 */
package dev.staunch.torchscript.source;
