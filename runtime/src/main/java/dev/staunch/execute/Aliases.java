package dev.staunch.execute;

import dev.staunch.fault.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values of a function that may share memory, or hold one another: what is done to one of them is
 * taken to be done to all. Begins with one value, and grows as others are found to be among them.
 */
final class Aliases {
  private @Nullable Aliases merged;
  private boolean shared;
  private boolean written;
  private @Nullable SourceLocation writer;

  /** The elements of a tuple, each told apart from the others; empty if they are not. */
  private List<Aliases> elements = List.of();

  /** Those of what requests share. */
  static Aliases ofState() {
    Aliases state = new Aliases();
    state.shared = true;
    return state;
  }

  /** Those of a tuple of {@code elements}, which nobody can change. */
  static Aliases ofTuple(List<Aliases> elements) {
    Aliases tuple = new Aliases();
    tuple.elements = List.copyOf(elements);
    return tuple;
  }

  /** The one that stands for all of them by now; two values share memory if it is the same. */
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

  /** Whether requests may share any of them. */
  boolean isShared() {
    return whole().shared;
  }

  /** Whether any of them, or of their elements, may be written. */
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

  /** One of them may be written at {@code line}. Of a tuple, that is its elements. */
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

  /** Element {@code i} of a tuple of {@code count}; all of it, if they are not told apart. */
  Aliases element(int i, int count) {
    Aliases whole = whole();
    return i >= 0 && i < count && whole.elements.size() == count ? whole.elements.get(i) : whole;
  }

  /** How many elements are told apart. */
  int size() {
    return whole().elements.size();
  }

  /** Values of this may be values of {@code other}. */
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
