/**
 * The container format: finds and bounds the entries of a TorchScript file before they are read.
 *
 * <p>This package knows the zip layout, the record names and the version number, and limits what a
 * hostile file may claim about its sizes. It passes byte ranges to {@code pickle} and text to
 * {@code source}.
 *
 * <p>Not here: the meaning of any entry.
 */
package dev.staunch.torchscript.archive;
