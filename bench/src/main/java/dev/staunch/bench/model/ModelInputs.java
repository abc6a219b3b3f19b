package dev.staunch.bench.model;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes the inputs of a row for the peers, so that all answer the same request: a file for each
 * input with its elements, named after its place, dtype and shape.
 */
public final class ModelInputs {
  private ModelInputs() {}

  /** Takes an empty folder and a row. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    try (ResourceScope scope = ResourceScope.open(OffHeap.withDefaultBudget(), "inputs")) {
      List<Object> inputs = ModelRow.of(arguments[1]).inputs(scope);
      for (int i = 0; i < inputs.size(); i++) {
        DenseTensor tensor = (DenseTensor) inputs.get(i);
        String shape =
            Arrays.stream(tensor.shape().toArray())
                .mapToObj(Long::toString)
                .collect(Collectors.joining("x"));
        long bytes = tensor.elements() * tensor.dtype().bytes();
        Files.write(
            folder.resolve(i + "-" + tensor.dtype() + "-" + shape),
            tensor.segment().asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
      }
    }
  }
}
