package dev.staunch.eager;

import dev.staunch.fault.Fault;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks how deeply lists are nested: a list that contains itself has no end. */
final class Nesting {
  /** More than any operation needs. */
  static final int MOST = 64;

  private Nesting() {}

  /** Whether lists in {@code values} are nested more deeply than {@link #MOST}. */
  static boolean isTooDeep(Iterable<?> values) {
    return isTooDeep(values, 0);
  }

  static String describe() {
    return "lists that lie more than " + MOST + " deep in each other, or in themselves";
  }

  /** The fault of a call of {@code operation} with such lists. */
  static Fault fault(String operation) {
    return Fault.value(operation + " takes no " + describe()).withOperation(operation, List.of());
  }

  private static boolean isTooDeep(Iterable<?> values, int depth) {
    for (Object value : values) {
      List<?> inner = lists(value);
      if (inner != null && (depth == MOST || isTooDeep(inner, depth + 1))) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable List<?> lists(@Nullable Object value) {
    return switch (value) {
      case List<?> list -> list;
      case Object[] array -> Arrays.asList(array);
      case null, default -> null;
    };
  }
}
