/**
 * Operations that read, write and find elements by tensors of indices and by masks: indexing,
 * gather and scatter, search, and the distinct elements of a tensor.
 *
 * <p>Start with {@link dev.staunch.kernel.index.IndexOperations}. An index out of bounds is a fault
 * that names it. {@code IndexedSelection} determines which elements index arrays pick, {@code
 * ScatterPositions} which positions gather reads and scatter writes.
 *
 * <p>This package depends on {@code view}, {@code loop} and {@code operand}. Not here: slices and
 * single indices ({@code view}); look-ups in embedding tables ({@code neural}).
 */
package dev.staunch.kernel.index;
