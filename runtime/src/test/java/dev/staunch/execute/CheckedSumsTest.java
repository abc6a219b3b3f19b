package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.ir.Attribute;
import dev.staunch.ir.Block;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Scaling is folded past operations that only look at the shape of the sums. */
class CheckedSumsTest extends ScalingProgram {
  private Value constant(long value) {
    return constant(new Attribute.Int(value, Type.Plain.INT), Type.Plain.INT);
  }

  private Value none() {
    return constant(new Attribute.None(), new Type.Optional(Type.Plain.INT));
  }

  private Value list(Value... tensors) {
    return emit(Structure.Plain.LIST_CONSTRUCT, new Type.ListOf(Type.Plain.TENSOR), tensors);
  }

  private Value sums() {
    return call("aten::linear", x, parameter("weight"), parameter("bias"));
  }

  /** {@code if dim(sums) == rank: raise}, as PyTorch's layers check what they are given. */
  private void raiseFor(Value sums, long rank) {
    Value seen = emit(Entries.named("aten::dim"), Type.Plain.INT, sums);
    Value equal = emit(Entries.named("aten::eq.int"), Type.Plain.BOOL, seen, constant(rank));
    Value text = new Value("text", Type.Plain.STRING);
    Value none = new Value("none", new Type.Optional(Type.Plain.STRING));
    List<Operation> raise =
        List.of(
            new Operation(
                new Structure.Constant(new Attribute.Text("not of this rank")),
                List.of(),
                List.of(text)),
            new Operation(new Structure.Constant(new Attribute.None()), List.of(), List.of(none)),
            new Operation(Entries.named("prim::RaiseException"), List.of(text, none), List.of()));
    branch(equal, raise);
  }

  private void branch(Value condition, List<Operation> taken) {
    Block yes = new Block(List.of(), taken, List.of());
    Block no = new Block(List.of(), List.of(), List.of());
    operations.add(
        new Operation(Structure.Plain.IF, List.of(condition), List.of(), List.of(yes, no), null));
  }

  /** Negates {@code handed} in a branch, where it has another name. */
  private void negateIf(Value condition, Value handed) {
    Value inside = new Value("inside", Type.Plain.TENSOR);
    Value other = new Value("other", Type.Plain.TENSOR);
    Value read = new Value("read", Type.Plain.TENSOR);
    Operation negate = new Operation(Entries.named("aten::neg"), List.of(inside), List.of(read));
    Block yes = new Block(List.of(inside), List.of(negate), List.of());
    Block no = new Block(List.of(other), List.of(), List.of());
    operations.add(
        new Operation(
            Structure.Plain.IF, List.of(condition, handed), List.of(), List.of(yes, no), null));
  }

  private Plan checkedLayer(long refused) {
    setParameters(OUT, IN);
    Value sums = sums();
    raiseFor(sums, refused);
    return plan(normalized(sums));
  }

  private static void assertApart(Plan plan) {
    assertEquals(
        PlannedOperation.Evaluation.EACH_TIME, plan.operations("M.run").getLast().evaluation());
  }

  @Test
  void aCheckOfTheirShapeMayStandBetweenThem() {
    Plan plan = checkedLayer(4);
    assertSame(plan, 5, IN);
    assertEquals(1, scaled, "as it is written");
    assertSame(plan, 1e-5f, 2, IN);
    assertEquals(2, scaled);
    assertEquals(
        PlannedOperation.Evaluation.FOLDED, plan.operations("M.run").getLast().evaluation());
  }

  @Test
  void theyAreTheSameAsWithoutTheCheck() {
    Plan checked = checkedLayer(4);
    random.setSeed(9);
    Object one = run(checked, options -> options, 5, IN).getFirst();
    operations.clear();
    Plan unchecked = plan(normalized(sums()));
    random.setSeed(9);
    Object other = run(unchecked, options -> options, 5, IN).getFirst();
    assertArrayEquals((float[]) one, (float[]) other, 0);
    assertEquals(0, scaled);
  }

  @Test
  void whatTheCheckRaisesIsTheResult() {
    Plan plan = checkedLayer(2);
    for (boolean written : new boolean[] {false, true}) {
      Object raised = run(plan, o -> o.withOperationsAsWritten(written), 5, IN).getFirst();
      assertEquals("not of this rank", assertInstanceOf(Fault.class, raised).message());
    }
    assertEquals(0, scaled);
  }

  @Test
  void aFaultOfTheSumsIsTheirOwn() {
    Plan plan = checkedLayer(4);
    Fault fault = assertInstanceOf(Fault.class, run(plan, o -> o, 5, IN + 1).getFirst());
    Fault written =
        assertInstanceOf(
            Fault.class, run(plan, o -> o.withOperationsAsWritten(true), 5, IN + 1).getFirst());
    assertEquals("aten::linear", fault.operation());
    assertEquals(written.toString(), fault.toString());
    assertEquals(written.operands(), fault.operands());
  }

  @Test
  void channelsThatLieElsewhereAreScaledAfterTheCheck() {
    Plan plan = checkedLayer(4);
    assertSame(plan, 0f, 2, OUT, IN);
    assertEquals(2, scaled);
  }

  @Test
  void whoWatchesSeesTheCheckBetweenThem() {
    Plan plan = checkedLayer(4);
    List<String> seen = new ArrayList<>();
    run(
        plan,
        options ->
            options.withInterceptor((operation, arguments, source) -> {
              seen.add(operation);
              return null;
            }),
        5,
        IN);
    assertEquals(List.of("aten::linear", "aten::dim", "aten::eq.int", "aten::batch_norm"), seen);
  }

  @Test
  void withGradientsEachRequestScales() {
    run(checkedLayer(4), options -> options.withGradEnabled(true), 5, IN);
    assertEquals(1, scaled);
  }

  @Test
  void whatIsMadeBetweenThemIsThereForWhatFollows() {
    setParameters(OUT, IN);
    Value sums = sums();
    Value factor = emit(Entries.named("aten::dim"), Type.Plain.INT, sums);
    Plan plan = plan(call("aten::mul.Scalar", normalized(sums), factor));
    assertSame(plan, 5, IN);
    assertEquals(1, scaled, "as it is written");
  }

  @Test
  void aViewThatIsMadeBetweenThemShowsWhatIsWrittenLater() {
    setParameters(OUT, IN);
    Value one = constant(1);
    Value other = sums();
    Value sums = sums();
    Value first = call("aten::slice.Tensor", other, constant(0), none(), none(), one);
    Value written = call("aten::add_.Tensor", other, normalized(sums), one);
    assertSame(plan(call("aten::cat", list(first, written), constant(0))), 5, IN);
  }

  @Test
  void whatReadsTheSumsKeepsThemApart() {
    setParameters(OUT, IN);
    Value sums = sums();
    emit(Entries.named("aten::is_nonzero"), Type.Plain.BOOL, call("aten::sum", sums, none()));
    assertApart(plan(normalized(sums)));
  }

  @Test
  void whatReadsTheSumsInABranchKeepsThemApart() {
    setParameters(OUT, IN);
    Value sums = sums();
    Value yes = constant(new Attribute.Bool(true), Type.Plain.BOOL);
    Value flag = emit(Entries.named("aten::__not__"), Type.Plain.BOOL, yes);
    negateIf(flag, sums);
    assertApart(plan(normalized(sums)));
  }

  @Test
  void sumsThatAreReadAfterwardsStayApart() {
    setParameters(OUT, IN);
    Value sums = sums();
    raiseFor(sums, 4);
    Plan plan = plan(call("aten::cat", list(normalized(sums), sums), constant(0)));
    assertApart(plan);
    assertSame(plan, 0f, 5, IN);
  }

  @Test
  void whatWritesBetweenThemKeepsThemApart() {
    setParameters(OUT, IN);
    Value sums = sums();
    call("aten::add_.Tensor", parameter("mean"), parameter("beta"), constant(1));
    Plan plan = plan(normalized(sums));
    assertEquals(
        PlannedOperation.Evaluation.EACH_TIME, plan.operations("M.run").getLast().evaluation());
    run(plan, options -> options, 5, IN);
    assertEquals(1, scaled);
  }

  @Test
  void aParameterThatIsReplacedBetweenThemKeepsThemApart() {
    setParameters(OUT, IN);
    Value sums = sums();
    Value mean = call("aten::neg", parameter("beta"));
    operations.add(
        new Operation(new Structure.SetAttribute("mean"), List.of(self, mean), List.of()));
    Plan plan = plan(normalized(sums));
    run(plan, options -> options, 5, IN);
    assertEquals(1, scaled);
  }

  @Test
  void aFlagThatIsKnownOnlyWhenItRunsKeepsThemApart() {
    setParameters(OUT, IN);
    Value sums = sums();
    Value yes = constant(new Attribute.Bool(true), Type.Plain.BOOL);
    Value flag = emit(Entries.named("aten::__not__"), Type.Plain.BOOL, yes);
    assertApart(plan(normalized(sums, flag)));
  }

  @Test
  void onceAParameterIsWrittenEachRequestScales() {
    setParameters(OUT, IN);
    Value sums = sums();
    raiseFor(sums, 4);
    Value result = normalized(sums);
    call("aten::add_.Tensor", parameter("mean"), parameter("beta"), constant(1));
    Plan plan = plan(result);
    run(plan, options -> options, 5, IN);
    assertEquals(0, scaled);
    assertSame(plan, 1e9f, 5, IN); // each moves the mean
    assertEquals(2, scaled);
  }

  @Test
  void withoutMemoryForTheFoldedSumsTheRequestFails() {
    Plan plan = checkedLayer(4);
    run(plan, options -> options, 1, IN);
    Fault fault = assertInstanceOf(Fault.class, runWith(4 * (IN + OUT) - 1, plan, IN));
    assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
    assertEquals("aten::linear", fault.operation());
  }

  @Test
  void aRequestWithoutMemoryToFoldFails() {
    Plan plan = checkedLayer(4);
    Fault fault = assertInstanceOf(Fault.class, runWith(4 * (IN + OUT * IN + OUT) - 1, plan, IN));
    assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
    assertEquals("aten::batch_norm", fault.operation());
    assertInstanceOf(float[].class, runWith(4 * (IN + OUT * IN + 2 * OUT), plan, IN));
    assertEquals(0, scaled);
  }

  /** A checked layer whose result is as wide as its rows. */
  private Value layer(Value rows) {
    Value sums = call("aten::linear", rows, parameter("weight"), parameter("bias"));
    raiseFor(sums, 4);
    return normalized(sums);
  }

  private static List<PlannedOperation.Evaluation> evaluations(Plan plan, String name) {
    return plan.operations("M.run").stream()
        .filter(operation -> operation.name().startsWith(name))
        .map(PlannedOperation::evaluation)
        .toList();
  }

  /** The results are the same, and so many products were finished where they were computed. */
  private void assertFinished(int count, Plan plan) {
    finished = 0;
    assertSame(plan, 1e-4f, 5, OUT);
    assertEquals(count, finished);
  }

  @Test
  void layersAreFoldedOneAfterTheOther() {
    setParameters(OUT, OUT);
    Plan plan = plan(layer(call("aten::relu_", layer(call("aten::silu_", layer(x))))));
    assertFinished(2, plan);
    assertEquals(3, scaled, "as it is written");
    assertEquals(
        Collections.nCopies(3, PlannedOperation.Evaluation.FOLDED),
        evaluations(plan, "aten::batch_norm"));
    assertEquals(List.of(PlannedOperation.Evaluation.EPILOGUE), evaluations(plan, "aten::silu_"));
  }

  @Test
  void whatFollowsIsDoneToTheSums() {
    setParameters(OUT, OUT);
    Value inner = call("aten::tanh", x);
    Value sum = call("aten::add_.Tensor", layer(inner), inner, constant(1));
    assertFinished(1, plan(call("aten::silu", sum)));
    operations.clear();
    Value difference = call("aten::sub.Tensor", x, layer(x), constant(1));
    assertFinished(1, plan(call("aten::silu_", call("aten::mul.Tensor", difference, x))));
  }

  /** What is added is computed after the sums, but before they are scaled, or after that. */
  @Test
  void whatIsNotThereYetIsAddedLater() {
    setParameters(OUT, OUT);
    Value sums = sums();
    Value other = call("aten::tanh", x);
    raiseFor(sums, 4);
    Value first = call("aten::silu_", normalized(sums));
    assertFinished(1, plan(call("aten::add_.Tensor", first, other, constant(1))));
    operations.clear();
    Value scaledSums = layer(x);
    Value later = call("aten::tanh", x);
    assertFinished(0, plan(call("aten::add_.Tensor", scaledSums, later, constant(1))));
  }

  /** The other branch raises, and what it would return stands for no tensor. */
  @Test
  void sumsOfTheOnlyBranchThatReturnsAreFolded() {
    setParameters(OUT, IN);
    Value never = emit(Structure.Plain.UNINITIALIZED, Type.Plain.TENSOR);
    Value sums = sums();
    Operation linear = operations.removeLast();
    List<Value> operands = new ArrayList<>(linear.operands());
    operands.add(never);
    List<Value> one = handed("one", operands);
    List<Value> other = handed("other", operands);
    List<Value> given = other.subList(0, linear.operands().size());
    List<Value> inside = List.of(new Value("inside", Type.Plain.TENSOR));
    List<Operation> summing = List.of(new Operation(linear.operator(), given, inside));
    List<Block> blocks =
        List.of(
            new Block(one, List.of(), List.of(one.getLast())), new Block(other, summing, inside));
    operands.addFirst(constant(new Attribute.Bool(false), Type.Plain.BOOL));
    operations.add(new Operation(Structure.Plain.IF, operands, List.of(sums), blocks, null));
    Plan plan = plan(normalized(sums));
    assertSame(plan, 5, IN);
    assertEquals(
        List.of(PlannedOperation.Evaluation.FOLDED), evaluations(plan, "aten::batch_norm"));
  }

  /** A block's parameters for these values. */
  private static List<Value> handed(String name, List<Value> values) {
    List<Value> parameters = new ArrayList<>();
    for (Value each : values) {
      parameters.add(new Value(name + parameters.size(), each.type()));
    }
    return parameters;
  }

  @Test
  void scaledSumsThatAreReadElsewhereAreNotFinished() {
    setParameters(OUT, OUT);
    Value scaledSums = layer(x);
    Value active = call("aten::silu", scaledSums);
    assertFinished(0, plan(call("aten::cat", list(active, scaledSums), constant(0))));
  }

  @Test
  void sumsThatAreNotFoldedAreNotFinishedBeforeTheyAreScaled() {
    setParameters(OUT, OUT);
    Value result = call("aten::silu_", layer(x));
    call("aten::add_.Tensor", parameter("mean"), parameter("beta"), constant(1));
    Plan plan = plan(result);
    run(plan, options -> options, 5, OUT);
    assertEquals(1, finished);
    assertInstanceOf(float[].class, run(plan, options -> options, 5, OUT).getFirst());
    assertEquals(1, finished, "once a parameter was written");
    assertEquals(1, scaled);
  }

  @Test
  void aCheckThatRaisesHidesWhatFollows() {
    setParameters(OUT, OUT);
    Value sums = sums();
    raiseFor(sums, 2);
    Plan plan = plan(call("aten::silu_", normalized(sums)));
    Object raised = run(plan, options -> options, 5, OUT).getFirst();
    assertEquals("not of this rank", assertInstanceOf(Fault.class, raised).message());
  }
}
