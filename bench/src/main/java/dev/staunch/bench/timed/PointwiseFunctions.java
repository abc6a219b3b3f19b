package dev.staunch.bench.timed;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.engine.EngineOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.Shape;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
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

/**
 * Thirty functions of 16 Ki floats, each in a process where it runs alone and in a process where
 * all others have run before. The two times should not differ.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PointwiseFunctions {
  private static final int ELEMENTS = 1 << 14;

  /** The number of runs of each of the other functions, more than C2 waits for. */
  private static final int RUNS = 2_000;

  private static final Map<String, BinaryOperator<Tensor>> FUNCTIONS =
      Map.ofEntries(
          Map.entry("neg", (x, y) -> x.neg()),
          Map.entry("abs", (x, y) -> x.abs()),
          Map.entry("sqrt", (x, y) -> x.sqrt()),
          Map.entry("exp", (x, y) -> x.exp()),
          Map.entry("log", (x, y) -> x.log()),
          Map.entry("sin", (x, y) -> x.sin()),
          Map.entry("cos", (x, y) -> x.cos()),
          Map.entry("tanh", (x, y) -> x.tanh()),
          Map.entry("sigmoid", (x, y) -> x.sigmoid()),
          Map.entry("relu", (x, y) -> x.relu()),
          Map.entry("floor", (x, y) -> x.floor()),
          Map.entry("ceil", (x, y) -> x.ceil()),
          Map.entry("round", (x, y) -> x.round()),
          Map.entry("sign", (x, y) -> x.sign()),
          Map.entry("square", (x, y) -> x.square()),
          Map.entry("reciprocal", (x, y) -> x.reciprocal()),
          Map.entry("rsqrt", (x, y) -> x.rsqrt()),
          Map.entry("silu", (x, y) -> x.silu()),
          Map.entry("gelu", (x, y) -> x.gelu()),
          Map.entry("erf", (x, y) -> x.erf()),
          Map.entry("hardswish", (x, y) -> x.hardswish()),
          Map.entry("mish", (x, y) -> x.mish()),
          Map.entry("add", (x, y) -> x.add(y)),
          Map.entry("sub", (x, y) -> x.sub(y)),
          Map.entry("mul", (x, y) -> x.mul(y)),
          Map.entry("div", (x, y) -> x.div(y)),
          Map.entry("maximum", (x, y) -> x.maximum(y)),
          Map.entry("minimum", (x, y) -> x.minimum(y)),
          Map.entry("lt", (x, y) -> x.lt(y)),
          Map.entry("eq", (x, y) -> x.eq(y)));

  @Param({
    "neg",
    "abs",
    "sqrt",
    "exp",
    "log",
    "sin",
    "cos",
    "tanh",
    "sigmoid",
    "relu",
    "floor",
    "ceil",
    "round",
    "sign",
    "square",
    "reciprocal",
    "rsqrt",
    "silu",
    "gelu",
    "erf",
    "hardswish",
    "mish",
    "add",
    "sub",
    "mul",
    "div",
    "maximum",
    "minimum",
    "lt",
    "eq"
  })
  String function = "neg";

  @Param({"alone", "afterOthers"})
  String when = "alone";

  private final Context context =
      Context.open(
          OffHeap.withDefaultBudget(),
          ContextOptions.standard().withEngine(EngineOptions.serial()));
  private final Tensor x = random(1);
  private final Tensor y = random(2);
  private @Nullable BinaryOperator<Tensor> work;

  private Tensor random(long seed) {
    Random random = new Random(seed);
    float[] values = new float[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++) {
      values[i] = 0.1f + random.nextFloat();
    }
    return context.of(Shape.of(ELEMENTS), values);
  }

  @Setup
  public void runOthers() {
    work = Objects.requireNonNull(FUNCTIONS.get(function), function);
    if (when.equals("afterOthers")) {
      for (BinaryOperator<Tensor> other : FUNCTIONS.values()) {
        for (int i = 0; i < RUNS; i++) {
          other.apply(x, y).close();
        }
      }
    }
  }

  @TearDown
  public void close() {
    context.close();
  }

  /** Applies the function; the new tensor is closed at once. */
  @Benchmark
  public void apply() {
    Objects.requireNonNull(work).apply(x, y).close();
  }
}
