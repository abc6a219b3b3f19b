package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operators that TorchScript functions stand for answer as those of libtorch do (S2). */
class StandInOperatorsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingLeaks() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  /** The result of {@code body} with x = [[3, 4], [0, -2]]; each `;` ends a line. */
  private Object run(String body) {
    String code =
        "class M(Module):\n  __parameters__ = []\n"
            + "  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n"
            + body.replace("; ", "\n").indent(4);
    TorchScriptModule module = TorchScriptModule.load("small", SmallArchive.of(code), scope);
    Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
    List<Object> arguments =
        List.of(module.root(), HostTensors.floats(scope, Shape.of(2, 2), 3, 4, 0, -2));
    return plan.run("__torch__.M.forward", arguments, RunOptions.in(scope)).get(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          return torch.norm_except_dim(x, 2, 0)                                     | [2, 1] | 5 2
          return torch.norm_except_dim(x, 2, -2)                                    | [2, 1] | 5 2
          return torch.norm_except_dim(torch.select(x, 0, 0), 2, 0)                 | [2]    | 3 4
          return torch._trilinear(x, x, x, [2, 1], [0, 1], [0, 3], [1, 3, 2])       | [2]    | 59 -16
          return torch._trilinear(x, x, x, [-1], [-3], [1], [1])                    | [2, 2] | 27 16 0 -8
          return torch._trilinear(x, x, x, [], [], [], [])                          | [2, 2] | 27 64 0 -8
          return torch.special_xlog1py(x, 1e+39)                                    | [2, 2] | Infinity Infinity 0 -Infinity
          y = torch._conj_physical(x); _0 = torch.add_(y, 1); return x              | [2, 2] | 3 4 0 -2
          return torch.special_zeta(torch.mul(x, inf), 1.)                          | [2, 2] | 1 1 NaN NaN
          return torch.reciprocal(torch.special_zeta(torch.mul(x, inf), -1.))       | [2, 2] | 0 0 0 NaN
          c = ops.prepacked.linear_clamp_prepack(x, torch.select(x, 0, 0)); _0 = torch.zero_(x); \
          return ops.prepacked.linear_clamp_run(torch.ones([1, 2]), c)              | [1, 2] | 10 2
          """)
  void anOperator(String body, String shape, String expected) {
    DenseTensor result = assertInstanceOf(DenseTensor.class, run(body));
    assertEquals(shape, result.shape().toString());
    StringBuilder text = new StringBuilder();
    for (float each : HostTensors.toFloats(result)) {
      text.append(text.isEmpty() ? "" : " ");
      boolean whole = each == Math.rint(each) && Float.isFinite(each);
      text.append(whole ? Integer.toString((int) each) : Float.toString(each));
    }
    assertEquals(expected, text.toString());
    assertEquals(DType.FLOAT32, result.dtype());
  }

  @Test
  void aListOfNumbersBeyondInt32IsRefused() {
    Fault fault =
        assertInstanceOf(Fault.class, run("return torch._list_to_tensor([5, 2147483648])"));
    assertEquals(FaultType.VALUE, fault.type());
  }
}
