package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CountdownEnvironment;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** One large matrix is enough work to be cancelled in the middle (C3). */
class LongSpectrumTest {
  @Test
  void singularValuesOfOneMatrixAreCancelledOnTheWay() {
    assertCancelled(7, 3);
  }

  @Test
  void vectorsForSingularValuesOfZeroAreCancelledOnTheWay() {
    assertCancelled(0, 70); // of 120, the first half of which come before them
  }

  private static void assertCancelled(int step, long looks) {
    OffHeap memory = OffHeap.withBudget(64 << 20);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      DenseTensor matrix =
          (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT64, Shape.of(200, 200));
      for (long i = 0; i < matrix.elements(); i++) {
        matrix.segment().setAtIndex(ValueLayout.JAVA_DOUBLE, i, (double) (i * step % 13));
      }
      long held = memory.account().bytes();
      CountdownEnvironment environment = new CountdownEnvironment(scope, looks);
      Signature values = Objects.requireNonNull(Programs.SIGNATURES.find("aten::linalg_svdvals"));
      Object outcome = values.door.call(environment, new Object[] {matrix, None.NONE}, null, null);
      Fault fault = assertInstanceOf(Fault.class, outcome);
      assertEquals(CountdownEnvironment.STOP.message(), fault.message());
      assertEquals(held, memory.account().bytes(), "M4");
    }
  }
}
