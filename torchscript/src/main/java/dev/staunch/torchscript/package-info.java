/**
 * Reads a TorchScript archive and returns functions of the IR, with their constants.
 *
 * <p>Only this package of the module is exported. Data flows through the inner packages in one
 * direction: {@code archive} finds the entries of the file, {@code pickle} reads the object tree,
 * {@code source} parses the code, {@code schema} resolves operations, and {@code lower} produces
 * IR. Archives are untrusted: any error in one becomes a fault that names its place in the file.
 *
 * <p>Neighbours: {@code dev.staunch.ir} for the result; {@code dev.staunch.inference} is the main
 * caller.
 *
 * <p>Not here: anything that executes.
 */
package dev.staunch.torchscript;
