/**
 * Operation schemas in PyTorch's notation, and the choice among overloads.
 *
 * <p>Entry point: {@link dev.staunch.torchscript.schema.OverloadResolver}. It tries the overloads
 * of an operator as libtorch does, and says how each parameter is filled; if none fits, it says why
 * each was rejected. {@link dev.staunch.torchscript.schema.OperatorTable} holds every schema of
 * libtorch 2.10, in the order in which libtorch tries them, followed by those that 1.13 had and
 * 2.10 dropped. {@link dev.staunch.torchscript.schema.LibraryFunctions} preserves for old archives
 * the meaning that an operator had when they were written.
 *
 * <p>Neighbours: {@code dev.staunch.kernel} parses schemas and holds the catalog; {@code lower} is
 * the caller. The scripts in {@code src/main/python} generate the resources; those in {@code
 * src/test/python} generate the recordings of the tests.
 *
 * <p>Not here: kernels and shape rules.
 */
package dev.staunch.torchscript.schema;
