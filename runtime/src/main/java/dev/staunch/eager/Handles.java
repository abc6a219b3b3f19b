package dev.staunch.eager;

import java.util.List;
import java.util.function.Consumer;

/** Goes through the tensors among the arguments of an operation, however deep in lists. */
final class Handles {
  private Handles() {}

  static void forEach(Object[] arguments, Consumer<Tensor> action) {
    for (Object argument : arguments) {
      forEach(argument, action);
    }
  }

  static void forEach(Object argument, Consumer<Tensor> action) {
    if (argument instanceof Tensor tensor) {
      action.accept(tensor);
    } else if (argument instanceof List<?> list) {
      for (Object element : list) {
        forEach(element, action);
      }
    }
  }
}
