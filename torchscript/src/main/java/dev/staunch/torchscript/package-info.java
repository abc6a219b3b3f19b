/**
 * Reads a TorchScript archive and gives back functions of the IR, with their constants.
 *
 * <p>This is the module's public door; the inner rooms are not exported. Data goes through them in
 * one direction: {@code archive} finds the entries of the file, {@code pickle} reads the object
 * tree, {@code source} parses the code, {@code schema} resolves operations, and {@code lower}
 * writes IR. An archive comes from a stranger: whatever is wrong in it ends as a fault with its
 * place in the file.
 *
 * <p>Neighbours: {@code dev.staunch.ir} for the result; {@code dev.staunch.inference} is the main
 * caller.
 *
 * <p>Not here: anything that executes.
 */
package dev.staunch.torchscript;
