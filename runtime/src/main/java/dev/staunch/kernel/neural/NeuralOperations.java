package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Neural-network layers: normalisation, convolution, pooling and padding. */
public final class NeuralOperations {
  private static final String CONVOLUTION =
      "(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation,"
          + " bool transposed, int[] output_padding, int groups";
  private static final String POOLING =
      "(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, ";
  private static final String POOLING_1D =
      "(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], ";

  private NeuralOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return Catalog.Group.numbered(15, NeuralOperations::addTo);
  }

  private static void addTo(Catalog.Builder catalog, int group) {
    switch (group) {
      case 0 -> addBatchNormalization(catalog.with(Trait.NARROW_WITH_FLOAT32));
      case 1 -> addConvolution(catalog);
      case 2 ->
          addPooling(
              catalog.with(Trait.NARROW_AS_FLOAT32, Trait.LAYOUT_AGNOSTIC, Trait.CHOOSES_LAYOUT));
      case 3 -> addPadding(catalog);
      case 4 -> TransposedConvolution.addTo(catalog);
      case 5 -> RootMeanSquareNormalization.addTo(catalog);
      case 6 -> GroupNormalization.addTo(catalog);
      case 7 -> NativeNormalization.addTo(catalog);
      case 8 -> MirroredPadding.addTo(catalog);
      case 9 -> IndexedPooling.addTo(catalog.with(Trait.NARROW_AS_FLOAT32));
      case 10 -> ResizingOperations.addTo(catalog);
      case 11 -> GridSampling.addTo(catalog);
      case 12 -> EmbeddingOperations.addTo(catalog);
      case 13 -> LossOperations.addTo(catalog);
      case 14 -> addLayerNormalization(catalog.with(Trait.NARROW_WITH_FLOAT32));
      default -> throw new IllegalArgumentException("there is no group " + group);
    }
  }

  private static void one(Catalog.Builder catalog, String schema, Kernel.One kernel) {
    catalog.one(schema, kernel);
  }

  private static void addBatchNormalization(Catalog.Builder mixed) {
    one(
        mixed
            .with(Trait.LAYOUT_AGNOSTIC, Trait.CHOOSES_LAYOUT)
            .withRunningState("training", "running_mean", "running_var")
            .withInference(BatchNormalization::form),
        "aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor?"
            + " running_var, bool training, float momentum, float eps, bool cudnn_enabled)"
            + " -> Tensor",
        BatchNormalization.Body.ONLY);
  }

  private static void addLayerNormalization(Catalog.Builder mixed) {
    one(
        mixed.with(Trait.AUTOCAST_WIDENS).withInference(LayerNormalization::form),
        "aten::layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor?"
            + " bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor",
        LayerNormalization::run);
  }

  private static void addConvolution(Catalog.Builder plain) {
    Catalog.Builder narrow = plain.with(Trait.NARROW_AS_FLOAT32);
    Catalog.Builder catalog = narrow.with(Trait.AUTOCAST_REDUCES);
    for (int rank = 1; rank <= 2; rank++) {
      int dims = rank;
      String ones = dims == 1 ? "[1]" : "[1, 1]";
      String zeros = dims == 1 ? "[0]" : "[0, 0]";
      String head =
          "(Tensor input, Tensor weight, Tensor? bias=None, int["
              + dims
              + "] stride="
              + ones
              + ", ";
      String tail = "int[" + dims + "] dilation=" + ones + ", int groups=1) -> Tensor";
      convolution(
          catalog,
          "conv" + dims + "d" + head + "int[" + dims + "] padding=" + zeros + ", " + tail,
          operands -> ConvolutionCall.plain(operands, dims));
      convolution(
          catalog,
          "conv" + dims + "d.padding" + head + "str padding=\"valid\", " + tail,
          operands -> ConvolutionCall.named(operands, dims));
    }
    Catalog.Builder any = narrow.withDTypes(DType.of(DType.Kind.FLOATING));
    general(
        any,
        "_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, str"
            + " padding, SymInt[] dilation, SymInt groups) -> Tensor",
        ConvolutionCall::mode,
        NeuralOperations::isOfVolumes,
        Composite.of(
            any, (steps, call) -> again(steps, "conv3d.padding", call, 0, 1, 2, 3, 4, 5, 6)));
    String flags = ", bool benchmark, bool deterministic, bool cudnn_enabled";
    general(catalog, "_convolution" + CONVOLUTION + flags + ", bool allow_tf32) -> Tensor");
    general(catalog, "_convolution.deprecated" + CONVOLUTION + flags + ") -> Tensor");
    general(catalog, "convolution" + CONVOLUTION + ") -> Tensor");
  }

  private static void convolution(
      Catalog.Builder catalog, String schema, ConvolutionCall.Reading reading) {
    one(
        catalog
            .with(Trait.LAYOUT_AGNOSTIC, Trait.CHOOSES_LAYOUT, Trait.TAKES_EPILOGUE)
            .withInference(operands -> ConvolutionCall.form(operands, reading))
            .withCost(ConvolutionCall::multiplyAdds),
        "aten::" + schema,
        new ConvolutionKernel(reading));
  }

  /** Adds a convolution whose argument 6 says whether it is transposed. */
  private static void general(Catalog.Builder catalog, String schema) {
    general(
        catalog,
        schema,
        ConvolutionCall::general,
        operands -> operands.bool(6) || isOfVolumes(operands),
        Composite.of(catalog, NeuralOperations::transposedOrOfVolumes));
  }

  private static void general(
      Catalog.Builder catalog,
      String schema,
      ConvolutionCall.Reading reading,
      Predicate<Operands> composed,
      Composite others) {
    Predicate<Operands> elsewhere = composed.and(ConvolutionCall::isBatched);
    ConvolutionCall.Reading batched = ConvolutionCall.batched(reading);
    one(
        catalog
            .with(Trait.LAYOUT_AGNOSTIC, Trait.CHOOSES_LAYOUT, Trait.TAKES_EPILOGUE)
            .withInference(operands ->
                elsewhere.test(operands)
                    ? others.infer(operands)
                    : ConvolutionCall.form(operands, batched))
            .withCost(ConvolutionCall::multiplyAdds),
        "aten::" + schema,
        new ConvolutionKernel.General(new ConvolutionKernel(batched), others, elsewhere));
  }

  /** Whether the weight has three spatial dimensions. */
  private static boolean isOfVolumes(Operands operands) {
    return operands.rank(1) == 5;
  }

  private static Object transposedOrOfVolumes(Steps steps, Operands call) {
    if (!isOfVolumes(call)) {
      return TransposedConvolution.general(steps, call);
    }
    return call.bool(6)
        ? again(steps, "conv_transpose3d.input", call, 0, 1, 2, 3, 4, 7, 8, 5)
        : again(steps, "conv3d", call, 0, 1, 2, 3, 4, 5, 8);
  }

  /** The result of {@code operation} for a selection of the arguments. */
  private static Object again(Steps steps, String operation, Operands call, int... arguments) {
    return steps.keeping(operation, Arrays.stream(arguments).mapToObj(call::value).toArray());
  }

  private static void addPooling(Catalog.Builder catalog) {
    one(
        catalog.withInference(Pooling.MAX_1D::maxForm),
        "aten::max_pool1d" + POOLING_1D + "int[1] dilation=[1], bool ceil_mode=False) -> Tensor",
        Pooling.MAX_1D::max);
    one(
        catalog.withInference(Pooling.MAX_2D::maxForm),
        "aten::max_pool2d" + POOLING + "int[2] dilation=1, bool ceil_mode=False) -> Tensor",
        Pooling.MAX_2D::max);
    one(
        catalog.withInference(Pooling.AVERAGE_1D::averageForm),
        "aten::avg_pool1d"
            + POOLING_1D
            + "bool ceil_mode=False, bool count_include_pad=True) -> Tensor",
        Pooling.AVERAGE_1D::average);
    one(
        catalog.withInference(Pooling.AVERAGE_2D::averageForm),
        "aten::avg_pool2d"
            + POOLING
            + "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None)"
            + " -> Tensor",
        Pooling.AVERAGE_2D::average);
    one(
        catalog.withInference(Pooling.ADAPTIVE_AVERAGE_1D::adaptiveForm),
        "aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor",
        Pooling.ADAPTIVE_AVERAGE_1D::adaptiveAverage);
    one(
        catalog.withInference(Pooling.ADAPTIVE_AVERAGE_2D::adaptiveForm),
        "aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
        Pooling.ADAPTIVE_AVERAGE_2D::adaptiveAverage);
  }

  private static void addPadding(Catalog.Builder catalog) {
    one(
        catalog.withInference(operands -> ConstantPadding.form(operands, operands.scalar(2))),
        "aten::constant_pad_nd(Tensor self, int[] pad, Scalar value=0) -> Tensor",
        call -> ConstantPadding.run(call, call.scalar(2)));
    Filled mirrored =
        new Filled(
            operands -> MirroredPadding.form(operands, operands.string(2)),
            (target, call) -> MirroredPadding.fill(target, call, call.string(2)));
    one(
        catalog.withInference(operands ->
            pad(
                operands,
                () -> mirrored.infer(operands),
                value -> ConstantPadding.form(operands, value))),
        "aten::pad(Tensor self, int[] pad, str mode=\"constant\", float? value=None) -> Tensor",
        call -> pad(call, () -> mirrored.run(call), value -> ConstantPadding.run(call, value)));
  }

  private static Object pad(
      Operands operands, Supplier<Object> mirrored, Function<Object, Object> constant) {
    String mode = operands.string(2);
    return switch (mode) {
      case "reflect", "replicate", "circular" ->
          operands.isNone(3) || operands.real(3) == 0
              ? mirrored.get()
              : Fault.value(
                  Message.of("padding in mode '%s' takes no `value`; leave it out", mode));
      case "constant" ->
          constant.apply(operands.isNone(3) ? (Object) 0L : (Object) operands.real(3));
      default ->
          Fault.value(
                  "`mode` takes constant, reflect, replicate or circular, but got '" + mode + "'")
              .withExpected("constant, reflect, replicate or circular", mode);
    };
  }
}
