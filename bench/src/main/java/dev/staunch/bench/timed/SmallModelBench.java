package dev.staunch.bench.timed;

import dev.staunch.execute.RunOptions;
import dev.staunch.inference.Answer;
import dev.staunch.inference.InferenceRequest;
import dev.staunch.inference.Model;
import dev.staunch.inference.ProtocolReader;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * The cost of a request to a small model, with one row per request. System properties, which {@code
 * bench/run} sets, say where the model is: {@code bench.root}, the checkout, and {@code
 * bench.archives}, a folder with {@code mlp_bn_sigmoid.pt}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SmallModelBench {
  private static final String RANKER = "cli/src/main/resources/dev/staunch/cli/demo/ranker.pt";

  @Param({"ranker", "mlp_bn_sigmoid"})
  String name = "ranker";

  private final OffHeap memory = OffHeap.withDefaultBudget();
  private final ResourceScope scope = ResourceScope.open(memory, "bench");
  private final List<Object> arguments = new ArrayList<>();
  private @Nullable Model model;
  private @Nullable InferenceRequest request;

  @Setup
  public void load() {
    boolean ranker = name.equals("ranker");
    Path archive =
        ranker
            ? Path.of(property("bench.root"), RANKER)
            : Path.of(property("bench.archives"), name + ".pt");
    model = Model.load(archive, memory);
    if (ranker) {
      arguments.add(zeros(DType.INT64, Shape.of(1)));
      arguments.add(zeros(DType.INT64, Shape.of(1)));
      arguments.add(zeros(DType.FLOAT32, Shape.of(1, 8)));
    } else {
      arguments.add(zeros(DType.FLOAT32, Shape.of(1, 16)));
    }
    String json =
        ranker
            ? "{\"inputs\": ["
                + input("user", "INT64", "1", 1)
                + ","
                + input("item", "INT64", "1", 1)
                + ","
                + input("features", "FP32", "1, 8", 8)
                + "]}"
            : "{\"inputs\": [" + input("x", "FP32", "1, 16", 16) + "]}";
    request = Objects.requireNonNull(new ProtocolReader().read(json).request());
  }

  private Model model() {
    return Objects.requireNonNull(model);
  }

  private static String property(String key) {
    return Objects.requireNonNull(System.getProperty(key), key);
  }

  private DenseTensor zeros(DType dtype, Shape shape) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, dtype, shape);
    tensor.segment().fill((byte) 0);
    return tensor;
  }

  private static String input(String name, String datatype, String shape, int values) {
    String data = "1" + ", 1".repeat(values - 1);
    return "{\"name\": \"%s\", \"datatype\": \"%s\", \"shape\": [%s], \"data\": [%s]}"
        .formatted(name, datatype, shape, data);
  }

  @TearDown
  public void close() {
    model().close();
    scope.close();
  }

  /** From the parsed request to the answer. */
  @Benchmark
  public Answer request() {
    return model().predict(Objects.requireNonNull(request), "forward");
  }

  /** The same on four threads at once. */
  @Benchmark
  @Threads(4)
  public Answer requestOnFourThreads() {
    return model().predict(Objects.requireNonNull(request), "forward");
  }

  /** From tensors to a tensor, in a scope of its own. */
  @Benchmark
  public Object call() {
    try (ResourceScope own = scope.child("request")) {
      return model().call("forward", arguments, RunOptions.in(own));
    }
  }
}
