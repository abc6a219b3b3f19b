package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A trace holds a Python number as a constant float64 or int64 tensor without dimensions. With the
 * dtypes that libtorch 1.13 gives.
 */
class TracedNumbersTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingLeaks() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor run(String expression) {
    String code =
        "class M(Module):\n"
            + "  __parameters__ = []\n"
            + "  def forward(self: __torch__.M,\n"
            + "    x: Tensor) -> Tensor:\n"
            + "    return "
            + expression
            + "\n";
    byte[] archive = SmallArchive.withNumber(code);
    TorchScriptModule module = TorchScriptModule.load("small", archive, scope);
    Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
    Object three = HostTensors.floats(scope, Shape.SCALAR, new float[] {3});
    List<Object> arguments = List.of(module.root(), three);
    Object result = plan.run("__torch__.M.forward", arguments, RunOptions.in(scope)).get(0);
    return assertInstanceOf(DenseTensor.class, result);
  }

  @Test
  void aConstantWithoutDimensionsLeavesTheDtypeAsItIs() {
    assertFloat32(6, "torch.mul(x, CONSTANTS.c0)");
    assertFloat32(1.5f, "torch.div(x, CONSTANTS.c0)");
    assertFloat32(5, "torch.add(x, CONSTANTS.c0)");
    assertFloat32(-1, "torch.sub(x, CONSTANTS.c0, alpha=2)");
  }

  @Test
  void inAnyOtherPlaceItIsATensor() {
    assertEquals(DType.FLOAT64, run("torch.mul(CONSTANTS.c0, x)").dtype());
    assertEquals(DType.FLOAT64, run("torch.maximum(x, CONSTANTS.c0)").dtype());
    assertEquals(DType.FLOAT64, run("torch.mul(x, torch.detach(CONSTANTS.c0))").dtype());
  }

  private void assertFloat32(float expected, String expression) {
    DenseTensor result = run(expression);
    assertEquals(DType.FLOAT32, result.dtype(), expression);
    assertArrayEquals(new double[] {expected}, HostTensors.toDoubles(result), expression);
  }
}
