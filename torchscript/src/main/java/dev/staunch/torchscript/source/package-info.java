/**
 * Parses the Python subset in which TorchScript archives store their code.
 *
 * <p>Entry point: {@link dev.staunch.torchscript.source.Parser}. It parses the text of a file into
 * a tree of records: definitions hold statements, statements hold expressions. Each node knows the
 * byte offset of its first token; with it, the archive's debug records identify the original line.
 *
 * <p>The text may be hostile. Time and memory are linear in its size. The number of tokens, the
 * nesting and the height of the tree are bounded, and every error is a data format fault with its
 * line.
 *
 * <p>Neighbours: {@code archive} supplies the text, {@code lower} walks the tree, {@code pickle}
 * reads the debug records.
 *
 * <p>Not here: names, types and overloads ({@code schema}, {@code lower}).
 */
package dev.staunch.torchscript.source;
