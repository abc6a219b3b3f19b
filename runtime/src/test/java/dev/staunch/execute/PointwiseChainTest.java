package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Value;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Consecutive pointwise operations process rows of one shape together. */
class PointwiseChainTest extends SmallProgram {

  private Plan plan(Value... results) {
    return plan(StandardOperations.plainKernels(), List.of(x, y), results);
  }

  /** The end of an LSTM's step: two results, and an operand that is read late. */
  private Plan cell() {
    Value kept = call("aten::mul.Tensor", call("aten::sigmoid", x), y);
    Value added = call("aten::mul.Tensor", call("aten::sigmoid", y), call("aten::tanh", x));
    Value cell = call("aten::add.Tensor", kept, added, integer(1));
    Value output = call("aten::mul.Tensor", call("aten::sigmoid", x), call("aten::tanh", cell));
    return plan(output, cell);
  }

  private void assertSame(Plan plan, DenseTensor first, DenseTensor second) {
    List<Object> written = asWritten(plan, first, second);
    List<Object> joined = run(plan, o -> o, first, second);
    for (int i = 0; i < written.size(); i++) {
      assertArrayEquals((float[]) written.get(i), (float[]) joined.get(i));
    }
  }

  /** How many tensors {@code plan} makes for these operands. */
  private long made(Plan plan, UnaryOperator<RunOptions> how, DenseTensor a, DenseTensor b) {
    long before = memory.metrics().creations();
    run(plan, how, a, b);
    return memory.metrics().creations() - before;
  }

  @Test
  void resultsAreThoseOfTheOperationsToTheBit() {
    Plan plan = cell();
    for (int columns : new int[] {1, 5, 63, 64, 300}) {
      assertSame(plan, filled(DType.FLOAT32, 3, columns), filled(DType.FLOAT32, 3, columns));
    }
  }

  @Test
  void whatIsInBetweenBecomesNoTensor() {
    DenseTensor a = filled(DType.FLOAT32, 2, 40);
    DenseTensor b = filled(DType.FLOAT32, 2, 40);
    Plan plan = cell();
    int viewed = 2; // the arguments
    assertEquals(viewed + 2, made(plan, o -> o, a, b));
    assertEquals(viewed + 5, made(plan, o -> o.withOperationsAsWritten(true), a, b));
  }

  @Test
  void rowsThatRepeatAreCombinedWithEachRow() {
    Value scaled = call("aten::mul.Tensor", call("aten::tanh", x), y);
    Plan plan = plan(call("aten::tanh", call("aten::add.Tensor", scaled, y, integer(1))));
    for (int columns : new int[] {2, 7, 64, 1500}) {
      assertSame(plan, filled(DType.FLOAT32, 3, 2, columns), filled(DType.FLOAT32, columns));
      assertSame(plan, filled(DType.FLOAT32, 3, 2, columns), filled(DType.FLOAT32, 2, columns));
    }
  }

  @Test
  void operandsThatRepeatOtherwiseAreCombinedOneByOne() {
    assertSame(cell(), filled(DType.FLOAT32, 4, 6), filled(DType.FLOAT32, 6));
    assertSame(cell(), filled(DType.FLOAT32, 6), filled(DType.FLOAT32, 4, 6));
    assertSame(cell(), filled(DType.FLOAT32, 4, 6), filled(DType.FLOAT32, 4, 1));
    assertSame(cell(), filled(DType.FLOAT32, 4, 6), filled(DType.FLOAT32, 1));
  }

  @Test
  void soAreThoseWithGapsAndThoseOfOtherDtypes() {
    DenseTensor square = filled(DType.FLOAT32, 6, 6);
    DenseTensor turned =
        (DenseTensor) square.view(caller, new Layout(square.shape(), new long[] {1, 6}, 0));
    assertSame(cell(), filled(DType.FLOAT32, 6, 6), turned);
    assertSame(cell(), filled(DType.INT64, 6, 6), square);
  }

  @Test
  void aFormThatChangesIsPreparedAnew() {
    Plan plan = cell();
    DenseTensor numbers = filled(DType.INT64, 4, 4);
    DenseTensor reals = filled(DType.FLOAT32, 4, 4);
    assertSame(plan, reals, reals);
    assertSame(plan, numbers, reals);
    assertSame(plan, reals, reals);
    assertSame(plan, filled(DType.FLOAT32, 70), filled(DType.FLOAT32, 70));
  }

  @Test
  void aNumberThatVariesIsNotRemembered() {
    Value size = new Value("n", Type.Plain.INT);
    operations.add(
        new Operation(Entries.named("aten::size.int"), List.of(x, integer(0)), List.of(size)));
    Plan plan = plan(call("aten::mul.Scalar", call("aten::neg", y), size));
    DenseTensor ones = filled(DType.FLOAT32, 3);
    assertSame(plan, filled(DType.FLOAT32, 2), ones);
    assertSame(plan, filled(DType.FLOAT32, 5), ones);
  }

  @Test
  void aFaultIsThatOfTheOperationAsItIsWritten() {
    Plan plan = cell();
    DenseTensor a = filled(DType.FLOAT32, 2, 3);
    DenseTensor b = filled(DType.FLOAT32, 2, 4);
    Fault joined = assertInstanceOf(Fault.class, run(plan, o -> o, a, b).getFirst());
    Fault written = assertInstanceOf(Fault.class, asWritten(plan, a, b).getFirst());
    assertEquals("aten::mul.Tensor", joined.operation());
    assertEquals(written.toString(), joined.toString());
    assertEquals(written.operands(), joined.operands());
  }

  @Test
  void whoWatchesSeesEachOperation() {
    Plan plan = plan(call("aten::tanh", call("aten::neg", x)));
    List<String> seen = new ArrayList<>();
    DenseTensor a = filled(DType.FLOAT32, 9);
    run(
        plan,
        options ->
            options.withInterceptor((operation, arguments, source) -> {
              seen.add(operation);
              return null;
            }),
        a,
        a);
    assertEquals(List.of("aten::neg", "aten::tanh"), seen);
  }

  @Test
  void withoutMemoryTheFaultIsTheOperationsOwn() {
    Plan plan = cell();
    DenseTensor a = filled(DType.FLOAT32, 8, 1024);
    long free = memory.account().budgetBytes() - memory.account().bytes();
    DenseTensor most = filled(DType.FLOAT32, (free - 10_000) / Float.BYTES);
    Fault fault = assertInstanceOf(Fault.class, run(plan, o -> o, a, a).getFirst());
    assertEquals("aten::sigmoid", fault.operation());
    most.close();
  }

  @Test
  void thePlanTellsWhatIsJoined() {
    assertEquals(
        List.of(PlannedOperation.Evaluation.FUSED, PlannedOperation.Evaluation.FUSED),
        plan(call("aten::tanh", call("aten::neg", x))).operations("run").stream()
            .map(PlannedOperation::evaluation)
            .toList());
  }

  @Test
  void anInputsNameIsFoundThroughAChain() {
    Value turned = call("aten::neg", call("aten::mul.Scalar", x, integer(2)));
    Plan plan = plan(call("aten::matmul", turned, y));
    UnaryOperator<RunOptions> named = o -> o.withArgumentNames(List.of("image", "other"));
    DenseTensor a = filled(DType.FLOAT32, 2, 3);
    Fault joined =
        assertInstanceOf(Fault.class, run(plan, named, a, filled(DType.FLOAT32)).getFirst());
    Fault written =
        assertInstanceOf(
            Fault.class,
            run(plan, o -> named.apply(o).withOperationsAsWritten(true), a, filled(DType.FLOAT32))
                .getFirst());
    assertEquals(written.input(), joined.input());
  }

  @Test
  void aLoopThatTheKernelSetGetsLaterIsUsedFromThenOn() {
    Improving kernels = new Improving();
    Plan plan = plan(kernels, List.of(x), call("aten::tanh", call("aten::neg", x)));
    DenseTensor a = filled(DType.FLOAT32, 9, 9);
    run(plan, o -> o, a);
    assertEquals(0, kernels.runs);
    kernels.improve();
    run(plan, o -> o, a);
    assertTrue(kernels.runs > 0);
  }
}
