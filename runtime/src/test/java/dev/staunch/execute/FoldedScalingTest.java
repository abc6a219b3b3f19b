package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Attribute;
import dev.staunch.ir.Block;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.ir.Verifier;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.ChannelScaling;
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Operands;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scaling channels by numbers of a module's is folded into what sums them up. */
class FoldedScalingTest {
  private static final int IN = 3;
  private static final int OUT = 4;

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope home = ResourceScope.open(memory, "model");
  private final Random random = new Random(5);
  private final ObjectValue module =
      new ObjectValue(
          new ClassLayout("M", List.of("weight", "bias", "gamma", "beta", "mean", "variance")),
          home);
  private final Value self = new Value("self", new Type.Class("M"));
  private final Value x = new Value("x", Type.Plain.TENSOR);
  private final List<Operation> operations = new ArrayList<>();
  private boolean training;
  private int scaled;

  /** What happens when something is about to be folded. */
  private Runnable stop = () -> {};

  @AfterEach
  void everyByteGoesBackWithTheModel() {
    home.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor filled(ResourceScope scope, double least, long... sizes) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(sizes));
    for (long i = 0; i < tensor.elements(); i++) {
      float element = (float) (least + random.nextDouble());
      tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, element);
    }
    return tensor;
  }

  private void setParameters(long... weight) {
    module.set(0, filled(home, -0.5, weight));
    module.set(1, filled(home, -0.5, OUT));
    module.set(2, filled(home, 0.5, OUT));
    module.set(3, filled(home, -0.5, OUT));
    module.set(4, filled(home, -0.5, OUT));
    module.set(5, filled(home, 0.5, OUT));
  }

  private Value emit(Operator operator, Type type, Value... operands) {
    Value result = new Value("v", type);
    SourceLocation line = SourceLocation.of("m.py", operations.size() + 1, 0);
    operations.add(new Operation(operator, List.of(operands), List.of(result), List.of(), line));
    return result;
  }

  private Value call(String name, Value... operands) {
    return emit(Entries.named(name), Type.Plain.TENSOR, operands);
  }

  private Value parameter(String name) {
    return emit(new Structure.GetAttribute(name), Type.Plain.TENSOR, self);
  }

  private Value constant(Attribute value, Type type) {
    return emit(new Structure.Constant(value), type);
  }

  private Value normalized(Value sums) {
    return call(
        "aten::batch_norm",
        sums,
        parameter("gamma"),
        parameter("beta"),
        parameter("mean"),
        parameter("variance"),
        constant(new Attribute.Bool(training), Type.Plain.BOOL),
        constant(new Attribute.Real(0.1, Type.Plain.FLOAT), Type.Plain.FLOAT),
        constant(new Attribute.Real(1e-5, Type.Plain.FLOAT), Type.Plain.FLOAT),
        constant(new Attribute.Bool(true), Type.Plain.BOOL));
  }

  private Plan plan(Value result) {
    Block body = new Block(List.of(self, x), operations, List.of(result));
    List<Type> types = List.of(Type.Plain.TENSOR);
    Function run = new Function("M.run", body, types, Function.Discipline.SEQUENTIAL, null);
    Program program = new Program(List.of(run));
    assertNull(Verifier.verify(program, operation -> null));
    return Plan.prepare(program, catalog(), module);
  }

  /** The standard one, whose {@code batch_norm} counts its calls. */
  private Catalog catalog() {
    CatalogEntry known =
        Objects.requireNonNull(StandardOperations.catalog().find("aten::batch_norm"));
    Kernel.One kernel = (Kernel.One) Objects.requireNonNull(known.kernel());
    return StandardOperations.catalog().toBuilder()
        .define(
            new CatalogEntry(known.definition(), new Counting(kernel), /* closesOnFailure= */ true))
        .build();
  }

  private final class Counting implements Kernel.One, ChannelScaling {
    private final Kernel.One kernel;

    Counting(Kernel.One kernel) {
      this.kernel = kernel;
    }

    @Override
    public Object run(Call call) {
      scaled++;
      return kernel.run(call);
    }

    @Override
    public boolean scalesOnly(Operands operands) {
      return ((ChannelScaling) kernel).scalesOnly(operands);
    }

    @Override
    public Object folded(Call call, DenseTensor weight, @Nullable DenseTensor bias) {
      stop.run();
      return ((ChannelScaling) kernel).folded(call, weight, bias);
    }
  }

  /** {@code batch_norm(linear(x, weight, bias))}, for {@code x} of rows. */
  private Plan layer() {
    return layer(IN);
  }

  private Plan layer(long inputs) {
    setParameters(OUT, inputs);
    return plan(normalized(call("aten::linear", x, parameter("weight"), parameter("bias"))));
  }

  /** {@code batch_norm(conv2d(x, weight))}, for images of x. */
  private Plan convolution() {
    setParameters(OUT, IN, 2, 2);
    Value none = constant(new Attribute.None(), new Type.Optional(Type.Plain.TENSOR));
    return plan(
        normalized(
            call(
                "aten::conv2d",
                x,
                parameter("weight"),
                none,
                numbers(1),
                numbers(0),
                numbers(1),
                constant(new Attribute.Int(1, Type.Plain.INT), Type.Plain.INT))));
  }

  private Value numbers(long each) {
    Attribute number = new Attribute.Int(each, Type.Plain.INT);
    Type type = new Type.ListOf(Type.Plain.INT);
    return constant(new Attribute.Array(List.of(number, number)), type);
  }

  private List<Object> run(Plan plan, UnaryOperator<RunOptions> how, long... sizes) {
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      RunOptions options = how.apply(RunOptions.in(scope));
      return plan.run("M.run", List.of(module, filled(scope, 0, sizes)), options).stream()
          .map(result -> result instanceof DenseTensor tensor ? elements(tensor) : result)
          .toList();
    }
  }

  private static Object elements(DenseTensor tensor) {
    float[] elements = new float[(int) tensor.elements()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = tensor.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i);
    }
    return elements;
  }

  /** Runs the plan on the same elements, as it is written and as it is folded. */
  private void assertSame(Plan plan, long... sizes) {
    assertSame(plan, 1e-5f, sizes);
  }

  private void assertSame(Plan plan, float tolerance, long... sizes) {
    random.setSeed(9);
    float[] written =
        (float[]) run(plan, options -> options.withOperationsAsWritten(true), sizes).getFirst();
    random.setSeed(9);
    float[] folded = (float[]) run(plan, options -> options, sizes).getFirst();
    assertArrayEquals(written, folded, tolerance);
  }

  @Test
  void aLayerIsScaledByItsWeight() {
    Plan plan = layer();
    assertSame(plan, 5, IN);
    assertEquals(1, scaled, "as it is written");
    long held = home.account().bytes();
    assertSame(plan, 2, IN);
    assertEquals(2, scaled);
    assertEquals(held, home.account().bytes(), "it is folded once");
  }

  @Test
  void aLongRowOfTheWeightIsScaledToItsEnd() {
    assertSame(layer(10_000), 1e-2f, 2, 10_000);
    assertEquals(1, scaled, "as it is written");
  }

  @Test
  void thePlanTellsWhatIsFolded() {
    List<PlannedOperation> operations = layer().operations("M.run");
    assertEquals(
        List.of(PlannedOperation.Making.EACH_TIME, PlannedOperation.Making.FOLDED),
        operations.stream().map(PlannedOperation::making).toList());
    assertEquals("aten::batch_norm", operations.getLast().name());
    assertThrows(StaunchException.class, () -> layer().operations("M.walk"));
  }

  @Test
  void inTrainingThePlanFoldsNothing() {
    training = true;
    assertEquals(PlannedOperation.Making.EACH_TIME, layer().operations("M.run").getLast().making());
  }

  @Test
  void aConvolutionWithoutABiasIsScaledByItsWeight() {
    Plan plan = convolution();
    assertSame(plan, 2, IN, 4, 3);
    assertEquals(1, scaled);
  }

  @Test
  void channelsThatLieElsewhereAreScaledByThemselves() {
    Plan plan = layer();
    run(plan, options -> options, 2, OUT, IN);
    assertEquals(1, scaled);
  }

  @Test
  void inTrainingEachRequestScales() {
    training = true;
    Plan plan = layer();
    run(plan, options -> options, 5, IN);
    run(plan, options -> options, 5, IN);
    assertEquals(2, scaled);
  }

  @Test
  void withGradientsEachRequestScales() {
    Plan plan = layer();
    run(plan, options -> options.withGradEnabled(true), 5, IN);
    assertEquals(1, scaled);
  }

  @Test
  void whoWatchesSeesBothOperations() {
    Plan plan = layer();
    run(plan, options -> options, 5, IN);
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
    assertEquals(List.of("aten::linear", "aten::batch_norm"), seen);
  }

  @Test
  void onceAParameterIsWrittenEachRequestScales() {
    setParameters(OUT, IN);
    Value sums = call("aten::linear", x, parameter("weight"), parameter("bias"));
    Value result = normalized(sums);
    Value one = constant(new Attribute.Int(1, Type.Plain.INT), Type.Plain.INT);
    call("aten::add_.Tensor", parameter("mean"), parameter("beta"), one);
    Plan plan = plan(result);
    run(plan, options -> options, 5, IN);
    assertEquals(0, scaled);
    run(plan, options -> options, 5, IN);
    assertEquals(1, scaled);
  }

  @Test
  void aFaultNamesTheOperationAndOperandsAsTheyAreWritten() {
    Plan plan = convolution();
    Fault fault = assertInstanceOf(Fault.class, run(plan, o -> o, 2, OUT, 4, 3).getFirst());
    Fault written =
        assertInstanceOf(
            Fault.class, run(plan, o -> o.withOperationsAsWritten(true), 2, OUT, 4, 3).getFirst());
    assertEquals("aten::conv2d", fault.operation());
    assertEquals(written.toString(), fault.toString());
    assertEquals(written.operands(), fault.operands());
    assertEquals(written.source(), fault.source());
  }

  @Test
  void aFaultOfTheScalingIsItsOwn() {
    setParameters(OUT, IN);
    module.set(2, filled(home, 0.5, OUT + 1));
    Plan plan = plan(normalized(call("aten::linear", x, parameter("weight"), parameter("bias"))));
    Fault fault = assertInstanceOf(Fault.class, run(plan, o -> o, 5, IN).getFirst());
    assertEquals("aten::batch_norm", fault.operation());
  }

  @Test
  void whatWouldNotBeFiniteIsNotFolded() {
    Plan plan = layer();
    DenseTensor gamma = (DenseTensor) Objects.requireNonNull(module.get(2));
    gamma.segment().setAtIndex(ValueLayout.JAVA_FLOAT, 1, Float.POSITIVE_INFINITY);
    run(plan, options -> options, 5, IN);
    assertEquals(1, scaled);
  }

  @Test
  void whatIsFiniteOnlyBeforeItIsRoundedIsNotFolded() {
    Plan plan = layer();
    for (int i = 0; i < 2; i++) { // weight, gamma
      DenseTensor parameter = (DenseTensor) Objects.requireNonNull(module.get(i == 0 ? 0 : 2));
      parameter.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i == 0 ? IN : 1, 1e30f);
    }
    run(plan, options -> options, 5, IN);
    assertEquals(1, scaled);
  }

  /** Runs the plan on a row while {@code left} bytes are free. */
  private Object runWith(long left, Plan plan) {
    return runWith(left, plan, IN);
  }

  private Object runWith(long left, Plan plan, long width) {
    random.setSeed(9);
    long taken = memory.budgetBytes() - memory.account().bytes() - left;
    DenseTensor rest = (DenseTensor) DenseTensor.allocate(home, DType.INT8, Shape.of(taken));
    try {
      return run(plan, options -> options, 1, width).getFirst();
    } finally {
      rest.close();
    }
  }

  /** So many bytes take a row of x, the folded weight and bias, and a row of sums. */
  private static final long FOLDS = 4 * (IN + OUT * IN + OUT + OUT);

  @ParameterizedTest
  @ValueSource(longs = {IN, 3000}) // of which the second is packed where there is room
  void withoutRoomToKeepItEachRequestFoldsForItself(long width) {
    Plan plan = layer(width);
    long scarce = FOLDS + 4 * (OUT + 1) * (width - IN);
    long held = home.account().bytes();
    Object first = runWith(scarce, plan, width);
    assertEquals(held, home.account().bytes(), "a request may need what is left");
    Object again = runWith(scarce, plan, width);
    Object kept = runWith(1 << 19, plan, width);
    assertTrue(home.account().bytes() > held);
    Object after = runWith(scarce, plan, width);
    assertArrayEquals((float[]) kept, (float[]) first, 0);
    assertArrayEquals((float[]) kept, (float[]) again, 0);
    assertArrayEquals((float[]) kept, (float[]) after, 0);
    assertEquals(0, scaled);
  }

  @Test
  void aRequestWithoutMemoryToFoldFailsAndTheNextOneFolds() {
    Plan plan = layer();
    long held = home.account().bytes();
    Fault fault = assertInstanceOf(Fault.class, runWith(FOLDS - 4 * OUT - 1, plan));
    assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
    assertEquals("aten::batch_norm", fault.operation());
    assertEquals(SourceLocation.of("m.py", 12, 0), fault.source());
    assertEquals(held, home.account().bytes());
    scaled = 0;
    assertInstanceOf(float[].class, runWith(FOLDS, plan));
    assertEquals(0, scaled);
  }

  @Test
  void withoutMemoryForTheFoldedSumsTheRequestFails() {
    Plan plan = layer();
    assertInstanceOf(float[].class, runWith(1 << 16, plan));
    long one = 4 * (IN + OUT) - 1;
    Fault fault = assertInstanceOf(Fault.class, runWith(one, plan));
    assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
    assertEquals("aten::linear", fault.operation());
  }

  @Test
  void whatARequestHasNoTimeToFoldTheNextOneFolds() {
    Plan plan = layer();
    CancelScope cancel = CancelScope.open();
    stop = () -> cancel.cancel("enough");
    Object stopped = run(plan, options -> options.withCancel(cancel), 1, IN).getFirst();
    assertEquals(FaultType.CANCELLED, assertInstanceOf(Fault.class, stopped).type());
    stop = () -> {};
    assertSame(plan, 1, IN);
    assertEquals(1, scaled, "as it is written");
  }

  @Test
  void onSeveralThreadsEachAnswerHasTheSameBits() throws Exception {
    Plan plan = layer();
    random.setSeed(9);
    DenseTensor rows = filled(home, 0, 7, IN);
    List<Callable<float[]>> requests =
        Collections.nCopies(
            8,
            () -> {
              try (ResourceScope scope = ResourceScope.open(memory, "request")) {
                List<Object> results =
                    plan.run("M.run", List.of(module, rows), RunOptions.in(scope));
                return (float[]) elements((DenseTensor) results.getFirst());
              }
            });
    Set<List<Float>> answers = new HashSet<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (Future<float[]> each : threads.invokeAll(requests)) {
        List<Float> answer = new ArrayList<>();
        for (float element : each.get()) {
          answer.add(element);
        }
        answers.add(answer);
      }
    }
    assertEquals(1, answers.size());
    assertEquals(0, scaled);
  }
}
