package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.ir.Attribute;
import dev.staunch.ir.Block;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Function;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Images are stored channels last where the kernels prefer that and no program can tell. */
class ChannelsLastTest {
  private static final UnaryOperator<RunOptions> USUAL = UnaryOperator.identity();

  private boolean likes = true;
  private final ImageProgram program = new ImageProgram(3, request -> likes);

  @AfterEach
  void everyByteGoesBackWithTheModel() {
    program.close();
  }

  private List<Object> run(Plan plan, UnaryOperator<RunOptions> how) {
    return program.run(plan, how, 9, 2, ImageProgram.CHANNELS, 5, 6);
  }

  /**
   * Asserts which convolutions return channels last, in a method that returns the same as when its
   * operations run as written.
   */
  private void assertGiven(List<Boolean> expected, Value... results) {
    assertGiven(expected, () -> program.plan(results));
  }

  private void assertGiven(List<Boolean> expected, Supplier<Plan> plans) {
    likes = false;
    List<Object> rowMajor = run(plans.get(), USUAL);
    assertTrue(program.given.stream().noneMatch(each -> each));
    likes = true;
    Plan plan = plans.get();
    run(plan, options -> options.withOperationsAsWritten(true));
    assertTrue(program.given.stream().noneMatch(each -> each), "as it is written");
    for (int i = 0; i < 2; i++) {
      assertEquals(rowMajor, run(plan, USUAL));
      assertEquals(expected, program.given);
    }
  }

  /** An image that only a mean reads, apart from what a test adds. */
  private Value image() {
    return program.convolved(program.x);
  }

  private void assertPinned(Value image, Value... seen) {
    List<Value> results = new ArrayList<>(List.of(seen));
    results.add(program.flattened(program.averaged(program.pointwise(image))));
    assertGiven(List.of(false, true), results.toArray(Value[]::new));
  }

  @Test
  void imagesBetweenConvolutionsAndAMeanLieWithTheirChannelsLast() {
    Value last = program.convolved(program.call("relu", image()));
    Value dims = program.integers(2, 3);
    Value dtype = program.constant(new Attribute.None(), Type.Plain.ANY);
    Value mean = program.call("mean.dim", last, dims, program.bool(false), dtype);
    assertGiven(List.of(true, true), mean);
  }

  @Test
  void soTheyDoWithThePlanSayingIt() {
    Plan plan = program.plan(program.averaged(program.normalized(image())));
    List<PlannedOperation> operations = plan.operations("M.run");
    assertEquals(
        List.of(true, true, false),
        operations.stream().map(PlannedOperation::channelsLast).toList());
  }

  @Test
  void aResultIsRowMajor() {
    Value image = image();
    assertPinned(image, image);
  }

  @Test
  void aViewIsOfARowMajorImage() {
    Value image = image();
    assertPinned(image, program.flattened(image));
  }

  @Test
  void aCopyThatKeepsStridesIsOfARowMajorImage() {
    Value image = image();
    Value format = program.constant(new Attribute.None(), Type.Plain.ANY);
    assertPinned(image, program.call("clone", image, format));
  }

  @Test
  void whoeverAsksForStridesSeesThoseOfARowMajorImage() {
    Value image = image();
    Type integers = new Type.ListOf(Type.Plain.INT);
    Value strides = program.emit(Entries.named("aten::stride"), integers, image);
    assertPinned(image, strides);
  }

  @Test
  void whoeverAsksWhetherItIsContiguousHearsThatItIs() {
    Value image = image();
    assertPinned(image, program.emit(Entries.named("aten::is_contiguous"), Type.Plain.BOOL, image));
  }

  @Test
  void sizesMayBeAskedFor() {
    Value image = image();
    Type integers = new Type.ListOf(Type.Plain.INT);
    Value sizes = program.emit(Entries.named("aten::size"), integers, image);
    assertGiven(List.of(true, true), sizes, program.averaged(program.pointwise(image)));
  }

  @Test
  void whatAListHoldsIsRowMajor() {
    Value image = image();
    assertPinned(image, program.list(image));
  }

  @Test
  void whatATupleHoldsIsRowMajor() {
    Value image = image();
    Type tuple = new Type.Tuple(List.of(Type.Plain.TENSOR));
    assertPinned(image, program.emit(Structure.Plain.TUPLE_CONSTRUCT, tuple, image));
  }

  @Test
  void whatAnAttributeHoldsIsRowMajor() {
    Value image = image();
    program.set("kept", image);
    assertPinned(image, program.flattened(program.parameter("kept")));
  }

  @Test
  void whatIsPrintedIsRowMajor() {
    Value image = image();
    program.print(image);
    assertPinned(image);
  }

  @Test
  void whatABlockReadsIsRowMajor() {
    Value image = image();
    Value condition = program.hasDimensions(4);
    Block taken = program.block(List.of(), () -> List.of(program.call("relu", image)));
    Block other = program.block(List.of(), () -> List.of(program.x));
    assertPinned(image, program.branch(condition, Type.Plain.TENSOR, taken, other));
  }

  @Test
  void aBlockMayAskForSizes() {
    Value image = image();
    Value condition = program.hasDimensions(5);
    Block taken =
        program.block(
            List.of(),
            () -> List.of(program.emit(Entries.named("aten::dim"), Type.Plain.INT, image)));
    Block other = program.block(List.of(), () -> List.of(program.integer(1)));
    Value dimensions = program.branch(condition, Type.Plain.INT, taken, other);
    assertGiven(List.of(true, true), dimensions, program.averaged(program.pointwise(image)));
  }

  @Test
  void whatABlockWritesIsRowMajor() {
    Value image = image();
    Value condition = program.hasDimensions(4);
    Block taken = program.block(List.of(), () -> List.of(program.call("relu_", image)));
    Block other = program.block(List.of(), () -> List.of(program.x));
    assertPinned(image, program.branch(condition, Type.Plain.TENSOR, taken, other));
  }

  @Test
  void whatABlockGivesIsRowMajor() {
    Value image = image();
    Value condition = program.hasDimensions(4);
    Block taken = program.block(List.of(), () -> List.of(image));
    Block other = program.block(List.of(), () -> List.of(program.x));
    assertPinned(image, program.branch(condition, Type.Plain.TENSOR, taken, other));
  }

  @Test
  void insideABlockImagesLieAsTheyDoOutside() {
    Value condition = program.hasDimensions(4);
    Block taken =
        program.block(
            List.of(),
            () -> List.of(program.averaged(program.convolved(program.convolved(program.x)))));
    Block other = program.block(List.of(), () -> List.of(program.x));
    Value result = program.branch(condition, Type.Plain.TENSOR, taken, other);
    assertGiven(List.of(true, true), result);
  }

  @Test
  void whatIsHandedToACallIsRowMajor() {
    Value image = image();
    Value parameter = new Value("p", Type.Plain.TENSOR);
    Block body =
        program.block(
            List.of(parameter),
            () ->
                List.of(
                    program.emit(
                        new Structure.CallFunction("endless"), Type.Plain.TENSOR, parameter)));
    Value condition = program.hasDimensions(5);
    Block taken =
        program.block(
            List.of(),
            () ->
                List.of(
                    program.emit(new Structure.CallFunction("endless"), Type.Plain.TENSOR, image)));
    Block other = program.block(List.of(), () -> List.of(program.x));
    Value result = program.branch(condition, Type.Plain.TENSOR, taken, other);
    Value average = program.averaged(program.pointwise(image));
    List<Type> types = List.of(Type.Plain.TENSOR);
    Function endless = new Function("endless", body, types, Function.Discipline.SEQUENTIAL, null);
    assertGiven(List.of(false, true), () -> program.plan(List.of(endless), result, average));
  }

  @Test
  void imagesThatAreAddedLieAlike() {
    Value first = program.call("relu", image());
    Value second = program.convolved(first);
    Value sum = program.added(second, first);
    assertGiven(List.of(true, true, true), program.averaged(program.pointwise(sum)));
  }

  @Test
  void ifOneOfThoseThatAreAddedIsSeenAllAreRowMajor() {
    Value first = program.call("relu", image());
    Value second = program.convolved(first);
    Value sum = program.added(second, first);
    Value last = program.averaged(program.pointwise(sum));
    assertGiven(List.of(false, false, true), last, program.flattened(first));
  }

  @Test
  void whatIsAddedToAnArgumentIsRowMajor() {
    Value sum = program.added(image(), program.x);
    assertGiven(List.of(false, true), program.averaged(program.pointwise(sum)));
  }

  @Test
  void whatIsPooledLiesAsTheImageDoes() {
    Value first = program.pooled(program.call("relu", image()));
    Value sum = program.added(program.convolved(first), first);
    assertGiven(List.of(true, true, true), program.averaged(program.pointwise(sum)));
  }

  @Test
  void pooledImagesThatAreSeenAreRowMajor() {
    Value pooled = program.pooled(program.call("relu", image()));
    assertGiven(List.of(true), pooled);
  }

  @Test
  void channelsAreScaledWhereTheyLie() {
    Value image = image();
    Value sizes = program.emit(Entries.named("aten::size"), new Type.ListOf(Type.Plain.INT), image);
    Value scaled = program.normalized(image); // not folded, because the sizes are read
    Value sum = program.added(scaled, program.pointwise(scaled));
    assertGiven(List.of(true, true), sizes, program.averaged(sum));
  }

  @Test
  void whatTheFirstOfAGroupLikesCounts() {
    try (ImageProgram other =
        new ImageProgram(3, request -> request.weight().shape().size(2) == 3)) {
      Value first = other.convolved(other.x);
      Value sum = other.added(first, other.pointwise(other.x));
      Value next = other.pointwise(sum);
      Value more = other.added(next, other.convolved(sum));
      Plan plan = other.plan(other.averaged(more));
      other.run(plan, USUAL, 9, 2, ImageProgram.CHANNELS, 5, 6);
      assertEquals(List.of(true, true, false, false), other.given);
    }
  }

  @Test
  void whatIsWrittenInPlaceStaysAsItLies() {
    Value first = program.call("relu_", program.normalized(image()));
    Value second = program.normalized(program.convolved(first));
    Value sum = program.call("add_.Tensor", second, first, program.integer(1));
    Value last = program.averaged(program.pointwise(program.call("relu_", sum)));
    assertGiven(List.of(true, true, true), last);
  }

  @Test
  void aModelsNumberForEachChannelGoesWithBoth() {
    Value scaled = program.call("mul.Tensor", image(), program.parameter("scale"));
    assertGiven(List.of(true, true), program.averaged(program.pointwise(scaled)));
  }

  @Test
  void dropoutHandsOnWhatItIsGiven() {
    Value half = program.real(0.5);
    Value last = program.call("dropout", image(), half, program.bool(false));
    assertGiven(List.of(true, true), program.averaged(program.pointwise(last)));
    Value seen = program.call("dropout", image(), half, program.bool(false));
    assertGiven(List.of(true, true, false, true), seen, program.averaged(program.pointwise(last)));
  }

  @Test
  void untilTheKernelsAreWarmImagesAreRowMajor() {
    program.warm = false;
    Plan plan = program.plan(program.averaged(program.pointwise(image())));
    List<Object> cold = run(plan, USUAL);
    assertEquals(List.of(false, false), program.given);
    program.warm = true;
    assertEquals(cold, run(plan, USUAL));
    assertEquals(List.of(true, true), program.given);
  }

  @Test
  void imagesOfOneElementAreRowMajor() {
    Plan plan = program.plan(program.averaged(program.pointwise(image())));
    program.run(plan, USUAL, 9, 2, ImageProgram.CHANNELS, 1, 1);
    assertEquals(List.of(false, false), program.given);
  }

  @Test
  void aSingleImageWithoutABatchIsRowMajor() {
    Plan plan = program.plan(program.averaged(program.pointwise(image())));
    program.run(plan, USUAL, 9, ImageProgram.CHANNELS, 5, 6);
    assertEquals(List.of(false, false), program.given);
  }

  @Test
  void withGradientsAndForWhoeverWatchesImagesAreRowMajor() {
    Plan plan = program.plan(program.averaged(program.call("relu", image())));
    run(plan, options -> options.withGradEnabled(true));
    assertEquals(List.of(false), program.given);
    List<Boolean> seen = new ArrayList<>();
    run(
        plan,
        options ->
            options.withInterceptor((operation, arguments, source) -> {
              seen.add(((DenseTensor) arguments[0]).isContiguous());
              return null;
            }));
    assertEquals(List.of(true, true, true), seen);
  }

  @Test
  void aFaultNamesTheOperationAsItIsWritten() {
    Plan plan = program.plan(program.averaged(program.pooled(program.pointwise(image()))));
    Fault fault = fault(plan, USUAL);
    Fault written = fault(plan, options -> options.withOperationsAsWritten(true));
    assertEquals(written.toString(), fault.toString());
    assertEquals(written.operands(), fault.operands());
  }

  private Fault fault(Plan plan, UnaryOperator<RunOptions> how) {
    return assertInstanceOf(
        Fault.class, program.run(plan, how, 9, 2, ImageProgram.CHANNELS + 1, 5, 6).getFirst());
  }

  @Test
  void ifThereIsNoMemoryToTurnAnImageItIsRowMajor() {
    Plan plan = program.plan(program.averaged(program.pointwise(program.x)));
    long image = 4L * 2 * ImageProgram.CHANNELS * 64 * 64;
    long left = program.memory.budgetBytes() - program.memory.account().bytes();
    try (ResourceScope scope = ResourceScope.open(program.memory, "rest");
        DenseTensor rest =
            (DenseTensor)
                DenseTensor.allocate(scope, DType.INT8, Shape.of(left - 29 * image / 10))) {
      Object result = program.run(plan, USUAL, 9, 2, ImageProgram.CHANNELS, 64, 64).getFirst();
      assertInstanceOf(List.class, result, rest::describe);
      assertEquals(List.of(true, false), program.given);
    }
  }
}
