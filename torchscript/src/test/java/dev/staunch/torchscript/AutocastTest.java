package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.TupleValue;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code torch.autocast} has the same meaning on the CPU as in libtorch (S2). */
class AutocastTest {
  private static final String CLASS = "__torch__.torch.amp.autocast_mode.autocast";

  private static final String SCOPE =
      """
      class autocast:
        device : str
        fast_dtype : int
        _enabled : bool
        def __init__(self: %1$s, device_type: str, dtype: Optional[int]=None,
            enabled: bool=True, cache_enabled: Optional[bool]=None) -> NoneType:
          if torch.__is__(dtype, None):
            code = torch.get_autocast_dtype(device_type)
          else:
            code = unchecked_cast(int, dtype)
          self._enabled = enabled
          self.device = device_type
          self.fast_dtype = code
          return None
        def __enter__(self: %1$s) -> %1$s:
          return self
        def __exit__(self: %1$s, exc_type: Any, exc_val: Any, exc_tb: Any) -> NoneType:
          return None
      """
          .formatted(CLASS);

  private static final String HEAD =
      """
      class M(Module):
        __parameters__ = []
        def product(self: __torch__.M, x: Tensor) -> Tensor:
          return torch.mm(x, x)
        def forward(self: __torch__.M, x: Tensor%s) -> %s:
          scope = %s.__new__(%s)
          _0 = (scope).__init__(%s, )
      """;

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingLeaks() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private static String code(String more, String result, String arguments, String body) {
    return HEAD.formatted(more, result, CLASS, CLASS, arguments) + body.indent(4);
  }

  private Object run(String code) {
    byte[] archive = SmallArchive.with("torch/amp/autocast_mode", SCOPE, code);
    TorchScriptModule module = TorchScriptModule.load("small", archive, scope);
    Object x = HostTensors.floats(scope, Shape.of(2, 2), 1.001f, 2, 3, 4);
    Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
    return plan.run("__torch__.M.forward", List.of(module.root(), x), RunOptions.in(scope)).get(0);
  }

  private List<DType> dtypes(String arguments, String body) {
    String types = "Tuple[Tensor, Tensor, Tensor]";
    Object outcome = run(code("", types, arguments, body));
    TupleValue result = assertInstanceOf(TupleValue.class, outcome, outcome.toString());
    return result.elements().stream().map(each -> ((DenseTensor) each).dtype()).toList();
  }

  @Test
  void productsAreReducedWhatLosesIsWidenedAndOthersKeepWhatTheyGet() {
    String body =
        """
        with scope:
          a = torch.mm(x, x)
          b = torch.exp(a)
          c = torch.relu(a)
        return (a, b, c)
        """;
    assertEquals(List.of(DType.BFLOAT16, DType.FLOAT32, DType.BFLOAT16), dtypes("\"cpu\"", body));
    assertEquals(List.of(DType.FLOAT16, DType.FLOAT32, DType.FLOAT16), dtypes("\"cpu\", 5", body));
    assertEquals(
        List.of(DType.FLOAT32, DType.FLOAT32, DType.FLOAT32), dtypes("\"cpu\", None, False", body));
    assertEquals(List.of(DType.FLOAT32, DType.FLOAT32, DType.FLOAT32), dtypes("\"cuda\"", body));
  }

  @Test
  void anotherNameOfAnOperationIsCastAlike() {
    String body =
        """
        with scope:
          a = torch.mm(x, x)
          b = torch.subtract(a, a, alpha=1)
          c = torch.arcsin(a)
        return (a, b, c)
        """;
    assertEquals(List.of(DType.BFLOAT16, DType.FLOAT32, DType.FLOAT32), dtypes("\"cpu\"", body));
  }

  @Test
  void anOperatorWithoutAPolicyIsNotCastWhateverComputesIt() {
    String body =
        """
        image = torch.view(x, [1, 1, 2, 2])
        with scope:
          a = torch.conv2d(image, image)
          b = torch.thnn_conv2d(image, image, [2, 2], torch.ones([1]))
          c = torch._addmm_activation(x, x, x)
        return (a, b, c)
        """;
    assertEquals(List.of(DType.BFLOAT16, DType.FLOAT32, DType.FLOAT32), dtypes("\"cpu\"", body));
  }

  @Test
  void whatIsCalledInTheScopeIsInIt() {
    String body =
        """
        a = (self).product(x, )
        with scope:
          b = (self).product(x, )
        c = (self).product(x, )
        return (a, b, c)
        """;
    assertEquals(List.of(DType.FLOAT32, DType.BFLOAT16, DType.FLOAT32), dtypes("\"cpu\"", body));
  }

  @Test
  void aDtypeThatIsAskedForIsKept() {
    String body =
        """
        with scope:
          a = torch.mm(x, x)
          b = torch.log_softmax(a, 0, 15)
          c = torch.log_softmax(a, 0)
        return (a, b, c)
        """;
    assertEquals(List.of(DType.BFLOAT16, DType.BFLOAT16, DType.FLOAT32), dtypes("\"cpu\"", body));
  }

  @Test
  void aScopeThatIsKnownOnlyWhenItRunsIsRefused() {
    String code =
        code(", on: bool", "Tensor", "\"cpu\", None, on", "with scope:\n  y = x\nreturn y\n");
    byte[] archive = SmallArchive.with("torch/amp/autocast_mode", SCOPE, code);
    TorchScriptModule module = TorchScriptModule.load("small", archive, scope);
    Fault fault = Objects.requireNonNull(module.missingMethods().get("forward"));
    assertEquals(FaultType.UNSUPPORTED, fault.type());
    assertTrue(fault.message().contains("autocast"), fault.message());
  }
}
