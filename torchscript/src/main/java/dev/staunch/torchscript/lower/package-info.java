/**
 * Turns the syntax tree into functions of the IR.
 *
 * <p>Entry point: {@link dev.staunch.torchscript.lower.Lowering}. It lowers the methods of the
 * requested classes and whatever they call, each function once. {@link
 * dev.staunch.torchscript.lower.ArchiveCode} reads files as names are looked up. Every call of an
 * operator becomes one overload with all its parameters filled in the schema's order, and every
 * name becomes one value. Each operation carries the line that the model's author wrote, so that a
 * fault at run time points there. {@link dev.staunch.torchscript.lower.SchemaContract} is the
 * verifier's rule for the result.
 *
 * <p>A forked function runs at the fork, and {@code wait} is a cast. Hooks need no support: the
 * code in archives calls them itself. Code is untrusted, so nesting is bounded.
 *
 * <p>Neighbours: {@code source} and {@code schema} from below; {@code dev.staunch.ir} for the
 * result.
 *
 * <p>Not here: optimising the result, and running it.
 */
package dev.staunch.torchscript.lower;
