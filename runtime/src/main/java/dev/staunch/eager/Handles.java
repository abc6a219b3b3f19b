package dev.staunch.eager;

import java.util.List;
import java.util.function.Consumer;

/** Goes through the arguments of an operation, lists among them, however deep. */
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

  /** The same arguments, for when the caller uses its array and its lists for something else. */
  static Object[] copied(Object[] arguments) {
    Object[] own = arguments.clone();
    for (int i = 0; i < own.length; i++) {
      if (own[i] instanceof List<?> list) {
        own[i] = copied(list);
      }
    }
    return own;
  }

  /** Costs nothing for a list that nobody can change and that holds no other. */
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
