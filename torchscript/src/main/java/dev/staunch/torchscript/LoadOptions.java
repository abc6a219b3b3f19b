package dev.staunch.torchscript;

import dev.staunch.engine.CancelScope;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How an archive is loaded. Immutable: each {@code with} gives other options.
 *
 * @param weights where the weights lie afterwards
 * @param catalog operations that the code may use besides those of libtorch
 * @param cancel stops the loading, reading included; null for nothing but its own limits
 * @param training what to do about a model that was saved in training mode
 * @param warnings is told what is likely to be a mistake, in sentences; null for the log of name
 *     {@code dev.staunch.inference}
 * @param classes the code of classes that archives expect of native libraries, by namespace
 */
public record LoadOptions(
    Weights weights,
    Catalog catalog,
    @Nullable CancelScope cancel,
    Training training,
    @Nullable Consumer<String> warnings,
    Map<String, String> classes) {
  /** Those of PyTorch that archives name and that do nothing here. */
  private static final Map<String, String> CLASSES =
      Map.of("profiler", "class _RecordFunction:\n  __parameters__ = []\n");

  public LoadOptions {
    classes = Map.copyOf(classes);
  }

  /** What to do about a model whose answers show that {@code eval()} was forgotten. */
  public enum Training {
    /** It is loaded, and a warning says which parts are to blame. */
    WARNED,
    /** It is not loaded. */
    REFUSED
  }

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

  /** Weights are copied; the standard operations; nothing cancels; warnings are logged. */
  public static LoadOptions standard() {
    return new LoadOptions(
        Weights.COPIED, StandardOperations.catalog(), null, Training.WARNED, null, CLASSES);
  }

  /** With weights that lie in the mapped file where they can: {@link Weights#MAPPED}. */
  public LoadOptions withMappedWeights() {
    return new LoadOptions(Weights.MAPPED, catalog, cancel, training, warnings, classes);
  }

  /** With the operations of {@code other}: each of its schemas may be called by the code. */
  public LoadOptions withCatalog(Catalog other) {
    return new LoadOptions(weights, other, cancel, training, warnings, classes);
  }

  /**
   * With classes in the place of those that the archive's author had registered in C++ as {@code
   * torch.classes.NAMESPACE}: as TorchScript, like the code of an archive. Attributes hold the
   * state of an object; methods may call operations of the {@linkplain #withCatalog catalog} and so
   * come to Java. {@code __setstate__} gets what the library's {@code __getstate__} gave when the
   * archive was saved.
   *
   * <pre>{@code
   * class Vocabulary:
   *   words : List[str]
   *   def __setstate__(self: __torch__.torch.classes.text.Vocabulary, words: List[str]) -> NoneType:
   *     self.words = words
   *   def index(self: __torch__.torch.classes.text.Vocabulary, word: str) -> int:
   *     return ops.text.index(self.words, word)
   * }</pre>
   */
  public LoadOptions withClasses(String namespace, String code) {
    Map<String, String> more = new HashMap<>(classes);
    more.put(namespace, code);
    return new LoadOptions(weights, catalog, cancel, training, warnings, more);
  }

  /** To be stopped by {@code other}: between two pieces of a file, or two operations. */
  public LoadOptions withCancel(CancelScope other) {
    return new LoadOptions(weights, catalog, other, training, warnings, classes);
  }

  /** Refusing models that were saved in training mode: {@link Training#REFUSED}. */
  public LoadOptions withTrainingRefused() {
    return new LoadOptions(weights, catalog, cancel, Training.REFUSED, warnings, classes);
  }

  /** With {@code listener} in place of the log. */
  public LoadOptions withWarnings(Consumer<String> listener) {
    return new LoadOptions(weights, catalog, cancel, training, listener, classes);
  }
}
