package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What scripts make of lists, texts and seeds, with the results of libtorch 1.13. */
class ScriptListsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingLeaks() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Object run(Object argument, String signature, String body) {
    String code =
        "class M(Module):\n  __parameters__ = []\n  def forward(self: __torch__.M,\n    x: "
            + signature
            + ":\n"
            + body.indent(4);
    TorchScriptModule module = TorchScriptModule.load("small", SmallArchive.of(code), scope);
    Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
    List<Object> arguments = List.of(module.root(), argument);
    return plan.run("__torch__.M.forward", arguments, RunOptions.in(scope)).get(0);
  }

  private DenseTensor tensor(Object argument, String signature, String body) {
    return assertInstanceOf(DenseTensor.class, run(argument, signature + " -> Tensor", body));
  }

  private DenseTensor floats(Shape shape, float... values) {
    return assertInstanceOf(DenseTensor.class, HostTensors.floats(scope, shape, values));
  }

  private static List<Object> list(Object... elements) {
    return new ArrayList<>(Arrays.asList(elements));
  }

  @Test
  void aTensorOfAnEmptyListHasTheDtypeThatTheListsTypeNames() {
    String made = "return torch.tensor(x)\n";
    assertEquals(DType.INT64, tensor(list(), "List[int])", made).dtype());
    assertEquals(DType.BOOL, tensor(list(), "List[bool])", made).dtype());
    assertEquals(DType.FLOAT32, tensor(list(), "List[float])", made).dtype());
    DenseTensor nested = tensor(list(list(), list()), "List[List[int]])", made);
    assertEquals(DType.INT64, nested.dtype());
    assertEquals(Shape.of(2, 0), nested.shape());
    assertEquals(DType.INT64, tensor(list(), "List[int])", "return torch.as_tensor(x)\n").dtype());
    String asked = "return torch.tensor(x, dtype=7)\n";
    assertEquals(DType.FLOAT64, tensor(list(), "List[int])", asked).dtype());
  }

  @Test
  void realsBecomeTensorsByWayOfSinglePrecision() {
    String doubles = "return torch.tensor(x, dtype=7)\n";
    assertArrayEquals(
        new double[] {0.1f, Double.POSITIVE_INFINITY},
        HostTensors.toDoubles(tensor(list(0.1, 1e300), "List[float])", doubles)));
    assertArrayEquals(new double[] {0.1f}, HostTensors.toDoubles(tensor(0.1, "float)", doubles)));
    String integers = "return torch.as_tensor(x, dtype=4)\n";
    assertArrayEquals(
        new double[] {16777216},
        HostTensors.toDoubles(tensor(list(16777217.0), "List[float])", integers)));
    assertArrayEquals(
        new double[] {16777217},
        HostTensors.toDoubles(tensor(list(16777217L), "List[int])", doubles)));
  }

  @Test
  void tuplesAreSortedByTheFirstElementsThatDiffer() {
    List<Object> tuples =
        list(TupleValue.of(0.0, "b"), TupleValue.of(-0.0, "a"), TupleValue.of(-1.0, "z"));
    String type = "List[Tuple[float, str]]";
    Object sorted = run(tuples, type + ") -> " + type, "return torch.sorted(x)\n");
    List<Object> expected =
        List.of(TupleValue.of(-1.0, "z"), TupleValue.of(-0.0, "a"), TupleValue.of(0.0, "b"));
    assertEquals(expected, sorted);

    List<Object> pairs = list(TupleValue.of(true, 2L), TupleValue.of(false, 3L));
    pairs.add(TupleValue.of(true, 1L));
    type = "List[Tuple[bool, int]]";
    String body = "_0 = torch.sort(x, True)\nreturn x\n";
    expected = List.of(TupleValue.of(true, 2L), TupleValue.of(true, 1L), TupleValue.of(false, 3L));
    assertEquals(expected, run(pairs, type + ") -> " + type, body));
  }

  @Test
  void tensorsAreSortedByTheirOnlyElement() {
    DenseTensor two = floats(Shape.SCALAR, 2);
    DenseTensor half = floats(Shape.of(1, 1), 0.5f);
    String signature = "List[Tensor]) -> List[Tensor]";
    String body = "_0 = torch.sort(x)\nreturn x\n";
    List<?> sorted = assertInstanceOf(List.class, run(list(two, half), signature, body));
    assertEquals(Shape.of(1, 1), ((DenseTensor) sorted.get(0)).shape());

    List<Object> longer = list(two, floats(Shape.of(2), 1, 0));
    Fault fault = assertInstanceOf(Fault.class, run(longer, signature, body));
    assertEquals(FaultType.VALUE, fault.type());
    assertEquals(
        "a tensor of 2 elements is not one number; take one element, as `x[0]` does",
        fault.message());
  }

  @Test
  void aListOfListsHasNoOrder() {
    String type = "List[Tuple[List[int], int]]";
    List<Object> tuples = list(TupleValue.of(list(1L), 2L), TupleValue.of(list(0L), 1L));
    Object sorted = run(tuples, type + ") -> " + type, "return torch.sorted(x)\n");
    assertEquals(FaultType.UNSUPPORTED, assertInstanceOf(Fault.class, sorted).type());
  }

  @Test
  void aPercentSignRoundsNumbersToSinglePrecision() {
    String body = "return torch.percentFormat(\"%f %e %s\", (x, x, x))\n";
    assertEquals(
        "123456792.000000 1.234568e+08 123456789.123", run(123456789.123, "float) -> str", body));
    assertEquals("inf inf 1.0000000000000001e+300", run(1e300, "float) -> str", body));
    body = "return torch.percentFormat(\"%f %d\", (x, x))\n";
    assertEquals("16777216.000000 16777217", run(16777217L, "int) -> str", body));
  }

  @Test
  void aScriptThatSeedsDrawsTheSameNumbersAgain() {
    String draw = "torch.rand([3], dtype=None, layout=None, device=None, pin_memory=None)\n";
    String seed = "_0 = torch.manual_seed(x)\n";
    String body = seed + "a = " + draw + "b = " + draw + seed + "c = " + draw;
    Object drawn = run(7L, "int) -> Tuple[Tensor, Tensor, Tensor]", body + "return (a, b, c)\n");
    List<Object> tensors = assertInstanceOf(TupleValue.class, drawn).elements();
    List<List<Float>> numbers = tensors.stream().map(each -> numbers((DenseTensor) each)).toList();
    assertEquals(numbers.get(0), numbers.get(2));
    assertNotEquals(numbers.get(0), numbers.get(1));
    Object other = run(8L, "int) -> Tensor", seed + "return " + draw);
    assertNotEquals(numbers.get(0), numbers(assertInstanceOf(DenseTensor.class, other)));
  }

  private static List<Float> numbers(DenseTensor tensor) {
    List<Float> numbers = new ArrayList<>();
    for (double number : HostTensors.toDoubles(tensor)) {
      numbers.add((float) number);
    }
    return numbers;
  }
}
