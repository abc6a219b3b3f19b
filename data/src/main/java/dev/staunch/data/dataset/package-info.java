/**
 * Data iterators: batches of tensors made from examples.
 *
 * <p>Entry point: {@link dev.staunch.data.dataset.Dataset} configures where examples of any format
 * come from and how they are read (batch, order, last batch, shard, decoders, policy). It opens a
 * {@link dev.staunch.data.dataset.DataIterator}, which returns {@link
 * dev.staunch.data.dataset.TensorBatch}es.
 *
 * <p>The path of the data: a part of a file is read and decoded into rows ({@code decode}). The
 * rows may be drawn from a window in a seeded order ({@code ShuffledRows}). They are copied into
 * the tensors of a batch ({@code Batcher}), which waits in the prefetcher of {@code
 * dev.staunch.data} until it is taken. Everything before the batcher is on the heap and is reused.
 * The tensors of a batch have their own scope, which passes to the taker with the batch. A fault
 * takes the place among the rows that its example would have had, and keeps it.
 *
 * <p>Everything random depends only on the seed, the epoch and the place of an example, so a {@link
 * dev.staunch.data.dataset.Position} is a few numbers.
 */
package dev.staunch.data.dataset;
