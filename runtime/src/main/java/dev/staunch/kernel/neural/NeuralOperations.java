package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Marking;

/** Layers of neural networks: normalisation, convolution, pooling and padding. */
public final class NeuralOperations {
  private static final String CONVOLUTION =
      "(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation,"
          + " bool transposed, int[] output_padding, int groups";
  private static final String POOLING =
      "(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, ";
  private static final String POOLING_1D =
      "(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], ";

  private NeuralOperations() {}

  /** Adds all operations of this package. */
  public static void addTo(Catalog.Builder catalog) {
    addNormalization(catalog);
    addConvolution(catalog);
    addPooling(catalog);
    addPadding(catalog);
    TransposedConvolution.addTo(catalog);
    RootMeanSquareNormalization.addTo(catalog);
    GroupNormalization.addTo(catalog);
    MirroredPadding.addTo(catalog);
    IndexedPooling.addTo(catalog);
    ResizingOperations.addTo(catalog);
    GridSampling.addTo(catalog);
    EmbeddingOperations.addTo(catalog);
    LossOperations.addTo(catalog);
  }

  private static void one(Catalog.Builder catalog, String schema, Kernel.One kernel) {
    catalog.one(schema, Marking.one(kernel));
  }

  private static void addNormalization(Catalog.Builder catalog) {
    one(
        catalog.moving("training", "running_mean", "running_var"),
        "aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor?"
            + " running_var, bool training, float momentum, float eps, bool cudnn_enabled)"
            + " -> Tensor",
        BatchNormalization::run);
    one(
        catalog,
        "aten::layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor?"
            + " bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor",
        LayerNormalization::run);
  }

  private static void addConvolution(Catalog.Builder catalog) {
    one(
        catalog,
        "aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1], int[1]"
            + " padding=[0], int[1] dilation=[1], int groups=1) -> Tensor",
        call -> ConvolutionCall.plain(call, 1));
    one(
        catalog,
        "aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1],"
            + " str padding=\"valid\", int[1] dilation=[1], int groups=1) -> Tensor",
        call -> ConvolutionCall.named(call, 1));
    one(
        catalog,
        "aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=[1, 1],"
            + " int[2] padding=[0, 0], int[2] dilation=[1, 1], int groups=1) -> Tensor",
        call -> ConvolutionCall.plain(call, 2));
    one(
        catalog,
        "aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=[1,"
            + " 1], str padding=\"valid\", int[2] dilation=[1, 1], int groups=1) -> Tensor",
        call -> ConvolutionCall.named(call, 2));
    one(
        catalog,
        "aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, str"
            + " padding, SymInt[] dilation, SymInt groups) -> Tensor",
        ConvolutionCall::mode);
    String flags = ", bool benchmark, bool deterministic, bool cudnn_enabled";
    one(
        catalog,
        "aten::_convolution" + CONVOLUTION + flags + ", bool allow_tf32) -> Tensor",
        ConvolutionCall::general);
    one(
        catalog,
        "aten::_convolution.deprecated" + CONVOLUTION + flags + ") -> Tensor",
        ConvolutionCall::general);
    one(catalog, "aten::convolution" + CONVOLUTION + ") -> Tensor", ConvolutionCall::general);
  }

  private static void addPooling(Catalog.Builder catalog) {
    one(
        catalog,
        "aten::max_pool1d" + POOLING_1D + "int[1] dilation=[1], bool ceil_mode=False) -> Tensor",
        call -> Pooling.max(call, "max_pool1d", 1));
    one(
        catalog,
        "aten::max_pool2d" + POOLING + "int[2] dilation=1, bool ceil_mode=False) -> Tensor",
        call -> Pooling.max(call, "max_pool2d", 2));
    one(
        catalog,
        "aten::avg_pool1d"
            + POOLING_1D
            + "bool ceil_mode=False, bool count_include_pad=True) -> Tensor",
        call -> Pooling.average(call, "avg_pool1d", 1));
    one(
        catalog,
        "aten::avg_pool2d"
            + POOLING
            + "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None)"
            + " -> Tensor",
        call -> Pooling.average(call, "avg_pool2d", 2));
    one(
        catalog,
        "aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor",
        call -> Pooling.adaptiveAverage(call, "adaptive_avg_pool1d", 1));
    one(
        catalog,
        "aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
        call -> Pooling.adaptiveAverage(call, "adaptive_avg_pool2d", 2));
  }

  private static void addPadding(Catalog.Builder catalog) {
    one(
        catalog,
        "aten::constant_pad_nd(Tensor self, int[] pad, Scalar value=0) -> Tensor",
        call -> ConstantPadding.run(call, call.scalar(2)));
    one(
        catalog,
        "aten::pad(Tensor self, int[] pad, str mode=\"constant\", float? value=None) -> Tensor",
        NeuralOperations::pad);
  }

  private static Object pad(Call call) {
    switch (call.string(2)) {
      case "reflect", "replicate", "circular" -> {
        return call.isNone(3)
            ? MirroredPadding.run(call, call.string(2))
            : Fault.value(
                Message.of("padding in mode '%s' takes no `value`; leave it out", call.string(2)));
      }
      case "constant" -> {}
      default -> {
        return Fault.value(
                "`mode` takes constant, reflect, replicate or circular, but got '"
                    + call.string(2)
                    + "'")
            .withExpected("constant, reflect, replicate or circular", call.string(2));
      }
    }
    return ConstantPadding.run(call, call.isNone(3) ? (Object) 0L : (Object) call.real(3));
  }
}
