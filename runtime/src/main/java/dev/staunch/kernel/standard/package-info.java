/**
 * All operations that come with Staunch, put together.
 *
 * <p>Door: {@link dev.staunch.kernel.standard.StandardOperations}, whose catalog names the door of
 * each family once. Also here, since they build on operations of several families: other names for
 * operations ({@code RenamedOperations}), and the forms that write in place or to a tensor given
 * for the result ({@code DerivedForms}), which follow from what definitions say.
 *
 * <p>Below are all other families. Nothing in the kernels knows this package: an operation made of
 * others finds them in the catalog of its {@link dev.staunch.kernel.Environment}.
 */
package dev.staunch.kernel.standard;
