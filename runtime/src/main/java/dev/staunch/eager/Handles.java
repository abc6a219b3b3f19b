package dev.staunch.eager;

import java.util.List;
import java.util.function.Consumer;

/** Goes through the tensors among the arguments of an operation, those in lists included. */
final class Handles {
  private Handles() {}

  static void forEach(Object[] arguments, Consumer<Tensor> action) {
    for (Object argument : arguments) {
      if (argument instanceof Tensor tensor) {
        action.accept(tensor);
      } else if (argument instanceof List<?> list) {
        for (Object element : list) {
          if (element instanceof Tensor tensor) {
            action.accept(tensor);
          }
        }
      }
    }
  }
}
