package dev.staunch.bench.model;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.execute.RunOptions;
import dev.staunch.inference.Model;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Times one operation on one element, in microseconds: {@code eager}, called from Java with its
 * result closed at once, and an iteration of each loop of {@code loops.pt}, by the name of its
 * method.
 */
public final class OperationTimes {
  private static final int CALLS = 100;
  private static final int TURNS = 100_000;

  private OperationTimes() {}

  /** Takes the folder of the archives, seconds for warming up, and seconds for measuring. */
  public static void main(String[] arguments) {
    double warmUp = Double.parseDouble(arguments[1]);
    double seconds = Double.parseDouble(arguments[2]);
    OffHeap memory = OffHeap.withDefaultBudget();
    try (Context context = Context.open(memory)) {
      Tensor x = context.ones(1);
      Runnable calls =
          () -> {
            for (int i = 0; i < CALLS; i++) {
              x.add(1).close();
            }
          };
      print("eager", calls, CALLS, warmUp, seconds);
    }
    try (Model model = Model.load(Path.of(arguments[0], "loops.pt"), memory);
        ResourceScope scope = ResourceScope.open(memory, "bench")) {
      DenseTensor one = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(1));
      one.segment().fill((byte) 0);
      for (String method : List.of("forward", "inplace", "ints", "lists")) {
        boolean tensor = method.equals("forward") || method.equals("inplace");
        List<Object> inputs = tensor ? List.of(one, (long) TURNS) : List.of((long) TURNS);
        Runnable loop = () -> call(model, method, inputs, scope);
        print(method, loop, TURNS, warmUp, seconds);
      }
    }
  }

  private static void call(Model model, String method, List<Object> inputs, ResourceScope scope) {
    try (ResourceScope own = scope.child("request")) {
      if (model.call(method, inputs, RunOptions.in(own)) == null) {
        throw new IllegalStateException(method + " gave nothing");
      }
    }
  }

  /** The median time of {@code what}, divided by {@code parts}, in microseconds. */
  private static void print(String name, Runnable what, int parts, double warmUp, double seconds) {
    repeat(what, warmUp);
    double[] times = repeat(what, seconds);
    Arrays.sort(times);
    System.out.println(name + "=" + times[times.length / 2] / 1e3 / parts);
  }

  private static double[] repeat(Runnable what, double seconds) {
    double[] times = new double[TURNS];
    long end = System.nanoTime() + (long) (seconds * 1e9);
    int count = 0;
    while (count < times.length && (count < 5 || System.nanoTime() < end)) {
      long start = System.nanoTime();
      what.run();
      times[count] = System.nanoTime() - start;
      count++;
    }
    return Arrays.copyOf(times, count);
  }
}
