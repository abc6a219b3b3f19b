package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

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
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * A module's method over images {@code x} of {@link #CHANNELS}, written operation by operation, and
 * a kernel set that prefers channels last for some convolutions.
 */
final class ImageProgram implements AutoCloseable {
  static final int CHANNELS = 4;

  final OffHeap memory = OffHeap.withBudget(1 << 22);
  final Value self = new Value("self", new Type.Class("M"));
  final Value x = new Value("x", Type.Plain.TENSOR);

  /** For each convolution of the last run, in order, whether it returned channels last. */
  final List<Boolean> given = new ArrayList<>();

  /** Whether the kernels are warm. */
  boolean warm = true;

  private final ResourceScope home = ResourceScope.open(memory, "model");
  private final Random random;
  private final ObjectValue module;
  private final Predicate<Convolution.Request> liked;
  private List<Operation> operations = new ArrayList<>();

  /**
   * @param liked tells for which convolutions the kernel set prefers channels last
   */
  ImageProgram(long seed, Predicate<Convolution.Request> liked) {
    this.random = new Random(seed);
    this.liked = liked;
    this.module =
        new ObjectValue(
            new ClassLayout(
                "M",
                List.of(
                    "weight",
                    "point",
                    "gamma",
                    "beta",
                    "mean",
                    "variance",
                    "kept",
                    "scale",
                    "narrow",
                    "wide")),
            home);
    module.set(0, filled(home, -0.5, CHANNELS, CHANNELS, 3, 3));
    module.set(1, filled(home, -0.5, CHANNELS, CHANNELS, 1, 1));
    module.set(2, filled(home, 0.5, CHANNELS));
    module.set(3, filled(home, -0.5, CHANNELS));
    module.set(4, filled(home, -0.5, CHANNELS));
    module.set(5, filled(home, 0.5, CHANNELS));
    module.set(6, filled(home, 0, 1));
    module.set(7, filled(home, 0, CHANNELS, 1, 1));
    module.set(8, filled(home, -0.5, 1, CHANNELS, 1, 1));
    module.set(9, filled(home, -0.5, CHANNELS, 1, 1, 1));
  }

  /** Closes the model; by then every byte must be back. */
  @Override
  public void close() {
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

  Value emit(Operator operator, Type type, Value... operands) {
    Value result = new Value("v", type);
    operations.add(new Operation(operator, List.of(operands), List.of(result)));
    return result;
  }

  Value call(String name, Value... operands) {
    return emit(Entries.named("aten::" + name), Type.Plain.TENSOR, operands);
  }

  Value parameter(String name) {
    return emit(new Structure.GetAttribute(name), Type.Plain.TENSOR, self);
  }

  Value constant(Attribute value, Type type) {
    return emit(new Structure.Constant(value), type);
  }

  Value integer(long value) {
    return constant(new Attribute.Int(value, Type.Plain.INT), Type.Plain.INT);
  }

  Value real(double value) {
    return constant(new Attribute.Real(value, Type.Plain.FLOAT), Type.Plain.FLOAT);
  }

  Value bool(boolean value) {
    return constant(new Attribute.Bool(value), Type.Plain.BOOL);
  }

  Value integers(long... each) {
    List<Attribute> numbers = new ArrayList<>();
    LongStream.of(each).forEach(one -> numbers.add(new Attribute.Int(one, Type.Plain.INT)));
    return constant(new Attribute.Array(numbers), new Type.ListOf(Type.Plain.INT));
  }

  private Value none() {
    return constant(new Attribute.None(), new Type.Optional(Type.Plain.TENSOR));
  }

  /** A three-by-three convolution that keeps the images' sizes. */
  Value convolved(Value image) {
    return convolved(image, "weight", 1);
  }

  /** A convolution with a kernel of a single element. */
  Value pointwise(Value image) {
    return convolved(image, "point", 0);
  }

  /** A convolution that leaves a single channel. */
  Value narrowed(Value image) {
    return convolved(image, "narrow", 0);
  }

  /** A convolution that makes all channels from a single one. */
  Value widened(Value image) {
    return convolved(image, "wide", 0);
  }

  private Value convolved(Value image, String weight, long padding) {
    Value kernel = parameter(weight);
    Value ones = integers(1, 1);
    return call(
        "conv2d", image, kernel, none(), ones, integers(padding, padding), ones, integer(1));
  }

  Value normalized(Value image) {
    Value gamma = parameter("gamma");
    Value beta = parameter("beta");
    Value mean = parameter("mean");
    Value variance = parameter("variance");
    return normalized(image, gamma, beta, mean, variance);
  }

  /** Normalizes a single channel. */
  Value normalizedAlone(Value image) {
    Value one = parameter("kept");
    return normalized(image, one, one, one, one);
  }

  private Value normalized(Value image, Value gamma, Value beta, Value mean, Value variance) {
    return call(
        "batch_norm",
        image,
        gamma,
        beta,
        mean,
        variance,
        bool(false),
        real(0.1),
        real(1e-5),
        bool(true));
  }

  /** Normalizes each channel of each image, by its own statistics or by those of the module. */
  Value eachNormalized(Value image, boolean byItsOwn) {
    return call(
        "instance_norm",
        image,
        parameter("gamma"),
        parameter("beta"),
        parameter("mean"),
        parameter("variance"),
        bool(byItsOwn),
        real(0.1),
        real(1e-5),
        bool(true));
  }

  Value added(Value a, Value b) {
    return call("add.Tensor", a, b, integer(1));
  }

  /** The maximum of each three-by-three window. */
  Value pooled(Value image) {
    Value ones = integers(1, 1);
    return call("max_pool2d", image, integers(3, 3), ones, ones, ones, bool(false));
  }

  Value averaged(Value image) {
    return call("adaptive_avg_pool2d", image, integers(1, 1));
  }

  Value flattened(Value image) {
    return call("flatten.using_ints", image, integer(1), integer(-1));
  }

  /** Whether the argument has {@code count} dimensions. */
  Value hasDimensions(long count) {
    Value dimensions = emit(Entries.named("aten::dim"), Type.Plain.INT, x);
    Value wanted = integer(count);
    return emit(Entries.named("aten::eq.int"), Type.Plain.BOOL, dimensions, wanted);
  }

  Value list(Value... tensors) {
    return emit(Structure.Plain.LIST_CONSTRUCT, new Type.ListOf(Type.Plain.TENSOR), tensors);
  }

  /** A separate block of the operations that {@code what} adds. */
  Block block(List<Value> parameters, Supplier<List<Value>> what) {
    List<Operation> outside = operations;
    operations = new ArrayList<>();
    List<Value> results = what.get();
    Block block = new Block(parameters, operations, results);
    operations = outside;
    return block;
  }

  Value branch(Value condition, Type type, Block taken, Block other) {
    Value result = new Value("v", type);
    operations.add(
        new Operation(
            Structure.Plain.IF, List.of(condition), List.of(result), List.of(taken, other), null));
    return result;
  }

  void set(String attribute, Value value) {
    operations.add(
        new Operation(new Structure.SetAttribute(attribute), List.of(self, value), List.of()));
  }

  void print(Value value) {
    operations.add(new Operation(Structure.Plain.PRINT, List.of(value), List.of()));
  }

  /** The method, ready to run. */
  Plan plan(Value... results) {
    return plan(List.of(), results);
  }

  /** As above, with other functions in the program. */
  Plan plan(List<Function> others, Value... results) {
    Block body = new Block(List.of(self, x), operations, List.of(results)).isolated(handed -> {});
    List<Type> types = Arrays.stream(results).map(Value::type).toList();
    List<Function> functions = new ArrayList<>(others);
    functions.add(new Function("M.run", body, types, Function.Discipline.SEQUENTIAL, null));
    Program program = new Program(functions);
    assertNull(Verifier.verify(program, operation -> null));
    Catalog catalog = StandardOperations.catalog().with(new Liking());
    return Plan.prepare(program, catalog, module);
  }

  /**
   * The plain kernel set, which prefers channels last for some convolutions and records what it
   * returned.
   */
  private final class Liking extends LayeredKernelSet {
    Liking() {
      super("liking", StandardOperations.plainKernels());
    }

    @Override
    public boolean isWarm() {
      return warm;
    }

    @Override
    public int version() {
      return warm ? 2 : 1;
    }

    @Override
    public boolean prefersChannelsLast(Convolution.Request request) {
      return liked.test(request);
    }

    @Override
    public Convolution convolution(Convolution.Request request) {
      Convolution prepared = super.convolution(request);
      return (context, input, weight, bias, result, epilogue) -> {
        given.add(!result.isContiguous());
        return prepared.run(context, input, weight, bias, result, epilogue);
      };
    }
  }

  /**
   * The results of a request for images of this shape, as far as a program can see them.
   *
   * @param seed the seed of the elements
   */
  List<Object> run(Plan plan, UnaryOperator<RunOptions> how, long seed, long... sizes) {
    given.clear();
    random.setSeed(seed);
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      List<Object> arguments = List.of(module, filled(scope, -0.5, sizes));
      return plan.run("M.run", arguments, how.apply(RunOptions.in(scope))).stream()
          .map(ImageProgram::shown)
          .toList();
    }
  }

  /** A tensor's layout and elements; any other value unchanged. */
  private static Object shown(Object value) {
    if (value instanceof DenseTensor tensor) {
      List<Object> shown = new ArrayList<>(List.of(tensor.layout()));
      for (long at = 0; at < tensor.layout().extent(); at++) {
        shown.add(tensor.segment().getAtIndex(ValueLayout.JAVA_FLOAT, at));
      }
      return Collections.unmodifiableList(shown);
    }
    return switch (value) {
      case List<?> list -> list.stream().map(ImageProgram::shown).toList();
      case TupleValue tuple -> tuple.elements().stream().map(ImageProgram::shown).toList();
      default -> value;
    };
  }
}
