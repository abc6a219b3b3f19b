package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.TupleValue;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.type.Shape;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claims of scripts are checked and their changes are made, or the scripts are refused (S2). */
class ScriptMeaningTest {
  private static final String HEAD =
      "class M(Module):\n  __parameters__ = []\n  def forward(self: __torch__.M,\n    x: ";

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingLeaks() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Object run(Object argument, String signature, String body) {
    return runCode(argument, HEAD + signature + ":\n" + body.indent(4));
  }

  private Object runCode(Object argument, String code) {
    TorchScriptModule module = TorchScriptModule.load("small", SmallArchive.of(code), scope);
    Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
    List<Object> arguments = List.of(module.root(), argument);
    return plan.run("__torch__.M.forward", arguments, RunOptions.in(scope)).get(0);
  }

  private DenseTensor floats(Shape shape, float... values) {
    return assertInstanceOf(DenseTensor.class, HostTensors.floats(scope, shape, values));
  }

  private Fault fault(Object argument, String signature, String body) {
    return assertInstanceOf(Fault.class, run(argument, signature, body));
  }

  @Test
  void aCastThatIsClaimedIsLookedAtWhenItRuns() {
    String signature = "Optional[int]) -> int";
    String body = "y = unchecked_cast(int, x)\nreturn torch.add(y, 1)\n";
    assertEquals(5L, run(4L, signature, body));
    Fault none = fault(None.NONE, signature, body);
    assertEquals(FaultType.DATA_FORMAT, none.type());
    assertEquals("the code takes a value for int, but it is None", none.message());
    assertEquals("y = unchecked_cast(int, x)", none.source().text());
  }

  @Test
  void aCastThatContradictsTheTypeIsNoFaultOfOurs() {
    String body = "y = unchecked_cast(List[Tensor], x)\nreturn torch.len(y)\n";
    assertEquals(FaultType.DATA_FORMAT, fault(List.of(1L), "List[int]) -> int", body).type());
    String any = "y = unchecked_cast(List[int], x)\nreturn torch.len(y)\n";
    assertEquals(1L, run(List.of(1L), "Any) -> int", any));
    assertEquals(FaultType.DATA_FORMAT, fault(List.of("a"), "Any) -> int", any).type());
  }

  @Test
  void aTensorThatIsAnnotatedAsANumberBecomesOne() {
    String body = "y = annotate(int, torch.select(x, 0, 1))\nreturn ops.prim.max(y, 0)\n";
    Object longs = HostTensors.longs(scope, Shape.of(2), new long[] {3, 7});
    assertEquals(7L, run(longs, "Tensor) -> int", body));
    Fault fault = fault(floats(Shape.of(2), 1, 2), "Tensor) -> int", body);
    assertEquals(FaultType.DTYPE, fault.type());
  }

  @Test
  void whatIsAskedForAndNotHereIsRefused() {
    DenseTensor x = floats(Shape.of(2), 1, 2);
    for (String body :
        List.of(
            "return torch.zeros([2], pin_memory=True)\n",
            "return torch.zeros_like(x, layout=1)\n",
            "return torch.to(x, dtype=6, layout=0, device=torch.device(\"cuda:0\"))\n",
            "return torch.hann_window(3, device=torch.device(\"cuda\"))\n")) {
      assertEquals(FaultType.UNSUPPORTED, fault(x, "Tensor) -> Tensor", body).type(), body);
    }
    run(x, "Tensor) -> Tensor", "return torch.to(x, dtype=7, layout=0, pin_memory=False)\n");
  }

  @Test
  void aRangeOfTheProfilerChangesNothing() {
    String body =
        """
        _0 = ops.profiler._record_function_enter_new("part", None)
        record = annotate(Optional[__torch__.torch.classes.profiler._RecordFunction], _0)
        if torch.__isnot__(record, None):
          _1 = unchecked_cast(__torch__.torch.classes.profiler._RecordFunction, record)
          _2 = ops.profiler._record_function_exit(_1)
        else:
          pass
        return torch.add(x, 1)
        """;
    assertEquals(4L, run(3L, "int) -> int", body));
  }

  @Test
  void aTensorBecomesTheListThatIsDeclared() {
    DenseTensor x = floats(Shape.of(2, 2), 1, 2, 3, 4);
    String rows = "return annotate(List[List[float]], (x).tolist())\n";
    assertEquals(
        List.of(List.of(1.0, 2.0), List.of(3.0, 4.0)),
        run(x, "Tensor) -> List[List[float]]", rows));
    String flat = "return annotate(List[float], (x).tolist())\n";
    Fault fault = fault(x, "Tensor) -> List[float]", flat);
    assertEquals(FaultType.SHAPE, fault.type());
    String ints = "return annotate(List[List[int]], (x).tolist())\n";
    assertEquals(FaultType.DTYPE, fault(x, "Tensor) -> List[List[int]]", ints).type());
  }

  @Test
  void theLengthOfATensorIsItsFirstSize() {
    assertEquals(
        3L, run(floats(Shape.of(3, 1), 1, 2, 3), "Tensor) -> int", "return torch.len(x)\n"));
    Fault fault = fault(floats(Shape.of(), 1), "Tensor) -> int", "return torch.len(x)\n");
    assertEquals(FaultType.SHAPE, fault.type());
  }

  @Test
  void bothBranchesMayNameAgainWhatWasThereBefore() {
    String known =
        """
        y = torch.add(x, 1)
        z = 7
        if torch.gt(x, 3):
          z = y
        else:
          z = y
        return z
        """;
    assertEquals(3L, run(2L, "int) -> int", known));
    String unknown = known.replace("z = 7\n", "");
    assertEquals(3L, run(2L, "int) -> int", unknown));
  }

  @Test
  void aTensorThatIsTurnedInPlaceIsTurnedUnderItsName() {
    DenseTensor x = floats(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    String body =
        """
        y = torch.clone(x)
        z = torch.transpose_(y, 0, 1)
        w = torch.unsqueeze_(z, 0)
        return (torch.size(y), torch.size(w), torch.contiguous(y))
        """;
    TupleValue result =
        assertInstanceOf(
            TupleValue.class, run(x, "Tensor) -> Tuple[List[int], List[int], Tensor]", body));
    assertEquals(List.of(1L, 3L, 2L), result.elements().get(1));
    assertEquals(List.of(1L, 3L, 2L), result.elements().get(0));
    float[] turned = HostTensors.toFloats((DenseTensor) result.elements().get(2));
    assertArrayEquals(new float[] {1, 4, 2, 5, 3, 6}, turned);
  }

  @Test
  void aTensorIsSeenOtherwiseAndDetachedInPlace() {
    DenseTensor x = floats(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    String body =
        """
        y = torch.clone(x)
        z = torch.as_strided_(y, [2, 2], [1, 3], 1)
        w = torch.detach_(y)
        u = torch.add_(w, 1)
        return torch.contiguous(y)
        """;
    DenseTensor seen = assertInstanceOf(DenseTensor.class, run(x, "Tensor) -> Tensor", body));
    assertEquals(Shape.of(2, 2), seen.shape());
    assertArrayEquals(new float[] {3, 6, 4, 7}, HostTensors.toFloats(seen));
  }

  @Test
  void aTensorIsGivenAnotherShapeWithinItsMemory() {
    String body =
        """
        y = torch.clone(x)
        z = torch.resize_(torch.t_(y), [2, 2])
        w = torch.add_(z, 1)
        u = torch.resize_(y, [3, 2])
        v = torch.resize_as_(torch.empty([0]), u)
        return torch.copy_(v, y)
        """;
    DenseTensor x = floats(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    DenseTensor seen = assertInstanceOf(DenseTensor.class, run(x, "Tensor) -> Tensor", body));
    assertEquals(Shape.of(3, 2), seen.shape());
    assertArrayEquals(new float[] {2, 3, 4, 5, 5, 6}, HostTensors.toFloats(seen));
    Fault fault = fault(x, "Tensor) -> Tensor", "return torch.resize_(x, [7])\n");
    assertEquals(
        "resize_ to [7] needs 7 elements, but the tensor's memory holds 6; make a new tensor",
        fault.message());
    fault(x, "Tensor) -> Tensor", "return torch.resize_(x, [-1])\n");
  }

  @Test
  void aTensorThatOthersHoldIsNotTurnedInPlace() {
    String kept = "l = [x]\ny = torch.t_(x)\nreturn l[0]\n";
    String listed = "y = torch.clone(x)\nl = [y]\nz = torch.t_(y)\nreturn l[0]\n";
    String looped = "y = torch.clone(x)\nfor i in range(3):\n  z = torch.t_(y)\nreturn y\n";
    String same = "y = torch.cpu(torch.real(x))\nz = torch.t_(y)\nreturn x\n";
    DenseTensor x = floats(Shape.of(1, 2), 1, 2);
    for (String body : List.of(kept, listed, looped, same)) {
      Fault fault = fault(x, "Tensor) -> Tensor", body);
      assertEquals(FaultType.UNSUPPORTED, fault.type());
      assertTrue(fault.message().startsWith("aten::t_ changes a tensor"), fault.message());
      assertTrue(String.valueOf(fault.source().text()).contains("torch.t_("), fault::toString);
    }
  }

  @Test
  void anArgumentThatOnlyThisMethodHoldsIsTurned() {
    DenseTensor x = floats(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    String body = "y = torch.unsqueeze_(x, 0)\nreturn torch.size(x)\n";
    assertEquals(List.of(1L, 2L, 3L), run(x, "Tensor) -> List[int]", body));
    assertEquals(Shape.of(2, 3), x.shape());
  }

  @Test
  void anArgumentOfAMethodThatOthersCallIsNotTurned() {
    String code =
        HEAD
            + """
            Tensor) -> Tensor:
                y = torch.t_(x)
                return y
              def outer(self: __torch__.M,
                x: Tensor) -> Tensor:
                y = (self).forward(x, )
                return x
            """;
    Fault fault = assertInstanceOf(Fault.class, runCode(floats(Shape.of(1, 2), 1, 2), code));
    assertTrue(fault.message().startsWith("aten::t_ changes a tensor"), fault.message());
  }

  @Test
  void aTensorIsTurnedInABranch() {
    String body =
        """
        x0 = torch.clone(x)
        if torch.eq(torch.dim(x0), 2):
          y = torch.t_(x0)
        else:
          y = torch.neg(x0)
        return torch.contiguous(x0)
        """;
    for (String each :
        List.of(body, body.replace("x0 = torch.clone(x)\n", "").replace("x0", "x"))) {
      DenseTensor plane = floats(Shape.of(2, 2), 1, 2, 3, 4);
      Object result = run(plane, "Tensor) -> Tensor", each);
      DenseTensor turned = assertInstanceOf(DenseTensor.class, result, each);
      assertArrayEquals(new float[] {1, 3, 2, 4}, HostTensors.toFloats(turned), each);
    }
  }

  @Test
  void aTensorThatWouldBeTurnedElsewhereStopsNothing() {
    String body =
        """
        l = [x]
        if torch.eq(torch.dim(x), 2):
          y = torch.t_(x)
        else:
          y = torch.neg(x)
        return y
        """;
    DenseTensor line = floats(Shape.of(2), 1, 2);
    DenseTensor result = assertInstanceOf(DenseTensor.class, run(line, "Tensor) -> Tensor", body));
    assertArrayEquals(new float[] {-1, -2}, HostTensors.toFloats(result));
    Fault fault = fault(floats(Shape.of(1, 2), 1, 2), "Tensor) -> Tensor", body);
    assertEquals(FaultType.UNSUPPORTED, fault.type());
  }

  @Test
  void anOptionalFitsAUnionOfItsElementAndNone() {
    String signature = "Optional[int]) -> Union[List[int], int, NoneType]";
    assertEquals(3L, run(3L, signature, "return x\n"));
    assertEquals(None.NONE, run(None.NONE, signature, "return x\n"));

    String narrower = "Optional[int]) -> Union[List[int], int]";
    assertThrows(StaunchException.class, () -> run(3L, narrower, "return x\n"));
  }
}
