package dev.staunch.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.SmallStack;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.junit.jupiter.api.Test;

/** A tensor that is made at the end of the stack exists as a whole, or not at all. */
class EndOfStackTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 30);
  private final ResourceScope scope = ResourceScope.open(memory, "deep");

  private static void askOften(Runnable ask) throws InterruptedException {
    for (int k = 0; k < 10; k++) {
      SmallStack.atTheEnd(400_000 + 8 * k, 400, ask);
    }
  }

  @Test
  void f11ATensorIsAMemberOrHoldsNoBytes() throws InterruptedException {
    Runnable make = () -> DenseTensor.allocate(scope, DType.INT8, Shape.of(100_000));
    askOften(make);
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void f11AViewIsAMemberOrKeepsNothing() throws InterruptedException {
    Object made = DenseTensor.allocate(scope, DType.INT8, Shape.of(100_000));
    DenseTensor whole = assertInstanceOf(DenseTensor.class, made);
    askOften(() -> whole.view(scope, whole.layout()));
    scope.close();
    assertEquals(0, memory.account().bytes());
  }
}
