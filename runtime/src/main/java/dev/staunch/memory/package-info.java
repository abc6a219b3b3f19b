/**
 * Off-heap bytes: who asked for them, who holds them, and when they go back.
 *
 * <p>Doors: {@link dev.staunch.memory.OffHeap} is the memory of one runtime (budget, account,
 * pool); {@link dev.staunch.memory.ResourceScope} owns what a request or a model allocates and
 * gives it all back at once; {@link dev.staunch.memory.Storage} is one reference-counted run of
 * bytes that tensors view.
 *
 * <p>A resource goes back in one of four ways, all safe together (M2): its own {@code close()}, its
 * scope, a cleaner once it is unreachable, or the end of the request, which closes a scope.
 *
 * <p>This is the only room where {@code Arena} appears. It knows no dtype and no shape: those are
 * in {@code type}, and the room above, {@code tensor}, puts the two together. Failing to allocate
 * is a {@link dev.staunch.fault.Fault}, as everywhere below the edge.
 */
package dev.staunch.memory;
