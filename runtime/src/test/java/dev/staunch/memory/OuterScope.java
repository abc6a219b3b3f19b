package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import org.junit.jupiter.api.AfterEach;

/** The base of tests whose results outlive their scopes: a scope around those, empty at the end. */
class OuterScope {
  final OffHeap memory = OffHeap.withBudget(1 << 20);
  final ResourceScope outer = ResourceScope.open(memory, "outer");

  @AfterEach
  void nothingIsLeft() {
    outer.close();
    assertEquals(0, memory.account().bytes());
    assertEquals(0, memory.account().children().size(), "accounts of closed scopes");
  }

  static DenseTensor tensor(ResourceScope scope, float... values) {
    return assertInstanceOf(
        DenseTensor.class, HostTensors.floats(scope, Shape.of(values.length), values));
  }
}
