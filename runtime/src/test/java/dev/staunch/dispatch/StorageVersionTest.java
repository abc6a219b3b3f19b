package dev.staunch.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.staunch.kernel.KernelBench;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A storage knows whether it was written since a given version. */
class StorageVersionTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final DenseTensor self =
      (DenseTensor) HostTensors.floats(scope, Shape.of(2, 2), 1, 2, 3, 4);
  private final int before = self.storage().version();

  @AfterEach
  void close() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Object call(String name, Object... arguments) {
    var entry = Objects.requireNonNull(StandardOperations.catalog().find("aten::" + name));
    return Door.to(entry).call(new KernelBench(scope), arguments, null, null);
  }

  @Test
  void readingLeavesTheVersion() {
    assertInstanceOf(DenseTensor.class, call("add.Tensor", self, self, 1L));
    assertInstanceOf(DenseTensor.class, call("t", self));
    assertEquals(before, self.storage().version());
  }

  @Test
  void aWriteInPlaceIsAnotherVersion() {
    assertInstanceOf(DenseTensor.class, call("mul_.Scalar", self, 2L));
    assertNotEquals(before, self.storage().version());
  }

  @Test
  void aWriteThroughAViewIsAnotherVersionOfTheWhole() {
    DenseTensor row = assertInstanceOf(DenseTensor.class, call("select.int", self, 0L, 0L));
    assertSame(self.storage(), row.storage());
    call("zero_", row);
    assertNotEquals(before, self.storage().version());
  }

  @Test
  void whatIsOnlyAnotherOperandsWriteLeavesTheVersion() {
    DenseTensor other = (DenseTensor) HostTensors.floats(scope, Shape.of(2, 2), 1, 2, 3, 4);
    call("add_.Tensor", other, self, 1L);
    assertEquals(before, self.storage().version());
  }
}
