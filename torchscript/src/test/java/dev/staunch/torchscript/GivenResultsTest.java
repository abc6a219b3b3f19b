package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import dev.staunch.type.Shape;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls with {@code out=} write into the tensors that they are given, whichever operator it is. */
class GivenResultsTest {
  private static final String HEAD =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M,
          x: Tensor,
          z: Tensor) -> Tensor:
      """;

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingLeaks() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  /** The result of {@code body} with a tensor x of four numbers, and a tensor z to write into. */
  private Object run(DenseTensor z, String body) {
    String code = HEAD + body.indent(4);
    TorchScriptModule module = TorchScriptModule.load("small", SmallArchive.of(code), scope);
    Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
    DenseTensor x = floats(Shape.of(4), 3, -1, 4, 1);
    List<Object> arguments = List.of(module.root(), x, z);
    return plan.run("__torch__.M.forward", arguments, RunOptions.in(scope)).get(0);
  }

  private DenseTensor floats(Shape shape, float... values) {
    return assertInstanceOf(DenseTensor.class, HostTensors.floats(scope, shape, values));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          torch.fmin(x, torch.neg(x), out=z)                 | -3 -1 -4 -1
          torch.msort(x, out=z)                              | -1 1 3 4
          torch.clamp_min(x, 2, out=z)                       | 3 2 4 2
          torch.fmin(x, x, out=torch.slice(z, 0, 0, 4, 1))   | 3 -1 4 1
          torch.masked_fill(x, torch.gt(x, 3), 9, out=z)     | 3 -1 9 1
          torch.arange(4, out=z)                             | 0 1 2 3
          torch.full([4], 7, out=z)                          | 7 7 7 7
          torch.linspace(0, 3, 4, out=z)                     | 0 1 2 3
          torch.softmax(torch.mul(x, 0), 0, None, out=z)     | 0.25 0.25 0.25 0.25
          torch.pow(2, x, out=z)                             | 8 0.5 16 2
          torch.norm(torch.unsqueeze(x, 0), 2, [0], False, dtype=7, out=z) | 3 1 4 1
          """)
  void aTensorIsGiven(String call, String expected) {
    DenseTensor z = floats(Shape.of(4), 9, 9, 9, 9);
    DenseTensor result =
        assertInstanceOf(DenseTensor.class, run(z, "y = " + call + "\nreturn y\n"));
    assertEquals(expected, text(z));
    assertEquals(expected, text(result));
  }

  private static String text(DenseTensor tensor) {
    StringBuilder text = new StringBuilder();
    for (float each : HostTensors.toFloats(tensor)) {
      text.append(text.isEmpty() ? "" : " ");
      text.append(each == Math.rint(each) ? Integer.toString((int) each) : Float.toString(each));
    }
    return text.toString();
  }

  @Test
  void severalTensorsAreGiven() {
    String body =
        """
        i = torch.zeros([2], dtype=4)
        v, w = torch.topk(x, 2, 0, True, True, values=torch.slice(z, 0, 0, 2, 1), indices=i)
        _0 = torch.copy_(torch.slice(z, 0, 2, 4, 1), w)
        return v
        """;
    DenseTensor z = floats(Shape.of(4), 9, 9, 9, 9);
    DenseTensor values = assertInstanceOf(DenseTensor.class, run(z, body));
    assertArrayEquals(new float[] {4, 3}, HostTensors.toFloats(values));
    assertArrayEquals(new float[] {4, 3, 2, 0}, HostTensors.toFloats(z));
  }

  @Test
  void aTensorOfAnotherShapeIsNotWritten() {
    DenseTensor z = floats(Shape.of(3), 9, 9, 9);
    Object result = run(z, "return torch.fmin(x, x, out=z)\n");
    Fault fault = assertInstanceOf(Fault.class, result);
    assertEquals(FaultType.SHAPE, fault.type());
    assertEquals(
        "a tensor of shape [3] cannot hold a result of shape [4]; give it that shape",
        fault.message());
    assertEquals("return torch.fmin(x, x, out=z)", fault.source().text());
    assertEquals("9 9 9", text(z));
  }

  @Test
  void aTensorIsNotWrittenTwice() {
    String body = "v, w = torch.topk(x, 2, 0, True, True, values=z, indices=z)\nreturn v\n";
    Fault fault = assertInstanceOf(Fault.class, run(floats(Shape.of(2), 9, 9), body));
    assertEquals(
        "aten::topk is given one tensor for several results; give it one for each",
        fault.message());
  }

  @Test
  void codesAreNotWrittenIntoATensorOfNumbers() {
    String body = "return torch.quantize_per_tensor(x, 1., 0, 12, out=z)\n";
    DenseTensor z = floats(Shape.of(4), 9, 9, 9, 9);
    assertInstanceOf(Fault.class, run(z, body));
    assertEquals("9 9 9 9", text(z));
  }
}
