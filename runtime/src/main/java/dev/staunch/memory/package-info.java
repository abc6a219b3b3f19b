/**
 * Off-heap memory: who asked for it, who holds it, and when it is released.
 *
 * <p>Entry points: {@link dev.staunch.memory.OffHeap} is the memory of one runtime (budget,
 * accounts, pool, metrics), created from {@link dev.staunch.memory.MemoryOptions}. {@link
 * dev.staunch.memory.ResourceScope} owns what a request or a model allocates and releases all of it
 * at once. {@link dev.staunch.memory.Storage} is one reference-counted run of bytes that tensors
 * view, taken from the pool or from a mapped file.
 *
 * <p>A {@link dev.staunch.memory.Resource} is released in one of four ways: by its own {@code
 * close()}, by its scope, by the reaper once it is unreachable, or by the end of the request, which
 * closes a scope. All four are safe together; the resource's {@code Life} records which came first.
 *
 * <p>An allocation passes through {@code ResourceScope}, {@code MemoryCore}, {@code Account} (is it
 * within the limit?) and {@code BlockPool} (where does it go?) and ends as a {@code Storage}. At a
 * limit, {@code MemoryCore} makes room. If it cannot, the result is a {@link
 * dev.staunch.fault.Fault}, as everywhere below the edge. {@code docs/decisions/0004-memory.md}
 * gives the reasons for this design.
 *
 * <p>{@code Arena} appears in this package only. Dtypes and shapes are unknown here: they are in
 * {@code type}, and the package above, {@code tensor}, combines the two.
 */
package dev.staunch.memory;
