/**
 * Batches from where data lies to the step that trains on them.
 *
 * <p>Doors: {@link dev.staunch.data.Source} is what a reader of files implements: the next {@link
 * dev.staunch.data.Item}, and back to the start. {@link dev.staunch.data.Prefetcher} reads a source
 * ahead, on a thread of its own, and is what a training loop asks.
 *
 * <p>An item is a {@link dev.staunch.data.Batch}, a fault or the end, so that a fault has its place
 * among the batches: all good ones before it arrive, then the fault. What happens at a fault is
 * said by a {@link dev.staunch.data.FaultPolicy}.
 *
 * <p>Inside, {@code Producer} asks the source and {@code BatchQueue} holds what nobody has taken
 * yet. The queue is the only place where the two sides meet; it calls no foreign code. Why it is a
 * thread and not tasks of the engine, and why batches are closed and not handed back: {@code
 * docs/decisions/0007-prefetcher.md}.
 *
 * <p>Not here: what batches are made of. {@code dataset} makes them of rows, {@code row} and {@code
 * decode} make rows of files, and the formats lie beside: {@code text}, {@code array}, {@code
 * record}, {@code image}. Tensors and their memory are the runtime's.
 */
package dev.staunch.data;
