/**
 * The container: entries of a TorchScript file, found and bounded before they are read.
 *
 * <p>Knows the zip layout, the record names and the version number, and limits what a hostile file
 * may claim about its sizes. Gives byte ranges to {@code pickle} and text to {@code source}.
 *
 * <p>Not here: the meaning of any entry.
 */
package dev.staunch.torchscript.archive;
