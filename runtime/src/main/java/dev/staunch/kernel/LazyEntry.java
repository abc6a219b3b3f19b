package dev.staunch.kernel;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An entry that is made when it is first asked for, once. If that fails, whoever asks next tries
 * again. Thread-safe.
 */
final class LazyEntry {
  /** Null when it has been made. */
  private @Nullable Supplier<CatalogEntry> source;

  /** Null until it has been made; set under the lock, read without. */
  private volatile @Nullable CatalogEntry made;

  LazyEntry(CatalogEntry made) {
    this.made = made;
  }

  LazyEntry(Supplier<CatalogEntry> source) {
    this.source = source;
  }

  CatalogEntry get() {
    CatalogEntry known = made;
    return known == null ? make() : known;
  }

  private synchronized CatalogEntry make() {
    CatalogEntry known = made;
    if (known == null) {
      known = Objects.requireNonNull(source).get();
      made = known;
      source = null;
    }
    return known;
  }
}
