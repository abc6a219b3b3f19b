package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.fault.SourceLocation;
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
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
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
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** For tests: a module whose layer sums channels and scales them, and plans for it. */
abstract class ScalingProgram {
  static final int IN = 3;
  static final int OUT = 4;

  final OffHeap memory = OffHeap.withBudget(1 << 20);
  final ResourceScope home = ResourceScope.open(memory, "model");
  final Random random = new Random(5);
  final ObjectValue module =
      new ObjectValue(
          new ClassLayout("M", List.of("weight", "bias", "gamma", "beta", "mean", "variance")),
          home);
  final Value self = new Value("self", new Type.Class("M"));
  final Value x = new Value("x", Type.Plain.TENSOR);
  final List<Operation> operations = new ArrayList<>();
  boolean training;
  int scaled;
  int finished;

  /** What happens when something is about to be folded. */
  Runnable stop = () -> {};

  @AfterEach
  void everyByteGoesBackWithTheModel() {
    home.close();
    assertEquals(0, memory.account().bytes());
  }

  DenseTensor filled(ResourceScope scope, double least, long... sizes) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(sizes));
    for (long i = 0; i < tensor.elements(); i++) {
      float element = (float) (least + random.nextDouble());
      tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, element);
    }
    return tensor;
  }

  void setParameters(long... weight) {
    module.set(0, filled(home, -0.5, weight));
    module.set(1, filled(home, -0.5, OUT));
    module.set(2, filled(home, 0.5, OUT));
    module.set(3, filled(home, -0.5, OUT));
    module.set(4, filled(home, -0.5, OUT));
    module.set(5, filled(home, 0.5, OUT));
  }

  Value emit(Operator operator, Type type, Value... operands) {
    Value result = new Value("v", type);
    SourceLocation line = SourceLocation.of("m.py", operations.size() + 1, 0);
    operations.add(new Operation(operator, List.of(operands), List.of(result), List.of(), line));
    return result;
  }

  Value call(String name, Value... operands) {
    return emit(Entries.named(name), Type.Plain.TENSOR, operands);
  }

  Value parameter(String name) {
    return emit(new Structure.GetAttribute(name), Type.Plain.TENSOR, self);
  }

  Value constant(Attribute value, Type type) {
    return emit(new Structure.Constant(value), type);
  }

  Value normalized(Value sums) {
    return normalized(sums, constant(new Attribute.Bool(training), Type.Plain.BOOL));
  }

  Value normalized(Value sums, Value inTraining) {
    return call(
        "aten::batch_norm",
        sums,
        parameter("gamma"),
        parameter("beta"),
        parameter("mean"),
        parameter("variance"),
        inTraining,
        constant(new Attribute.Real(0.1, Type.Plain.FLOAT), Type.Plain.FLOAT),
        constant(new Attribute.Real(1e-5, Type.Plain.FLOAT), Type.Plain.FLOAT),
        constant(new Attribute.Bool(true), Type.Plain.BOOL));
  }

  Plan plan(Value result) {
    Block body = new Block(List.of(self, x), operations, List.of(result));
    List<Type> types = List.of(Type.Plain.TENSOR);
    Function run = new Function("M.run", body, types, Function.Discipline.SEQUENTIAL, null);
    Program program = new Program(List.of(run));
    assertNull(Verifier.verify(program, operation -> null));
    return Plan.prepare(program, catalog(), module);
  }

  /** The plain kernels, whose products count the epilogues that they are given. */
  private final class Noting extends LayeredKernelSet {
    Noting() {
      super("noting", StandardOperations.plainKernels());
    }

    @Override
    public MatrixProduct matrixProduct(MatrixProduct.Request request) {
      MatrixProduct plain = super.matrixProduct(request);
      return (context, a, b, addend, c, epilogue) -> {
        finished += epilogue == null ? 0 : 1;
        return plain.run(context, a, b, addend, c, epilogue);
      };
    }
  }

  /** The standard catalog, whose {@code batch_norm} counts its calls. */
  Catalog catalog() {
    CatalogEntry known =
        Objects.requireNonNull(StandardOperations.catalog().find("aten::batch_norm"));
    Kernel.One kernel = (Kernel.One) Objects.requireNonNull(known.kernel());
    return StandardOperations.catalog().with(new Noting()).toBuilder()
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

  /** {@code batch_norm(linear(x, weight, bias))}, for rows {@code x}. */
  Plan layer() {
    return layer(IN);
  }

  Plan layer(long inputs) {
    setParameters(OUT, inputs);
    return plan(normalized(call("aten::linear", x, parameter("weight"), parameter("bias"))));
  }

  /** {@code batch_norm(conv2d(x, weight))}, for images {@code x}. */
  Plan convolution() {
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

  Value numbers(long each) {
    Attribute number = new Attribute.Int(each, Type.Plain.INT);
    Type type = new Type.ListOf(Type.Plain.INT);
    return constant(new Attribute.Array(List.of(number, number)), type);
  }

  List<Object> run(Plan plan, UnaryOperator<RunOptions> how, long... sizes) {
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      RunOptions options = how.apply(RunOptions.in(scope));
      return plan.run("M.run", List.of(module, filled(scope, 0, sizes)), options).stream()
          .map(result -> result instanceof DenseTensor tensor ? elements(tensor) : result)
          .toList();
    }
  }

  static Object elements(DenseTensor tensor) {
    float[] elements = new float[(int) tensor.elements()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = tensor.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i);
    }
    return elements;
  }

  /** Runs the plan on the same elements, as written and folded. */
  void assertSame(Plan plan, long... sizes) {
    assertSame(plan, 1e-5f, sizes);
  }

  void assertSame(Plan plan, float tolerance, long... sizes) {
    random.setSeed(9);
    float[] written =
        (float[]) run(plan, options -> options.withOperationsAsWritten(true), sizes).getFirst();
    random.setSeed(9);
    float[] folded = (float[]) run(plan, options -> options, sizes).getFirst();
    assertArrayEquals(written, folded, tolerance);
  }

  /** Runs the plan on a row while {@code left} bytes are free. */
  Object runWith(long left, Plan plan, long width) {
    random.setSeed(9);
    long taken = memory.budgetBytes() - memory.account().bytes() - left;
    DenseTensor rest = (DenseTensor) DenseTensor.allocate(home, DType.INT8, Shape.of(taken));
    try {
      return run(plan, options -> options, 1, width).getFirst();
    } finally {
      rest.close();
    }
  }
}
