package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.PlannedOperation.Evaluation;
import dev.staunch.fault.Fault;
import dev.staunch.ir.Attribute;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The kernel that computes a product applies pointwise operations to the product's blocks. */
class FinishedTest extends SmallProgram {
  private final Value z = new Value("z", Type.Plain.TENSOR);

  /** For each product of the last run, whether it was given an epilogue. */
  private final List<Boolean> finished = new ArrayList<>();

  private Plan plan(Value... results) {
    return plan(new Noting(), List.of(x, y, z), results);
  }

  /** The plain kernels, whose products record whether they are given an epilogue. */
  private final class Noting extends LayeredKernelSet {
    Noting() {
      super("noting", StandardOperations.plainKernels());
    }

    @Override
    public MatrixProduct matrixProduct(MatrixProduct.Request request) {
      MatrixProduct plain = super.matrixProduct(request);
      return (context, a, b, addend, c, epilogue) -> {
        finished.add(epilogue != null);
        return plain.run(context, a, b, addend, c, epilogue);
      };
    }
  }

  private DenseTensor rows(long... sizes) {
    return filled(DType.FLOAT32, sizes);
  }

  @Override
  List<Object> run(Plan plan, UnaryOperator<RunOptions> how, DenseTensor... given) {
    finished.clear();
    return super.run(plan, how, given);
  }

  /** Runs the plan both ways; returns, for each product, whether it finished its result. */
  private List<Boolean> assertSame(Plan plan, DenseTensor... given) {
    List<Object> written = asWritten(plan, given);
    List<Object> near = run(plan, options -> options, given);
    for (int i = 0; i < written.size(); i++) {
      assertArrayEquals((float[]) written.get(i), (float[]) near.get(i));
    }
    return List.copyOf(finished);
  }

  private Value product() {
    return call("aten::matmul", x, y);
  }

  /** {@code relu(x @ y + z)}, as in residual networks. */
  private Plan block() {
    return plan(call("aten::relu_", call("aten::add_.Tensor", product(), z, integer(1))));
  }

  @Test
  void resultsAreThoseOfTheOperationsToTheBit() {
    Plan plan = block();
    for (int columns : new int[] {1, 5, 63, 64, 200}) {
      assertEquals(List.of(true), assertSame(plan, rows(3, 7), rows(7, columns), rows(3, columns)));
    }
    assertEquals(List.of(true), assertSame(plan, rows(2, 3, 4), rows(4, 5), rows(2, 3, 5)));
    assertEquals(List.of(false), assertSame(plan, rows(0, 3), rows(3, 4), rows(0, 4)));
  }

  @Test
  void theOtherOperandMayComeFirst() {
    Value difference = call("aten::sub.Tensor", z, product(), integer(1));
    Plan plan = plan(call("aten::tanh", call("aten::mul.Tensor", difference, x)));
    assertEquals(List.of(true), assertSame(plan, rows(6, 6), rows(6, 6), rows(6, 6)));
  }

  @Test
  void whatWouldBeOverwrittenAndNobodyReadsIsLeftAlone() {
    Value other = call("aten::tanh", z);
    Plan plan = plan(call("aten::add_.Tensor", other, product(), integer(1)));
    assertEquals(List.of(true), assertSame(plan, rows(4, 4), rows(4, 4), rows(4, 4)));
  }

  @Test
  void whatSomebodyReadsByAnotherNameIsOverwritten() {
    Value other = call("aten::tanh", z);
    Value seen = call("aten::view", other, sizes(16));
    Value sum = call("aten::add_.Tensor", other, product(), integer(1));
    Plan plan = plan(sum, seen);
    assertEquals(List.of(false), assertSame(plan, rows(4, 4), rows(4, 4), rows(4, 4)));
  }

  private Value sizes(long size) {
    Value list = new Value("sizes", new Type.ListOf(Type.Plain.INT));
    Value only = integer(size);
    operations.add(new Operation(Structure.Plain.LIST_CONSTRUCT, List.of(only), List.of(list)));
    return list;
  }

  @Test
  void aResultThatIsReadLaterStaysAsItIs() {
    Value product = product();
    Plan plan = plan(call("aten::relu", product), product);
    assertEquals(List.of(false), assertSame(plan, rows(4, 4), rows(4, 4), rows(4, 4)));
  }

  @Test
  void aResultThatIsCombinedWithItselfStaysAsItIs() {
    Value product = product();
    Plan plan = plan(call("aten::mul.Tensor", product, product));
    assertEquals(List.of(false), assertSame(plan, rows(4, 4), rows(4, 4), rows(4, 4)));
  }

  @Test
  void operandsThatLieOtherwiseAreCombinedAfterwards() {
    Plan plan = block();
    DenseTensor square = rows(6, 6);
    DenseTensor turned =
        (DenseTensor) square.view(caller, new Layout(square.shape(), new long[] {1, 6}, 0));
    assertEquals(List.of(false), assertSame(plan, rows(6, 6), rows(6, 6), turned));
    assertEquals(List.of(false), assertSame(plan, rows(6, 6), rows(6, 6), rows(6)));
    assertEquals(List.of(false), assertSame(plan, rows(6, 6), rows(6, 6), rows(1, 6)));
    DenseTensor numbers = filled(DType.INT64, 6, 6);
    assertEquals(List.of(false), assertSame(plan, rows(6, 6), rows(6, 6), numbers));
    assertEquals(List.of(true), assertSame(plan, rows(6, 6), rows(6, 6), square));
    DenseTensor large = rows(7, 6);
    Layout below = new Layout(square.shape(), new long[] {6, 1}, 6);
    DenseTensor part = (DenseTensor) large.view(caller, below);
    assertEquals(List.of(true), assertSame(plan, rows(6, 6), rows(6, 6), part));
  }

  @Test
  void aNumberThatVariesIsNotRemembered() {
    Value size = new Value("n", Type.Plain.INT);
    operations.add(
        new Operation(Entries.named("aten::size.int"), List.of(x, integer(0)), List.of(size)));
    Plan plan = plan(call("aten::mul.Scalar", product(), size));
    assertEquals(List.of(true), assertSame(plan, rows(2, 3), rows(3, 4), rows(1)));
    assertEquals(List.of(true), assertSame(plan, rows(5, 3), rows(3, 4), rows(1)));
  }

  @Test
  void convolutionsAndLayersFinishTheirResults() {
    Value layer = call("aten::sigmoid", call("aten::linear", x, y, none()));
    Plan plan = plan(layer);
    assertEquals(List.of(true), assertSame(plan, rows(5, 3), rows(4, 3), rows(1)));
    assertEquals(Evaluation.EPILOGUE, plan.operations("run").getLast().evaluation());
  }

  private Value none() {
    return constant(new Attribute.None(), Type.Plain.NONE);
  }

  @Test
  void aFaultIsThatOfTheOperationAsItIsWritten() {
    Plan plan = block();
    DenseTensor[] given = {rows(2, 3), rows(3, 4), rows(2, 5)};
    Fault near = assertInstanceOf(Fault.class, run(plan, o -> o, given).getFirst());
    Fault written = assertInstanceOf(Fault.class, asWritten(plan, given).getFirst());
    assertEquals("aten::add_.Tensor", near.operation());
    assertEquals(written.toString(), near.toString());
    assertEquals(written.operands(), near.operands());
    DenseTensor[] unfit = {rows(2, 3), rows(4, 4), rows(2, 4)};
    Fault first = assertInstanceOf(Fault.class, run(plan, o -> o, unfit).getFirst());
    assertEquals(
        assertInstanceOf(Fault.class, asWritten(plan, unfit).getFirst()).toString(),
        first.toString());
  }

  @Test
  void whoWatchesSeesEachOperation() {
    Plan plan = plan(call("aten::relu", product()));
    List<String> seen = new ArrayList<>();
    UnaryOperator<RunOptions> watched =
        options ->
            options.withInterceptor((operation, arguments, source) -> {
              seen.add(operation);
              return null;
            });
    run(plan, watched, rows(2, 2), rows(2, 2), rows(1));
    assertEquals(List.of("aten::matmul", "aten::relu"), seen);
    assertEquals(List.of(false), finished);
  }

  @Test
  void withoutMemoryTheFaultIsTheOperationsOwn() {
    Plan plan = block();
    DenseTensor[] given = {rows(200, 2), rows(2, 100), rows(200, 100)};
    long free = memory.account().budgetBytes() - memory.account().bytes();
    DenseTensor most = rows((free - 10_000) / Float.BYTES);
    Fault fault = assertInstanceOf(Fault.class, run(plan, o -> o, given).getFirst());
    assertEquals("aten::matmul", fault.operation());
    most.close();
  }

  @Test
  void nothingIsTakenForWhatIsFinished() {
    Plan plan = block();
    DenseTensor[] given = {rows(3, 4), rows(4, 5), rows(3, 5)};
    long before = memory.metrics().creations();
    run(plan, o -> o, given);
    int viewed = 3; // the arguments
    assertEquals(viewed + 1, memory.metrics().creations() - before);
  }

  @Test
  void thePlanTellsWhatIsFinished() {
    assertEquals(
        List.of(Evaluation.EACH_TIME, Evaluation.EPILOGUE, Evaluation.EPILOGUE),
        block().operations("run").stream().map(PlannedOperation::evaluation).toList());
  }

  @Test
  void anInputsNameIsFoundThroughWhatIsFinished() {
    Plan plan = plan(call("aten::matmul", call("aten::neg", product()), z));
    UnaryOperator<RunOptions> named = o -> o.withArgumentNames(List.of("image", "other", "last"));
    DenseTensor[] given = {rows(2, 3), rows(3, 4), filled(DType.FLOAT32)};
    Fault near = assertInstanceOf(Fault.class, run(plan, named, given).getFirst());
    Fault written =
        assertInstanceOf(
            Fault.class,
            run(plan, o -> named.apply(o).withOperationsAsWritten(true), given).getFirst());
    assertEquals(written.input(), near.input());
  }

  @Test
  void aLoopThatTheKernelSetGetsLaterIsUsedFromThenOn() {
    Improving kernels = new Improving();
    Plan plan = plan(kernels, List.of(x), call("aten::tanh", call("aten::matmul", x, x)));
    DenseTensor a = filled(DType.FLOAT32, 9, 9);
    run(plan, o -> o, a);
    assertEquals(0, kernels.runs);
    kernels.improve();
    run(plan, o -> o, a);
    assertTrue(kernels.runs > 0);
  }
}
