/**
 * The catalog of all operations that come with Staunch.
 *
 * <p>Start with {@link dev.staunch.kernel.standard.StandardOperations}, whose catalog includes
 * every family. This package also holds what builds on several families: aliases of operations
 * ({@code RenamedOperations}), and the in-place and {@code out} forms that follow from an
 * operation's definition ({@code DerivedForms}).
 *
 * <p>This package depends on all other families, and no kernel depends on it. An operation made of
 * other operations finds them in the catalog of its {@link dev.staunch.kernel.Environment}.
 */
package dev.staunch.kernel.standard;
