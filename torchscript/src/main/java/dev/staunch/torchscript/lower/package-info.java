/**
 * Turns the syntax tree into functions of the IR.
 *
 * <p>Door: {@link dev.staunch.torchscript.lower.Lowering}. It lowers the methods of the classes it
 * is asked for and whatever they call, each function once; {@link
 * dev.staunch.torchscript.lower.ArchiveCode} reads files as names are asked for. Every call of an
 * operator becomes one overload with all its parameters filled in the schema's order, every name
 * one value. Each operation carries the line that the model's author wrote, so that a fault at run
 * time points there. {@link dev.staunch.torchscript.lower.SchemaContract} is the verifier's rule
 * for the result.
 *
 * <p>A forked function runs where it is forked, and {@code wait} is a cast. Hooks need nothing: the
 * code that archives carry calls them itself. Code is a stranger's, so nesting has a bound.
 *
 * <p>Neighbours: {@code source} and {@code schema} from below; {@code dev.staunch.ir} for the
 * result.
 *
 * <p>Not here: optimisation of the result, and running it.
 */
package dev.staunch.torchscript.lower;
