package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.Shape;
import org.junit.jupiter.api.Test;

/** A request that runs in a scope with a budget takes no more than that from the memory of all. */
class RequestBudgetTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, n: Tensor) -> Tensor:
          size = int(n)
          return torch.sum(torch.ones([size, size]))
      """;

  private static InferenceRequest square(long size) {
    return InferenceRequest.of("7").input("n", Shape.SCALAR, size);
  }

  private static Answer answer(Model model, OffHeap memory, long size) {
    try (ResourceScope limited = ResourceScope.open(memory, "request 7", 1L << 20)) {
      return model.predict(square(size), "forward", scope -> RunOptions.in(limited));
    }
  }

  @Test
  void onlyTheRequestThatNeedsMoreThanItsBudgetFails() {
    OffHeap memory = OffHeap.withBudget(64L << 20);
    try (Model model =
        Model.load("small.pt", SmallArchive.of(CODE), memory, LoadOptions.standard())) {
      long held = memory.account().bytes();
      assertEquals(10_000f, answer(model, memory, 100).output().floats()[0]);
      Fault fault = answer(model, memory, 1000).fault(); // 4 MB
      assertNotNull(fault);
      assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
      assertNull(model.predict(square(1000)).fault(), "without a budget of its own");
      assertEquals(held, memory.account().bytes());
    }
  }
}
