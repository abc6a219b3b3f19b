/**
 * Data iterators: batches of tensors made of examples.
 *
 * <p>Door: {@link dev.staunch.data.dataset.Dataset} says what comes from where (examples of any
 * format, batch, order, last batch, shard, decoders, policy) and opens a {@link
 * dev.staunch.data.dataset.DataIterator}, which gives {@link
 * dev.staunch.data.dataset.TensorBatch}es.
 *
 * <p>The way of the data: a part of a file is read and decoded into rows ({@code decode}), the rows
 * may be drawn out of a window in a seeded order ({@code ShuffledRows}), are copied into the
 * tensors of a batch ({@code Batcher}), and wait in the prefetcher of {@code dev.staunch.data}
 * until somebody takes the batch. Up to the batcher all is on the heap and is filled anew again and
 * again; a batch's tensors have a scope of their own, which goes over to the taker with it. A fault
 * gets its place in the rows, where the example would have been, and keeps it.
 *
 * <p>All that depends on chance depends on the seed, the epoch and the place of an example alone,
 * so a {@link dev.staunch.data.dataset.Position} is a few numbers.
 */
package dev.staunch.data.dataset;
