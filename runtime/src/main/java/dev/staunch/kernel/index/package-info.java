/**
 * Elements picked, put and found by tensors of indices and by masks: indexing, gather and scatter,
 * search, and the different elements of a tensor.
 *
 * <p>Door: {@link dev.staunch.kernel.index.IndexOperations}. An index outside the tensor is a fault
 * that names it. {@code Picked} says which elements index arrays pick, {@code ScatterPositions}
 * where gather reads and scatter writes.
 *
 * <p>Below are {@code view}, {@code loop} and {@code operand}. Not here: slices and single indices
 * ({@code view}); look-ups in embedding tables ({@code neural}).
 */
package dev.staunch.kernel.index;
