package dev.staunch.torchscript;

import dev.staunch.engine.CancelScope;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How to load an archive. Immutable: each {@code with} method returns new options.
 *
 * @param weights where the weights are after loading
 * @param catalog the operations that run. The code may name those of libtorch, which are known in
 *     any case, and all of this catalog; one that has no kernel here cannot run
 * @param cancel stops loading, including reading; null if only the loader's own limits apply
 * @param training what to do about a model that was saved in training mode
 * @param warnings receives sentences about likely mistakes; null for the logger named {@code
 *     dev.staunch.inference}
 * @param classes code for classes that archives expect from native libraries, by namespace
 */
public record LoadOptions(
    Weights weights,
    Catalog catalog,
    @Nullable CancelScope cancel,
    Training training,
    @Nullable Consumer<String> warnings,
    Map<String, String> classes) {
  /** PyTorch's own classes that archives name and that do nothing here. */
  private static final Map<String, String> CLASSES =
      Map.of("profiler", "class _RecordFunction:\n  __parameters__ = []\n");

  public LoadOptions {
    classes = Map.copyOf(classes);
  }

  /** What to do about a model whose answers depend on a forgotten {@code eval()}. */
  public enum Training {
    /** Load it, and warn which parts are in training mode. */
    WARNED,
    /** Do not load it. */
    REFUSED
  }

  /** Where the weights of a loaded archive are. */
  public enum Weights {
    /**
     * In the runtime's own memory, charged to the scope that loads. Later changes to the file do
     * not affect the model.
     */
    COPIED,

    /**
     * In the mapped file. Pages are read when they are first touched, are shared by everybody who
     * maps the file, and count towards no budget. A weight that the model writes becomes a copy.
     * Use this for files that are never rewritten, but replaced by renaming another file to their
     * name. A file that is changed in place is noticed within a second, by its size or time, and
     * every later request then gets a fault; requests before that may have read a mixture of old
     * and new bytes.
     */
    MAPPED
  }

  /**
   * The defaults: weights are copied, the standard operations, no cancellation, and warnings go to
   * the log.
   */
  public static LoadOptions standard() {
    return new LoadOptions(
        Weights.COPIED, StandardOperations.catalog(), null, Training.WARNED, null, CLASSES);
  }

  /** Keeps weights in the mapped file where possible: {@link Weights#MAPPED}. */
  public LoadOptions withMappedWeights() {
    return new LoadOptions(Weights.MAPPED, catalog, cancel, training, warnings, classes);
  }

  /**
   * Takes {@code other} in place of the standard catalog: the code may also call each of its
   * schemas, and runs with its kernels. To add operations to the standard ones, start from {@code
   * StandardOperations.catalog().toBuilder()}. A model that calls operations without a kernel loads
   * with a warning.
   */
  public LoadOptions withCatalog(Catalog other) {
    return new LoadOptions(weights, other, cancel, training, warnings, classes);
  }

  /**
   * Adds classes that replace those that the archive's author registered in C++ as {@code
   * torch.classes.NAMESPACE}. They are written in TorchScript, like the code of an archive.
   * Attributes hold the state of an object; methods may call operations of the {@linkplain
   * #withCatalog catalog} and thereby Java. {@code __setstate__} receives what the library's {@code
   * __getstate__} returned when the archive was saved. The classes of quantised layers, in the
   * namespaces {@code quantized} and {@code rnn}, are there already; other code takes their place.
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

  /** Lets {@code other} stop loading, between two pieces of a file or two operations. */
  public LoadOptions withCancel(CancelScope other) {
    return new LoadOptions(weights, catalog, other, training, warnings, classes);
  }

  /** Refuses models that were saved in training mode: {@link Training#REFUSED}. */
  public LoadOptions withTrainingRefused() {
    return new LoadOptions(weights, catalog, cancel, Training.REFUSED, warnings, classes);
  }

  /** Sends warnings to {@code listener} instead of the log. */
  public LoadOptions withWarnings(Consumer<String> listener) {
    return new LoadOptions(weights, catalog, cancel, training, listener, classes);
  }
}
