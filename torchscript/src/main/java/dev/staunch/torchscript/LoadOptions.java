package dev.staunch.torchscript;

import dev.staunch.engine.CancelScope;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import org.jspecify.annotations.Nullable;

/**
 * How an archive is loaded. Immutable: each {@code with} gives other options.
 *
 * @param weights where the weights lie afterwards
 * @param catalog operations that the code may use besides those of libtorch
 * @param cancel stops the loading, reading included; null for nothing but its own limits
 */
public record LoadOptions(Weights weights, Catalog catalog, @Nullable CancelScope cancel) {

  /** Where the weights of a loaded archive lie. */
  public enum Weights {
    /**
     * In memory of ours, charged to the scope that loads; whatever happens to the file later is
     * nothing to the model.
     */
    COPIED,

    /**
     * In the file, which is mapped: pages are read when they are first touched, shared by all who
     * map the file, and count in no budget; a weight that the model writes becomes a copy. For
     * files that are replaced by renaming another to their name, and never written again. One that
     * was changed in place is noticed within a second (its size or time tell) and is then a fault
     * of every later request; requests until then may have read old and new bytes mixed.
     */
    MAPPED
  }

  /** Weights are copied; the standard operations; nothing cancels. */
  public static LoadOptions standard() {
    return new LoadOptions(Weights.COPIED, StandardOperations.catalog(), null);
  }

  /** With weights that lie in the mapped file where they can: {@link Weights#MAPPED}. */
  public LoadOptions withMappedWeights() {
    return new LoadOptions(Weights.MAPPED, catalog, cancel);
  }

  /** With the operations of {@code other}: each of its schemas may be called by the code. */
  public LoadOptions withCatalog(Catalog other) {
    return new LoadOptions(weights, other, cancel);
  }

  /** To be stopped by {@code other}: between two pieces of a file, or two operations. */
  public LoadOptions withCancel(CancelScope other) {
    return new LoadOptions(weights, catalog, other);
  }
}
