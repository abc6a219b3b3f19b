package dev.staunch.bench.model;

import dev.staunch.bench.counted.ResidentMemory;
import dev.staunch.execute.RunOptions;
import dev.staunch.inference.Model;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import java.nio.file.Path;
import java.util.List;

/**
 * Times the start of a service: the milliseconds from the start of the process to the first
 * prediction, the duration of the first and of the second prediction, and the resident bytes after
 * the first.
 */
public final class ModelStart {
  private ModelStart() {}

  /**
   * Takes the folder of the archives, a row, and the start of the process in epoch milliseconds.
   */
  public static void main(String[] arguments) {
    ModelRow row = ModelRow.of(arguments[1]);
    OffHeap memory = OffHeap.withDefaultBudget();
    try (Model model = Model.load(Path.of(arguments[0], row.model() + ".pt"), memory);
        ResourceScope scope = ResourceScope.open(memory, "bench")) {
      List<Object> inputs = row.inputs(scope);
      double first = call(model, scope, inputs);
      System.out.println("start=" + (System.currentTimeMillis() - Long.parseLong(arguments[2])));
      System.out.println("rss=" + ResidentMemory.bytes());
      System.out.println("first=" + first);
      System.out.println("second=" + call(model, scope, inputs));
    }
  }

  /** The milliseconds of a request. */
  static double call(Model model, ResourceScope scope, List<Object> inputs) {
    long begun = System.nanoTime();
    try (ResourceScope own = scope.child("request")) {
      Object result = model.call("forward", inputs, RunOptions.in(own));
      HostTensors.toFloats((DenseTensor) result);
    }
    return (System.nanoTime() - begun) / 1e6;
  }
}
