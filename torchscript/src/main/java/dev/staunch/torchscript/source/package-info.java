/**
 * Parses the Python subset in which TorchScript archives keep their code.
 *
 * <p>Text goes in, a syntax tree of records comes out; each node knows its file, line and column,
 * and the original place that the archive's debug records name where there is one.
 *
 * <p>Neighbours: {@code lower} walks the tree.
 *
 * <p>Not here: names, types and overloads ({@code schema}, {@code lower}).
 */
package dev.staunch.torchscript.source;
