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
import dev.staunch.type.Shape;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Scripts that write to the result of {@code reshape} and the like see the memory of the original
 * or a copy, as in PyTorch, whether or not operations are joined into one step.
 */
class PermutedScriptsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingLeaks() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private static float[] whole(Object result) {
    return HostTensors.toFloats(assertInstanceOf(DenseTensor.class, result));
  }

  private void check(float[] expected, String body) {
    String code =
        "class M(Module):\n"
            + "  __parameters__ = []\n"
            + "  def forward(self: __torch__.M,\n"
            + "    x: Tensor,\n"
            + "    w: Tensor) -> Tensor:\n"
            + body.indent(4);
    TorchScriptModule module = TorchScriptModule.load("small", SmallArchive.of(code), scope);
    Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
    Object x = HostTensors.floats(scope, Shape.of(2, 3), 0, 1, 2, 3, 4, 5);
    Object w = HostTensors.floats(scope, Shape.of(2), 1, 2);
    List<Object> arguments = List.of(module.root(), x, w);
    RunOptions options = RunOptions.in(scope);
    for (RunOptions each : List.of(options, options, options.withOperationsAsWritten(true))) {
      assertArrayEquals(expected, whole(plan.run("__torch__.M.forward", arguments, each).get(0)));
    }
  }

  @Test
  void whatIsTurnedBackIsWrittenThroughItsRow() {
    check(
        new float[] {0, 1, 2, 6, -1, 10},
        """
        y = torch.t(torch.mul(torch.t(x), w))
        flat = torch.reshape(y, [-1])
        _0 = torch.fill_(torch.select(flat, 0, 4), -1)
        return y
        """);
  }

  @Test
  void aContiguousCopyIsWrittenByItself() {
    check(
        new float[] {0, 6, 2, 8, 4, 10},
        """
        y = torch.mul(torch.t(x), 2)
        z = torch.contiguous(y)
        _0 = torch.add_(z, 1)
        return y
        """);
  }

  @Test
  void soItIsBehindSeveralOperations() {
    check(
        new float[] {1, 7, 3, 9, 5, 11},
        """
        y = torch.relu(torch.add(torch.mul(torch.t(x), 2), 1))
        z = torch.contiguous(y)
        _0 = torch.add_(z, 1)
        return y
        """);
  }

  @Test
  void aCastOfWhatIsPermutedIsPermuted() {
    check(
        new float[] {0, 3, 1, 4, 2, 5},
        """
        y = torch.to(torch.to(torch.t(x), 7), 6)
        z = torch.contiguous(y)
        _0 = torch.add_(z, 1)
        return y
        """);
  }

  @Test
  void anEinsumOfOneTensorIsAViewOfIt() {
    check(
        new float[] {3, 12, 6, 15, 9, 18},
        """
        a = torch.mul(x, 1)
        y = torch.einsum("ij->ji", [a])
        _0 = torch.add_(y, 1)
        z = torch.sum(y)
        _1 = torch.mul_(a, 3)
        return y
        """);
    check(
        new float[] {0, 1, 2, 3, 4, 5},
        """
        a = torch.mul(x, 1)
        _0 = torch.add_(torch.einsum("ij->j", [a]), 1)
        return a
        """);
  }

  @Test
  void theProductOfOneSetIsAViewOfIt() {
    check(
        new float[] {2, 3},
        """
        a = torch.mul(w, 1)
        _0 = torch.add_(torch.cartesian_prod([a]), 1)
        return a
        """);
  }
}
