/**
 * Off-heap bytes: who asked for them, who holds them, and when they go back.
 *
 * <p>Doors: {@link dev.staunch.memory.OffHeap} is the memory of one runtime (budget, accounts,
 * pool, metrics), made with {@link dev.staunch.memory.MemoryOptions}; {@link
 * dev.staunch.memory.ResourceScope} owns what a request or a model allocates and gives it all back
 * at once; {@link dev.staunch.memory.Storage} is one reference-counted run of bytes that tensors
 * view, from the pool or from a mapped file.
 *
 * <p>A {@link dev.staunch.memory.Resource} goes back in one of four ways, all safe together: its
 * own {@code close()}, its scope, the reaper once it is unreachable, or the end of the request,
 * which closes a scope. Its {@code Life} knows which came first.
 *
 * <p>An allocation walks {@code ResourceScope}, {@code MemoryCore}, {@code Account} (may it?),
 * {@code BlockPool} (where?) and ends as a {@code Storage}. At a limit {@code MemoryCore} makes
 * room, or the result is a {@link dev.staunch.fault.Fault}, as everywhere below the edge. Why it is
 * built so: {@code docs/decisions/0004-memory.md}.
 *
 * <p>This is the only room where {@code Arena} appears. It knows no dtype and no shape: those are
 * in {@code type}, and the room above, {@code tensor}, puts the two together.
 */
package dev.staunch.memory;
