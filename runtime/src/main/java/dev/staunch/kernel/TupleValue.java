package dev.staunch.kernel;

import java.util.List;

/** A tuple of run-time values. The tuple is immutable; its elements may not be. */
public record TupleValue(List<Object> elements) {
  public TupleValue {
    elements = List.copyOf(elements);
  }

  public static TupleValue of(Object... elements) {
    return new TupleValue(List.of(elements));
  }
}
