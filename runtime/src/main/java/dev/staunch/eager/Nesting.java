package dev.staunch.eager;

import dev.staunch.fault.Fault;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How deep lists lie in each other: one that holds itself has no end. */
final class Nesting {
  /** More than any operation has a use for. */
  static final int MOST = 64;

  private Nesting() {}

  /** Whether one of {@code values} holds lists that lie deeper than {@link #MOST} in each other. */
  static boolean isTooDeep(Iterable<?> values) {
    return isTooDeep(values, 0);
  }

  static String describe() {
    return "lists that lie more than " + MOST + " deep in each other, or in themselves";
  }

  /** That {@code operation} was given such lists. */
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
