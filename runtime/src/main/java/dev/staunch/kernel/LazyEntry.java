package dev.staunch.kernel;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An entry that is made once, when it is first asked for. If that fails, the next caller tries
 * again. Thread-safe.
 */
final class LazyEntry {
  /** Null once the entry has been made. */
  private @Nullable Supplier<CatalogEntry> source;

  /** Null until the entry has been made; written under the lock, read without it. */
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
