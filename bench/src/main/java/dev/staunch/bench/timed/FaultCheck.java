package dev.staunch.bench.timed;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.fault.Fault;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The cost of checking an operation's inputs for faults when there are none. An operation cannot
 * run without its check. So it is measured once as it is and once with {@link #CHECKS} additional
 * checks before it; the difference, divided by their number, is the cost of one check.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FaultCheck {
  /** The number of additional checks in {@link #with}. */
  public static final int CHECKS = 40;

  private final Context context = Context.open(OffHeap.withDefaultBudget());
  private final Tensor x = context.of(Shape.of(4), 1f, 2f, 3f, 4f);
  private final Tensor y = context.of(Shape.of(4), 1f, 1f, 1f, 1f);
  private final Object[] inputs = inputs();

  private Object[] inputs() {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < CHECKS; i++) {
      all.addAll(List.of(x.value(), y.value(), 1L));
    }
    return all.toArray();
  }

  @TearDown
  public void close() {
    context.close();
  }

  /** {@code x += y} on four floats: the smallest operation there is. */
  @Benchmark
  public Object without() {
    return x.add_(y);
  }

  /** The same after {@link #CHECKS} additional checks of each of the three inputs. */
  @Benchmark
  public Object with() {
    Fault fault = faultOf(inputs);
    return fault == null ? x.add_(y) : fault;
  }

  /** Checks inputs of an operation in the same way as the executor and the engine do. */
  private static @Nullable Fault faultOf(Object[] values) {
    Fault fault = null;
    for (Object value : values) {
      if (value instanceof Fault found) {
        fault = fault == null ? found : fault.merge(found);
      }
    }
    return fault;
  }
}
