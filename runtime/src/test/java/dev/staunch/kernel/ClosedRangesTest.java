package dev.staunch.kernel;

import static dev.staunch.operation.None.NONE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.Fault;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A {@code range} includes its end, and is of floats unless it is told otherwise. */
class ClosedRangesTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final RecordingEnvironment environment = new RecordingEnvironment(scope);

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Object range(Object start, Object end, Object step, Object dtype) {
    return Objects.requireNonNull(
        environment.run("aten::range.step", start, end, step, dtype, NONE, NONE, NONE));
  }

  private void assertFloats(Object result, float... expected) {
    DenseTensor tensor = assertInstanceOf(DenseTensor.class, result);
    assertArrayEquals(expected, HostTensors.toFloats(tensor));
  }

  @Test
  void theEndIsReachedIfAStepMeetsIt() {
    assertFloats(range(0L, 3L, 1L, NONE), 0, 1, 2, 3);
    assertFloats(range(0.0, 3.5, 1L, NONE), 0, 1, 2, 3);
    assertFloats(range(3.0, 0.0, -1.0, NONE), 3, 2, 1, 0);
    assertFloats(range(3L, 3L, 1L, NONE), 3);
    assertFloats(environment.run("aten::range", 1L, 2L, NONE, NONE, NONE, NONE), 1, 2);
  }

  @Test
  void boundsOfIntegersAreCutToIntegers() {
    long int64 = DType.INT64.code();
    DenseTensor whole = assertInstanceOf(DenseTensor.class, range(0.5, 4.0, 1.0, int64));
    assertArrayEquals(new long[] {0, 1, 2, 3, 4}, HostTensors.toLongs(whole));
    assertInstanceOf(Fault.class, range(0.0, 3.0, 0.5, int64));
  }

  @Test
  void aRangeThatCannotBeWalkedIsRefused() {
    assertInstanceOf(Fault.class, range(0L, 1L, 0L, NONE));
    assertInstanceOf(Fault.class, range(0L, 1L, -1L, NONE));
    assertInstanceOf(Fault.class, range(0.0, Double.POSITIVE_INFINITY, 1L, NONE));
    assertInstanceOf(Fault.class, range(0.0, 1e30, 1L, NONE));
  }
}
