/**
 * Operation schemas in PyTorch's notation, and the choice among overloads.
 *
 * <p>Door: {@link dev.staunch.torchscript.schema.OverloadResolver}. It tries the overloads of an
 * operator as libtorch does and says how each parameter is filled; when none fits, why each was
 * refused. {@link dev.staunch.torchscript.schema.OperatorTable} holds every schema of libtorch
 * 2.10, in the order in which it tries them, and after them those that 1.13 had and 2.10 dropped.
 * {@link dev.staunch.torchscript.schema.LibraryFunctions} gives old archives the meaning that an
 * operator had then.
 *
 * <p>Neighbours: {@code dev.staunch.kernel} parses schemas and holds the catalog; {@code lower}
 * asks. The resources come from the scripts in {@code src/main/python}; the recordings of the tests
 * from {@code src/test/python}.
 *
 * <p>Not here: kernels and shape rules.
 */
package dev.staunch.torchscript.schema;
