/**
 * Runs of rows on the heap: the form of examples between a file and a batch.
 *
 * <p>Entry points: {@link dev.staunch.data.row.Examples} is a recipe for examples. It is opened
 * once for each iterator and returns a {@link dev.staunch.data.row.RowStream}; {@link
 * dev.staunch.data.row.Examples#of} makes one from a user's function. {@link
 * dev.staunch.data.row.Field}s describe what every example has.
 *
 * <p>A stream returns {@link dev.staunch.data.row.Rows}: the values of many examples field by
 * field, with a fault in the place of each example that could not be read. The rows belong to the
 * stream, which reuses them; a caller that wants to keep them copies them. Nothing here is
 * off-heap: a batch's tensors are filled from rows in the last step.
 *
 * <p>Not here: what files contain (the format packages next to this one), how several threads
 * decode raw parts of them ({@code decode}), batches ({@code dataset}).
 */
package dev.staunch.data.row;
