package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.execute.RunOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Results that a program drops without closing them are reclaimed before a budget refuses (M5). */
@Timeout(60)
class DroppedResultsTest {
  private static final int SIZE = 40_000;
  private static final int BUDGET = 1 << 20;

  @Test
  void aLoopThatDropsItsResultsStaysWithinTheBudget() {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor) -> Tensor:
            return torch.add(torch.mul(x, 2), 1)
        """;
    OffHeap memory = OffHeap.withBudget(BUDGET);
    try (Model model =
            Model.load("small.pt", SmallArchive.of(code), memory, LoadOptions.standard());
        ResourceScope scope = ResourceScope.open(memory, "loop")) {
      DenseTensor x = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(SIZE));
      for (int i = 0; i < 2 * BUDGET / (SIZE * Float.BYTES); i++) {
        Object result = model.call("forward", List.of(x), RunOptions.in(scope));
        assertInstanceOf(DenseTensor.class, result, () -> result + "");
      }
      x.close();
    }
    assertEquals(0, memory.account().bytes());
  }
}
