/**
 * Operations: what each takes and returns. Here is the contract; the kernels that compute stand in
 * the packages below this one, a family in each.
 *
 * <p>Door: {@link dev.staunch.kernel.Catalog}, which holds a {@link
 * dev.staunch.kernel.CatalogEntry} for each operation: what it is, an {@link
 * dev.staunch.operation.OperationDefinition}, and its {@link dev.staunch.kernel.Kernel}. The
 * catalog of all operations that come with Staunch is {@code
 * standard.StandardOperations.catalog()}. A new operation is one line with its schema in one of the
 * {@code ...Operations} classes of its family, the {@link dev.staunch.operation.Trait}s that the
 * schema cannot say, one kernel, one golden case. The kernel stands on the same checks as the
 * entry's {@link dev.staunch.operation.Inference}. How an operation is computed is its {@link
 * dev.staunch.kernel.Body}.
 *
 * <p>A kernel sees a {@link dev.staunch.kernel.Call}: arguments that match its schema and an {@link
 * dev.staunch.kernel.Environment} to make results in. It never sees a fault among its arguments:
 * {@code dispatch} keeps those away. Errors in the data come back as values. A long kernel asks a
 * {@link dev.staunch.kernel.CancellationPoll} whether it is to go on.
 *
 * <p>Kernels compute with the primitives that {@link dev.staunch.kernel.Environment#kernels} gives
 * ({@code primitive}, below this); what was prepared for a step is kept in its {@link
 * dev.staunch.kernel.Preparation}.
 *
 * <p>Random numbers come from a {@link dev.staunch.kernel.Generator}: each operation takes one
 * {@link dev.staunch.kernel.RandomStream}, whose i-th number is a function of seed, stream and i.
 *
 * <p>Families: what all stand on ({@code operand}, {@code loop}); values of Python ({@code scalar},
 * {@code text}, {@code container}); tensors ({@code create}, {@code pointwise}, {@code reduce},
 * {@code view}, {@code index}, {@code random}, {@code linear}); networks ({@code neural}, {@code
 * attention}, {@code recurrent}). docs/floors.md says which may use which.
 *
 * <p>Below are {@code operation}, {@code tensor}, {@code type}, {@code memory} and {@code fault}.
 * Not here: choosing an overload (the front ends do), calling kernels ({@code dispatch}), order
 * ({@code execute}).
 */
package dev.staunch.kernel;
