package dev.staunch.execute;

import dev.staunch.fault.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values of a function that may share memory, or contain one another: whatever is done to one of
 * them is assumed to be done to all. Starts with one value, and grows as others turn out to belong
 * to it.
 */
final class Aliases {
  private @Nullable Aliases merged;
  private boolean shared;
  private boolean written;
  private @Nullable SourceLocation writer;

  /** The elements of a tuple, tracked separately; empty if they are not. */
  private List<Aliases> elements = List.of();

  /** The values that requests share. */
  static Aliases ofState() {
    Aliases state = new Aliases();
    state.shared = true;
    return state;
  }

  /** The values of a tuple of {@code elements}, which is immutable. */
  static Aliases ofTuple(List<Aliases> elements) {
    Aliases tuple = new Aliases();
    tuple.elements = List.copyOf(elements);
    return tuple;
  }

  /**
   * The current representative of the group; two values may share memory if they have the same one.
   */
  Aliases whole() {
    Aliases whole = this;
    while (whole.merged != null) {
      whole = whole.merged;
    }
    if (merged != null) {
      merged = whole;
    }
    return whole;
  }

  /** Whether requests may share any of these values. */
  boolean isShared() {
    return whole().shared;
  }

  /** Whether any of these values, or of their elements, may be written. */
  boolean isWritten() {
    Aliases whole = whole();
    boolean written = whole.written;
    for (Aliases element : whole.elements) {
      written |= element.isWritten();
    }
    return written;
  }

  /** The first line found to write one of them, if lines are known. */
  @Nullable SourceLocation writer() {
    Aliases whole = whole();
    for (Aliases element : whole.elements) {
      if (element.isWritten()) {
        return element.writer();
      }
    }
    return whole.writer;
  }

  /**
   * Records that one of them may be written at {@code line}. For a tuple, that means its elements.
   */
  void write(@Nullable SourceLocation line) {
    Aliases whole = whole();
    for (Aliases element : whole.elements) {
      element.write(line);
    }
    if (!whole.written && whole.elements.isEmpty()) {
      whole.written = true;
      whole.writer = line;
    }
  }

  /**
   * Element {@code i} of a tuple of {@code count}; the whole group if elements are not tracked
   * separately.
   */
  Aliases element(int i, int count) {
    Aliases whole = whole();
    return i >= 0 && i < count && whole.elements.size() == count ? whole.elements.get(i) : whole;
  }

  /** How many elements are tracked separately. */
  int size() {
    return whole().elements.size();
  }

  /** Values of this group may be values of {@code other}. */
  void merge(Aliases other) {
    Aliases one = whole();
    Aliases two = other.whole();
    if (one.equals(two)) {
      return;
    }
    two.merged = one;
    one.shared |= two.shared;
    one.writer = one.written ? one.writer : two.writer;
    one.written |= two.written;
    List<Aliases> ours = one.elements;
    List<Aliases> theirs = two.elements;
    two.elements = List.of();
    if (ours.size() == theirs.size()) {
      for (int i = 0; i < ours.size(); i++) {
        ours.get(i).merge(theirs.get(i));
      }
    } else {
      one.elements = List.of();
      List<Aliases> parts = new ArrayList<>(ours);
      parts.addAll(theirs);
      parts.forEach(one::merge);
    }
  }
}
