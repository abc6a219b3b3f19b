/**
 * Delivers batches from their data source to the training step.
 *
 * <p>Entry points: {@link dev.staunch.data.Source} is the interface that a file reader implements:
 * it returns the next {@link dev.staunch.data.Item} and can go back to the start. {@link
 * dev.staunch.data.Prefetcher} reads a source ahead on its own thread; a training loop takes its
 * batches from there.
 *
 * <p>An item is a {@link dev.staunch.data.Batch}, a fault or the end, so a fault has its place in
 * the sequence of batches: all good batches before it arrive first, then the fault. A {@link
 * dev.staunch.data.FaultPolicy} decides what happens at a fault.
 *
 * <p>Inside, {@code Producer} calls the source and {@code BatchQueue} holds the items that nobody
 * has taken yet. The queue is the only place where the two sides meet, and it calls no foreign
 * code. {@code docs/decisions/0007-prefetcher.md} explains why the producer is a thread rather than
 * tasks of the engine, and why batches are closed rather than handed back.
 *
 * <p>Not here: what batches consist of. {@code dataset} makes them from rows, {@code row} and
 * {@code decode} make rows from files, and the formats have their own packages: {@code text},
 * {@code array}, {@code record}, {@code image}. Tensors and their memory belong to the runtime.
 */
package dev.staunch.data;
