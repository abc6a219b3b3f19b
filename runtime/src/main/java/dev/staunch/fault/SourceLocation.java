package dev.staunch.fault;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A place in a text that a person wrote or can open: a line of the model's Python source, of an
 * archive's code member or of a program text, or a row of a data file. An immutable value;
 * thread-safe.
 */
public final class SourceLocation {
  private record Place(
      String file, int line, int column, @Nullable String text, @Nullable SourceLocation emitted) {}

  private final @Nullable Supplier<SourceLocation> search;

  /** Null until first asked for. */
  private volatile @Nullable Place place;

  private SourceLocation(@Nullable Supplier<SourceLocation> search, @Nullable Place place) {
    this.search = search;
    this.place = place;
  }

  /**
   * @param file the name of the file as its producer recorded it; never empty
   * @param line one-based, 0 when only the file is known
   * @param column one-based, 0 when unknown
   * @param text the text of the line without its indentation, if it is known
   * @param emitted where the line stands in the archive's own code, when {@code file} names the
   *     original source it came from
   */
  public SourceLocation(
      String file, int line, int column, @Nullable String text, @Nullable SourceLocation emitted) {
    this(null, new Place(file, line, column, text, emitted));
    if (file.isEmpty() || line < 0 || column < 0) {
      throw new IllegalArgumentException("source location without file or with negative place");
    }
  }

  public static SourceLocation of(String file, int line, int column) {
    return new SourceLocation(file, line, column, null, null);
  }

  /**
   * A location that {@code search} finds when first asked for, perhaps on several threads at once.
   */
  public static SourceLocation deferred(Supplier<SourceLocation> search) {
    return new SourceLocation(search, null);
  }

  private Place found() {
    Place known = place;
    if (known == null) {
      known = Objects.requireNonNull(search).get().found();
      place = known;
    }
    return known;
  }

  public String file() {
    return found().file;
  }

  public int line() {
    return found().line;
  }

  public int column() {
    return found().column;
  }

  public @Nullable String text() {
    return found().text;
  }

  public @Nullable SourceLocation emitted() {
    return found().emitted;
  }

  /** {@code file:line:column}, as far as they are known. */
  public String place() {
    String place = line() == 0 ? file() : file() + ":" + line();
    return line() == 0 || column() == 0 ? place : place + ":" + column();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SourceLocation location && found().equals(location.found());
  }

  @Override
  public int hashCode() {
    return found().hashCode();
  }

  @Override
  public String toString() {
    String line = text();
    return line == null || line.isEmpty() ? place() : place() + ": " + line;
  }
}
