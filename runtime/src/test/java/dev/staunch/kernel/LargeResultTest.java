package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.junit.jupiter.api.Test;

/** C3: a kernel that is cancelled while its result is allocated ends there. */
class LargeResultTest {
  private static final Shape LARGE = Shape.of(16, 1 << 20);

  @Test
  void aCancelledKernelDoesNotWaitForALargeResult() {
    try (OffHeap memory = OffHeap.withBudget(100 << 20);
        ResourceScope scope = ResourceScope.open(memory, "request")) {
      KernelBench kernels = new KernelBench(scope);
      kernels.cancel("too late");
      Call call = new Call(kernels, new Object[0]);
      for (Object made :
          new Object[] {
            call.allocate(DType.FLOAT32, LARGE),
            call.allocate(DType.FLOAT32, LARGE.size(0), LARGE.size(1))
          }) {
        assertEquals(FaultType.CANCELLED, assertInstanceOf(Fault.class, made).type());
      }
      assertEquals(0, scope.account().bytes());
    }
  }

  @Test
  void aSmallResultIsThereBeforeAnybodyCouldWait() {
    try (OffHeap memory = OffHeap.withBudget(1 << 20);
        ResourceScope scope = ResourceScope.open(memory, "request")) {
      KernelBench kernels = new KernelBench(scope);
      kernels.cancel("too late");
      Object made = new Call(kernels, new Object[0]).allocate(DType.FLOAT32, Shape.of(4));
      assertInstanceOf(DenseTensor.class, made);
    }
  }
}
