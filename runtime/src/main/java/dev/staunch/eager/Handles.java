package dev.staunch.eager;

import java.util.List;
import java.util.function.Consumer;

/** Visits the arguments of an operation, including nested lists at any depth. */
final class Handles {
  private Handles() {}

  static void forEach(Object[] arguments, Consumer<Handle> action) {
    for (Object argument : arguments) {
      forEach(argument, action);
    }
  }

  static void forEach(Object argument, Consumer<Handle> action) {
    if (argument instanceof Handle tensor) {
      action.accept(tensor);
    } else if (argument instanceof List<?> list) {
      for (Object element : list) {
        forEach(element, action);
      }
    }
  }

  /** A copy of the arguments, so that the caller may reuse its array and its lists. */
  static Object[] copied(Object[] arguments) {
    Object[] own = arguments.clone();
    for (int i = 0; i < own.length; i++) {
      if (own[i] instanceof List<?> list) {
        own[i] = copied(list);
      }
    }
    return own;
  }

  /** Costs nothing for an immutable list that holds no other list. */
  private static List<?> copied(List<?> list) {
    List<?> own = List.copyOf(list);
    for (int i = 0; i < own.size(); i++) {
      if (own.get(i) instanceof List<?>) {
        return List.of(copied(own.toArray()));
      }
    }
    return own;
  }
}
