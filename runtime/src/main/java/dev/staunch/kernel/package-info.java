/**
 * The contract of operations: what each one takes and returns. The kernels that compute them are in
 * the packages below this one, one family per package.
 *
 * <p>Start with {@link dev.staunch.kernel.Catalog}. It holds a {@link
 * dev.staunch.kernel.CatalogEntry} per operation: its {@link
 * dev.staunch.operation.OperationDefinition}, which says what the operation is, and its {@link
 * dev.staunch.kernel.Kernel}. {@code standard.StandardOperations.catalog()} is the catalog of all
 * operations that come with Staunch. An operation's {@link dev.staunch.kernel.Body} says how it is
 * computed.
 *
 * <p>To add an operation, write one line with its schema in an {@code ...Operations} class of its
 * family, the {@link dev.staunch.operation.Trait}s that the schema cannot express, one kernel, and
 * one golden case. The kernel runs the same checks as the entry's {@link
 * dev.staunch.operation.Inference}.
 *
 * <p>A kernel receives a {@link dev.staunch.kernel.Call}: arguments that match its schema, and an
 * {@link dev.staunch.kernel.Environment} to make results in. Its arguments never contain a fault;
 * {@code dispatch} filters those out. Errors in the data come back as values. A long kernel polls a
 * {@link dev.staunch.kernel.CancellationPoll} to find out whether to go on.
 *
 * <p>Kernels compute with the primitives from {@link dev.staunch.kernel.Environment#kernels}
 * ({@code primitive}). What a kernel prepares for a step stays in the step's {@link
 * dev.staunch.kernel.Preparation}.
 *
 * <p>Random numbers come from a {@link dev.staunch.kernel.Generator}. Each operation takes one
 * {@link dev.staunch.kernel.RandomStream}, whose i-th number is a function of seed, stream and i.
 *
 * <p>The families are: shared foundations ({@code operand}, {@code loop}, {@code formula}); Python
 * values ({@code scalar}, {@code text}, {@code container}); tensors ({@code create}, {@code
 * pointwise}, {@code reduce}, {@code view}, {@code index}, {@code random}, {@code linear}, {@code
 * algebra}, {@code special}, {@code spectral}, {@code sparse}, {@code composed}); networks ({@code
 * neural}, {@code attention}, {@code recurrent}, {@code volume}, {@code vision}). docs/floors.md
 * says which family may use which.
 *
 * <p>This package depends on {@code operation}, {@code tensor}, {@code type}, {@code memory} and
 * {@code fault}. The front ends choose overloads, {@code dispatch} calls kernels, and {@code
 * execute} decides their order.
 */
package dev.staunch.kernel;
