package dev.staunch.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * M1: with guarded memory, code that touches freed or foreign memory gets an exception, not wrong
 * numbers.
 */
class GuardedMemoryTest {
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1 << 20).withGuard(true));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    assertEquals(0, memory.account().bytes());
    assertEquals(0, memory.reservedBytes());
  }

  private DenseTensor tensor() {
    return assertInstanceOf(
        DenseTensor.class, DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(100)));
  }

  @Test
  void whatWasGivenBackCannotBeTouched() {
    DenseTensor closed = tensor();
    MemorySegment bytes = closed.segment();
    closed.close();
    tensor();
    assertThrows(IllegalStateException.class, () -> bytes.get(ValueLayout.JAVA_BYTE, 0));
    assertThrows(IllegalStateException.class, () -> bytes.set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
  }

  @Test
  void whatWasNeverWrittenShows() {
    for (float value : HostTensors.toFloats(tensor())) {
      assertTrue(Float.isNaN(value));
    }
  }

  @Test
  void aSystemPropertyMakesItTheDefault() {
    assertEquals(Boolean.getBoolean(MemoryOptions.GUARD), MemoryOptions.withBudget(1).guarded());
  }

  private static Object touchAfterwards(Call call) {
    DenseTensor scratch = (DenseTensor) call.allocate(DType.FLOAT32, Shape.of(100));
    MemorySegment bytes = scratch.segment();
    scratch.close();
    bytes.fill((byte) 0);
    return call.tensor(0);
  }

  @Test
  void aKernelThatDoesIsAnInternalFaultThatNamesTheScope() {
    ContextOptions options =
        ContextOptions.standard()
            .withName("request 7")
            .withEngine(EngineOptions.serial().withUnreadFaults(fault -> {}))
            .withCatalog(
                StandardOperations.catalog().toBuilder()
                    .one("test::stray(Tensor x) -> Tensor", GuardedMemoryTest::touchAfterwards)
                    .build());
    try (Context context = Context.open(memory, options);
        Tensor made = context.apply("test::stray", context.ones(1))) {
      Fault fault = Objects.requireNonNull(made.fault());
      assertEquals(FaultType.INTERNAL, fault.type());
      assertEquals(
          "memory of the scope request 7 was touched after it had been given back",
          fault.message());
      assertEquals("test::stray", fault.operation());
    }
  }
}
