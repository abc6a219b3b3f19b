package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.execute.PlannedOperation.Evaluation;
import dev.staunch.fault.Fault;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A chain reads the parts of a tensor in place if nothing else reads them. */
class PiecesTest extends SmallProgram {

  private Plan plan(Value... results) {
    return plan(StandardOperations.plainKernels(), List.of(x, y), results);
  }

  /** The parts into which the operation {@code name} splits the first of {@code operands}. */
  private Value[] cut(int count, String name, Value... operands) {
    return unpacked(count, list(name, operands));
  }

  private Value list(String name, Value... operands) {
    Value list = new Value("list", new Type.ListOf(Type.Plain.TENSOR));
    operations.add(new Operation(Entries.named(name), List.of(operands), List.of(list)));
    return list;
  }

  private Value[] unpacked(int count, Value list) {
    Value[] parts = new Value[count];
    for (int i = 0; i < count; i++) {
      parts[i] = new Value("part", Type.Plain.TENSOR);
    }
    operations.add(new Operation(Structure.Plain.LIST_UNPACK, List.of(list), List.of(parts)));
    return parts;
  }

  private Value product(Value one, Value other) {
    return call("aten::mul.Tensor", one, other);
  }

  /** An LSTM's step after its sums; the state is the other argument. */
  private Value[] cell(Value[] gates) {
    Value kept = product(call("aten::sigmoid", gates[1]), y);
    Value added = product(call("aten::sigmoid", gates[0]), call("aten::tanh", gates[2]));
    Value state = call("aten::add.Tensor", kept, added, integer(1));
    return new Value[] {product(call("aten::sigmoid", gates[3]), call("aten::tanh", state)), state};
  }

  private Plan lstm(int dim) {
    return plan(cell(cut(4, "aten::chunk", x, integer(4), integer(dim))));
  }

  private void assertSame(Plan plan, DenseTensor first, DenseTensor second) {
    List<Object> written = asWritten(plan, first, second);
    List<Object> joined = run(plan, o -> o, first, second);
    for (int i = 0; i < written.size(); i++) {
      if (written.get(i) instanceof Fault fault) {
        assertEquals(fault.toString(), joined.get(i).toString());
      } else {
        assertArrayEquals((float[]) written.get(i), (float[]) joined.get(i));
      }
    }
  }

  private long made(Plan plan, UnaryOperator<RunOptions> how, DenseTensor a, DenseTensor b) {
    long before = memory.metrics().creations();
    run(plan, how, a, b);
    return memory.metrics().creations() - before;
  }

  private static List<Evaluation> makings(Plan plan) {
    return plan.operations("run").stream().map(PlannedOperation::evaluation).toList();
  }

  @Test
  void resultsAreThoseOfTheOperationsToTheBit() {
    Plan plan = lstm(1);
    for (int columns : new int[] {1, 5, 16, 63, 300, 1500}) {
      assertSame(plan, filled(DType.FLOAT32, 1, 4L * columns), filled(DType.FLOAT32, 1, columns));
    }
  }

  @Test
  void partsBecomeNoTensors() {
    DenseTensor sums = filled(DType.FLOAT32, 1, 160);
    DenseTensor state = filled(DType.FLOAT32, 1, 40);
    Plan plan = lstm(1);
    int viewed = 2; // the arguments
    assertEquals(viewed + 2, made(plan, o -> o, sums, state));
    long asWritten = made(plan, o -> o.withOperationsAsWritten(true), sums, state);
    assertEquals(viewed + 4 + 5, asWritten);
    assertEquals(Evaluation.FUSED, makings(plan).getFirst());
  }

  @Test
  void partsWithGapsAreViews() {
    Plan plan = lstm(1);
    for (int rows : new int[] {2, 3}) {
      assertSame(plan, filled(DType.FLOAT32, rows, 12), filled(DType.FLOAT32, rows, 3));
    }
    assertSame(plan, filled(DType.FLOAT32, 1, 12), filled(DType.FLOAT32, 1, 3));
  }

  @Test
  void rowsOfAnyDimensionAreParts() {
    Plan plan = lstm(0);
    assertSame(plan, filled(DType.FLOAT32, 8, 5), filled(DType.FLOAT32, 2, 5));
    assertSame(plan, filled(DType.FLOAT32, 4), filled(DType.FLOAT32, 1));
    assertSame(plan, filled(DType.FLOAT32, 4, 3, 2), filled(DType.FLOAT32, 3, 2));
  }

  @Test
  void theTensorMayLieAnywhere() {
    DenseTensor room = filled(DType.FLOAT32, 100);
    Layout inside = new Layout(Shape.of(1, 24), new long[] {24, 1}, 7);
    Layout withGaps = new Layout(Shape.of(1, 24), new long[] {72, 3}, 1);
    Plan plan = lstm(1);
    for (Layout layout : List.of(inside, withGaps, inside)) {
      DenseTensor sums = (DenseTensor) room.view(caller, layout);
      assertSame(plan, sums, filled(DType.FLOAT32, 1, 6));
    }
    DenseTensor numbers = filled(DType.INT64, 1, 24);
    assertSame(plan, numbers, filled(DType.FLOAT32, 1, 6));
  }

  @Test
  void whatOthersReadIsAViewOrTheWhole() {
    Value[] parts = cut(2, "aten::chunk", x, integer(2), integer(1));
    Value first = call("aten::neg", product(parts[0], y));
    Value whole = call("aten::neg", product(x, x));
    Plan plan = plan(first, whole, call("aten::matmul", parts[1], parts[1]));
    assertSame(plan, filled(DType.FLOAT32, 2, 4), filled(DType.FLOAT32, 2, 2));
    assertSame(plan, filled(DType.FLOAT32, 1, 2), filled(DType.FLOAT32, 1, 1));
    assertEquals(Evaluation.EACH_TIME, makings(plan).getFirst());
  }

  @Test
  void theChainMayReadTheWholeAndLeaveAPartUnread() {
    Value[] parts = cut(3, "aten::chunk", x, integer(3), integer(0));
    Value sum = call("aten::add.Tensor", call("aten::tanh", x), parts[1], integer(1));
    Plan plan = plan(product(sum, parts[2]));
    assertSame(plan, filled(DType.FLOAT32, 3, 4), filled(DType.FLOAT32, 1));
    assertEquals(Evaluation.FUSED, makings(plan).getFirst());
  }

  @Test
  void ofTwoListsEachIsUnpackedToItsOwnParts() {
    Value theirs = list("aten::chunk", y, integer(2), integer(0));
    Value ours = list("aten::chunk", x, integer(2), integer(0));
    Value[] parts = unpacked(2, theirs);
    Value first = product(call("aten::sigmoid", parts[0]), call("aten::tanh", parts[1]));
    Value[] later = unpacked(2, ours);
    Plan plan = plan(first, product(product(first, later[0]), later[1]));
    assertSame(plan, filled(DType.FLOAT32, 4, 8), filled(DType.FLOAT32, 4, 8));
  }

  @Test
  void aCountThatDoesNotFitIsAFaultThoughNobodyReadsAPart() {
    cut(3, "aten::chunk", x, integer(2), integer(0));
    Plan plan = plan(call("aten::neg", call("aten::tanh", y)));
    DenseTensor four = filled(DType.FLOAT32, 4);
    assertInstanceOf(Fault.class, run(plan, o -> o, four, four).getFirst());
    assertSame(plan, four, four);
  }

  @Test
  void slicesAndRowsAreParts() {
    for (String name : new String[] {"aten::split.Tensor", "aten::unbind.int"}) {
      operations.clear();
      boolean rows = name.contains("unbind");
      Value[] operands =
          rows ? new Value[] {x, integer(0)} : new Value[] {x, integer(2), integer(0)};
      Value[] parts = cut(2, name, operands);
      Plan plan = plan(product(call("aten::tanh", parts[0]), product(parts[1], y)));
      assertSame(plan, filled(DType.FLOAT32, rows ? 2 : 4, 5), filled(DType.FLOAT32, 5));
      assertSame(plan, filled(DType.FLOAT32, rows ? 2 : 3, 5), filled(DType.FLOAT32, 5));
      assertEquals(Evaluation.FUSED, makings(plan).getFirst());
    }
  }

  @Test
  void faultsAreThoseOfTheStepsAsTheyAreWritten() {
    Plan plan = lstm(1);
    DenseTensor state = filled(DType.FLOAT32, 1, 3);
    for (DenseTensor sums :
        List.of(
            filled(DType.FLOAT32, 1, 3),
            filled(DType.FLOAT32, 12),
            filled(DType.FLOAT32),
            filled(DType.FLOAT32, 1, 20),
            filled(DType.FLOAT32, 1, 0))) {
      assertSame(plan, sums, state);
    }
  }

  @Test
  void aNumberThatVariesCutsNothingAhead() {
    Value size = new Value("n", Type.Plain.INT);
    operations.add(
        new Operation(Entries.named("aten::size.int"), List.of(y, integer(0)), List.of(size)));
    Value[] parts = cut(2, "aten::chunk", x, size, integer(0));
    Plan plan = plan(call("aten::neg", product(parts[0], parts[1])));
    assertSame(plan, filled(DType.FLOAT32, 6), filled(DType.FLOAT32, 2));
    assertSame(plan, filled(DType.FLOAT32, 6), filled(DType.FLOAT32, 3));
  }

  @Test
  void withoutMemoryTheFaultIsTheOperationsOwn() {
    Plan plan = lstm(1);
    DenseTensor sums = filled(DType.FLOAT32, 1, 4 * 4096);
    DenseTensor state = filled(DType.FLOAT32, 1, 4096);
    long free = memory.account().budgetBytes() - memory.account().bytes();
    DenseTensor most = filled(DType.FLOAT32, (free - 10_000) / Float.BYTES);
    Fault fault = assertInstanceOf(Fault.class, run(plan, o -> o, sums, state).getFirst());
    assertEquals("aten::sigmoid", fault.operation());
    most.close();
  }

  @Test
  void anInputsNameIsFoundThroughItsParts() {
    Value[] parts = cut(2, "aten::chunk", x, integer(2), integer(1));
    Value turned = call("aten::neg", call("aten::mul.Scalar", parts[0], integer(2)));
    Plan plan = plan(call("aten::matmul", turned, y));
    UnaryOperator<RunOptions> named = o -> o.withArgumentNames(List.of("image", "other"));
    DenseTensor a = filled(DType.FLOAT32, 1, 6);
    List<String> inputs =
        Stream.of(
                named,
                (UnaryOperator<RunOptions>) o -> named.apply(o).withOperationsAsWritten(true))
            .map(how -> (Fault) run(plan, how, a, filled(DType.FLOAT32)).getFirst())
            .map(fault -> fault.input())
            .toList();
    assertEquals(inputs.getLast(), inputs.getFirst());
  }
}
