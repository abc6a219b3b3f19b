package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.testkit.SmallArchive;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Scripts draw random numbers from the run's seed. */
class TrainingModeTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        __buffers__ = []
        def forward(self: __torch__.M,
          p: float) -> Tensor:
          return torch.dropout(torch.ones([200]), p, True)
      """;

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingLeaks() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Object run(double p, RunOptions options) {
    TorchScriptModule module = TorchScriptModule.load("small", SmallArchive.of(CODE), scope);
    Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
    return plan.run(module.functionName("forward"), List.of(module.root(), p), options).get(0);
  }

  private float[] dropped(long seed) {
    Object result = run(0.5, RunOptions.in(scope).withSeed(seed));
    return HostTensors.toFloats(assertInstanceOf(DenseTensor.class, result));
  }

  @Test
  void dropoutInTrainingFollowsTheSeedOfTheRun() {
    float[] one = dropped(1);
    for (float value : one) {
      assertTrue(value == 0 || value == 2);
    }
    assertArrayEquals(one, dropped(1));
    assertFalse(Arrays.equals(one, dropped(2)));
  }

  @Test
  void anImpossibleProbabilityIsAFault() {
    Fault fault = assertInstanceOf(Fault.class, run(2, RunOptions.in(scope)));
    assertEquals("`p` of a dropout must be from 0 to 1, but it is 2", fault.message());
  }
}
