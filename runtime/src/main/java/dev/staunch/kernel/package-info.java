/**
 * Operations: what each takes and returns, and the plain-Java kernel that computes it.
 *
 * <p>Door: {@link dev.staunch.kernel.Catalog}, which holds an {@link
 * dev.staunch.kernel.OperationDefinition} for each operation: its {@link dev.staunch.kernel.Schema}
 * and its {@link dev.staunch.kernel.Kernel}. A new operation is one line with its schema in one of
 * the {@code ...Operations} classes, one kernel, one golden case.
 *
 * <p>A kernel sees a {@link dev.staunch.kernel.Call}: arguments that match its schema and an {@link
 * dev.staunch.kernel.Environment} to make results in. It never sees a fault among its arguments:
 * {@code dispatch} keeps those away. Errors in the data come back as values.
 *
 * <p>Random numbers come from a {@link dev.staunch.kernel.Generator}: each operation takes one
 * {@link dev.staunch.kernel.RandomStream}, whose i-th number is a function of seed, stream and i.
 *
 * <p>Below are {@code tensor}, {@code type}, {@code memory} and {@code fault}. Not here: choosing
 * an overload (the front ends do), calling kernels ({@code dispatch}), order ({@code execute}).
 */
package dev.staunch.kernel;
