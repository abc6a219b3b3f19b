/**
 * Turns the syntax tree and the object tree into functions of the IR.
 *
 * <p>Inlines methods and submodules, replaces attributes by constants, and gives each operation its
 * source location, so that a fault at run time points to the line that the model's author wrote.
 *
 * <p>Neighbours: {@code source}, {@code pickle} and {@code schema} from below; {@code
 * dev.staunch.ir} for the result.
 *
 * <p>Not here: optimisation of the result, and running it.
 */
package dev.staunch.torchscript.lower;
