package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Allocates a given number of bytes; keeps the tensors of a test reachable, so that the reaper does
 * not free them.
 */
final class TestBytes {
  static final long MIB = 1 << 20;

  private final Queue<DenseTensor> kept = new ConcurrentLinkedQueue<>();

  static Object bytes(ResourceScope scope, long bytes) {
    return DenseTensor.allocate(scope, DType.UINT8, Shape.of(bytes));
  }

  DenseTensor made(ResourceScope scope, long bytes) {
    DenseTensor tensor = assertInstanceOf(DenseTensor.class, bytes(scope, bytes));
    keep(tensor);
    return tensor;
  }

  void keep(DenseTensor tensor) {
    kept.add(tensor);
  }

  static Fault refused(ResourceScope scope, long bytes) {
    Fault fault = assertInstanceOf(Fault.class, bytes(scope, bytes));
    assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
    return fault;
  }
}
