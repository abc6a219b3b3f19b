/**
 * Examples on their way from a file to a batch: runs of rows on the heap.
 *
 * <p>Doors: {@link dev.staunch.data.row.Examples} is where examples come from, a recipe that is
 * opened once for each iterator and gives a {@link dev.staunch.data.row.RowStream}; {@link
 * dev.staunch.data.row.Examples#of} makes one of a user's own function. What every example has is
 * said by its {@link dev.staunch.data.row.Field}s.
 *
 * <p>A stream gives {@link dev.staunch.data.row.Rows}, the values of many examples field by field,
 * with a fault in the place of each example that could not be read. The rows stay the stream's,
 * which fills them anew; whoever takes them copies. Nothing here is off-heap: a batch's tensors are
 * filled from rows at the end of the way.
 *
 * <p>Not here: what files hold (the formats, beside this), how raw parts of them are decoded by
 * several threads ({@code decode}), batches ({@code dataset}).
 */
package dev.staunch.data.row;
