package dev.staunch.kernel.quantized;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.QuantizedTensor;
import dev.staunch.kernel.QuantizedTensor.PerChannel;
import dev.staunch.kernel.QuantizedTensor.PerTensor;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.None;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.Arrays;
import java.util.List;

/**
 * Linear layers, convolutions and embeddings with packed weights: on quantised tensors, or on real
 * ones that the layer quantises by their own range ({@code _dynamic}).
 */
final class QuantizedLayers {
  /** The reals that a layer gives for its input, which is real. */
  @FunctionalInterface
  private interface Layer {
    Object of(Steps steps, Object input, PackedParameters parameters);
  }

  private static final String OUTPUT = "float output_scale, int output_zero_point) -> Tensor";

  private QuantizedLayers() {}

  static void addTo(Catalog.Builder builder) {
    Catalog.Builder catalog = Quantization.taking(builder);
    linear(catalog);
    convolutions(catalog, 1, PackedParameters.CONV_2D);
    convolutions(catalog, 2, PackedParameters.CONV_2D);
    convolutions(catalog, 3, PackedParameters.CONV_3D);
    embeddings(catalog);
  }

  // ---- linear layers

  private static void linear(Catalog.Builder catalog) {
    String packed = PackedParameters.LINEAR;
    for (boolean rectified : List.of(false, true)) {
      String relu = rectified ? "_relu" : "";
      Steps.add(
          catalog,
          "quantized::linear"
              + relu
              + "(Tensor X, "
              + packed
              + " W_prepack, float Y_scale_i, int Y_zero_point_i) -> Tensor Y",
          (steps, call) -> quantised(steps, call, QuantizedLayers::linear, rectified));
      Steps.add(
          catalog,
          "quantized::linear"
              + relu
              + "_dynamic(Tensor X, "
              + packed
              + " W_prepack, bool reduce_range=False) -> Tensor Y",
          (steps, call) -> dynamic(steps, call, QuantizedLayers::linear, rectified));
      Steps.add(
          catalog,
          "quantized::linear"
              + relu
              + "_dynamic_fp16(Tensor X, "
              + packed
              + " W_prepack) -> Tensor Y",
          (steps, call) -> {
            Object made = linear(steps, call.value(0), PackedParameters.of(call, 1));
            return rectified ? steps.run("relu", made) : made;
          });
    }
    for (String format : List.of("", "_fp16")) {
      catalog.one(
          "quantized::linear_prepack"
              + format
              + "(Tensor W, Tensor? B=None) -> "
              + packed
              + " W_prepack",
          call -> PackedParameters.linear(call, call.value(0), call.optionalTensor(1)));
      Catalog.Builder apart = catalog.with(Trait.SHARES);
      apart.many(
          "quantized::linear_unpack"
              + format
              + "("
              + packed
              + " W_prepack) -> (Tensor W_origin, Tensor? B_origin)",
          Steps.many((steps, call) -> unpacked(steps, call, /* line= */ false)));
    }
  }

  /** A linear layer on reals that are rounded to codes by their own range. */
  static Object rounded(Steps steps, Object input, PackedParameters parameters, boolean halved) {
    Object rounded = Quantization.rounded(steps, input, halved);
    return linear(steps, rounded, parameters);
  }

  static Object linear(Steps steps, Object input, PackedParameters parameters) {
    return steps.keeping("linear", input, parameters.realWeight(steps), parameters.biasOrNone());
  }

  private static Object quantised(Steps steps, Call call, Layer layer, boolean rectified) {
    if (!(call.value(0) instanceof QuantizedTensor input)) {
      return Quantization.notQuantized();
    }
    Object reals =
        layer.of(steps, Quantization.dequantized(steps, input), PackedParameters.of(call, 1));
    PerTensor quantizer = new PerTensor(call.real(2), call.integer(3));
    return Quantization.quantized(steps, reals, quantizer, input.codes(), rectified);
  }

  /** A layer on reals, which it rounds to codes by their own range. */
  private static Object dynamic(Steps steps, Call call, Layer layer, boolean rectified) {
    Object rounded = Quantization.rounded(steps, call.value(0), call.bool(2));
    Object made = layer.of(steps, rounded, PackedParameters.of(call, 1));
    return rectified ? steps.run("relu", made) : made;
  }

  /**
   * The weight and the bias.
   *
   * @param line whether it is the weight of a convolution over one dimension
   */
  private static Object unpacked(Steps steps, Call call, boolean line) {
    PackedParameters parameters = PackedParameters.of(call, 0);
    Object weight = PackedParameters.own(call, parameters.weight());
    if (line && weight instanceof QuantizedTensor tensor) {
      Object codes = steps.run("squeeze.dim", tensor.elements(), 2L);
      weight =
          codes instanceof DenseTensor squeezed
              ? PackedParameters.own(call, tensor.with(squeezed))
              : codes;
    }
    DenseTensor bias = parameters.bias();
    Object ownBias = bias == null ? None.NONE : Quantization.own(call, bias);
    return weight instanceof Fault ? weight : new Object[] {weight, ownBias};
  }

  // ---- convolutions

  private static void convolutions(Catalog.Builder catalog, int dimensions, String packed) {
    for (String transposed : List.of("", "_transpose")) {
      boolean turned = !transposed.isEmpty();
      String name = "quantized::conv" + transposed + dimensions + "d";
      String overload = dimensions > 1 && !turned ? ".new" : "";
      Layer layer = (steps, input, parameters) -> convolved(steps, input, parameters, dimensions);
      for (boolean rectified : turned ? List.of(false) : List.of(false, true)) {
        Steps.add(
            catalog,
            name
                + (rectified ? "_relu" : "")
                + overload
                + "(Tensor qx, "
                + packed
                + " packed_weight, "
                + OUTPUT,
            (steps, call) -> quantised(steps, call, layer, rectified));
      }
      Steps.add(
          catalog,
          name
              + "_dynamic(Tensor qx, "
              + packed
              + " packed_weight, bool reduce_range=False) -> Tensor",
          (steps, call) -> dynamic(steps, call, layer, /* rectified= */ false));
      packing(catalog, name, packed, dimensions, turned);
      if (dimensions > 1) {
        settings(catalog, name, packed);
      }
    }
    if (dimensions == 2) {
      packing(catalog, "quantized::conv", packed, dimensions, /* turned= */ false);
      for (boolean rectified : List.of(false, true)) {
        Steps.add(
            catalog,
            "quantized::conv2d_add"
                + (rectified ? "_relu" : "")
                + "(Tensor qx, Tensor qaccum, "
                + packed
                + " packed_weight, "
                + OUTPUT,
            (steps, call) -> accumulated(steps, call, rectified));
      }
    }
  }

  private static void packing(
      Catalog.Builder catalog, String name, String packed, int dimensions, boolean turned) {
    Steps.add(
        catalog,
        name
            + "_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, "
            + (turned ? "int[] output_padding, " : "")
            + "int[] dilation, int groups) -> "
            + packed,
        (steps, call) -> packed(steps, call, dimensions, turned));
    catalog
        .with(Trait.SHARES)
        .many(
            name
                + "_unpack("
                + packed
                + " packed_weights) -> (Tensor unpacked_weights, Tensor? B_origin)",
            Steps.many((steps, call) -> unpacked(steps, call, dimensions == 1)));
  }

  private static void settings(Catalog.Builder catalog, String name, String packed) {
    String head = "(" + packed + " packed_weights) -> ";
    catalog.one(
        name + "_stride" + head + "int[]",
        call -> Steps.ints(PackedParameters.of(call, 0).settings().stride()));
    catalog.one(
        name + "_padding" + head + "int[]",
        call -> Steps.ints(PackedParameters.of(call, 0).settings().padding()));
    catalog.one(
        name + "_output_padding" + head + "int[]",
        call -> Steps.ints(PackedParameters.of(call, 0).settings().outputPadding()));
    catalog.one(
        name + "_dilation" + head + "int[]",
        call -> Steps.ints(PackedParameters.of(call, 0).settings().dilation()));
    catalog.one(
        name + "_groups" + head + "int", call -> PackedParameters.of(call, 0).settings().groups());
    catalog.one(
        name + "_transpose" + head + "int",
        call -> PackedParameters.of(call, 0).settings().transposed() ? 1L : 0L);
  }

  /** A convolution over one dimension is packed as one over two of which the first is 1. */
  private static Object packed(Steps steps, Call call, int dimensions, boolean turned) {
    if (!(call.value(0) instanceof QuantizedTensor weight)) {
      return Quantization.notQuantized();
    }
    int at = turned ? 1 : 0;
    long[] none = new long[dimensions];
    boolean line = dimensions == 1;
    PackedParameters.Settings settings =
        new PackedParameters.Settings(
            wide(call.integers(2), 1, line),
            wide(call.integers(3), 0, line),
            wide(turned ? call.integers(4) : none, 0, line),
            wide(call.integers(4 + at), 1, line),
            call.integer(5 + at),
            turned);
    Object codes = line ? steps.run("unsqueeze", weight.elements(), 2L) : weight.elements();
    return codes instanceof DenseTensor tensor
        ? PackedParameters.convolution(call, weight.with(tensor), call.optionalTensor(1), settings)
        : codes;
  }

  /** {@code first} and the second of {@code values}, or the only one, if they are of a line. */
  private static long[] wide(long[] values, long first, boolean line) {
    return line && values.length > 0
        ? new long[] {first, values[Math.min(1, values.length - 1)]}
        : values;
  }

  private static Object accumulated(Steps steps, Call call, boolean rectified) {
    if (!(call.value(0) instanceof QuantizedTensor input)) {
      return Quantization.notQuantized();
    }
    Object reals =
        convolved(steps, Quantization.dequantized(steps, input), PackedParameters.of(call, 2), 2);
    return Quantization.quantized(
        steps,
        steps.sum(reals, Quantization.real(steps, call, 1)),
        new PerTensor(call.real(3), call.integer(4)),
        input.codes(),
        rectified);
  }

  private static Object convolved(
      Steps steps, Object input, PackedParameters parameters, int dimensions) {
    if (dimensions == 1) {
      Object plane = steps.run("unsqueeze", input, 2L);
      return steps.run("squeeze.dim", convolved(steps, plane, parameters, 2), 2L);
    }
    PackedParameters.Settings settings = parameters.settings();
    Object weight = parameters.realWeight(steps);
    Object bias = parameters.biasOrNone();
    return settings.transposed()
        ? steps.keeping(
            "conv_transpose" + dimensions + "d.input",
            input,
            weight,
            bias,
            Steps.ints(settings.stride()),
            Steps.ints(settings.padding()),
            Steps.ints(settings.outputPadding()),
            settings.groups(),
            Steps.ints(settings.dilation()))
        : steps.keeping(
            "conv" + dimensions + "d",
            input,
            weight,
            bias,
            Steps.ints(settings.stride()),
            Steps.ints(settings.padding()),
            Steps.ints(settings.dilation()),
            settings.groups());
  }

  // ---- embeddings

  private static void embeddings(Catalog.Builder catalog) {
    String packed = PackedParameters.EMBEDDING;
    catalog.one(
        "quantized::embedding_bag_prepack(Tensor weight) -> " + packed + " W_prepack",
        call ->
            call.value(0) instanceof QuantizedTensor weight
                ? PackedParameters.embedding(call, weight)
                : Quantization.notQuantized());
    Steps.add(
        catalog.with(Trait.SHARES),
        "quantized::embedding_bag_unpack(" + packed + " W_prepack) -> Tensor W_origin",
        (steps, call) -> PackedParameters.own(call, PackedParameters.of(call, 0).weight()));
    String lookup = packed + " weight, Tensor indices, bool pruned_weights=False) -> Tensor";
    Steps.add(
        catalog,
        "quantized::embedding_byte(" + lookup,
        (steps, call) -> embedded(steps, call, false));
    Steps.add(
        catalog,
        "quantized::embedding_4bit(" + lookup,
        (steps, call) -> embedded(steps, call, true));
    String bag =
        packed
            + " weight, Tensor indices, Tensor? offsets=None, bool scale_grad_by_freq=False, int"
            + " mode=0, bool pruned_weights=False, Tensor? per_sample_weights=None, Tensor?"
            + " compressed_indices_mapping=None, bool include_last_offset=False) -> Tensor";
    Steps.add(
        catalog,
        "quantized::embedding_bag_byte(" + bag,
        (steps, call) -> bagged(steps, call, false));
    Steps.add(
        catalog,
        "quantized::embedding_bag_4bit(" + bag,
        (steps, call) -> bagged(steps, call, true));
  }

  private static Object embedded(Steps steps, Call call, boolean narrow) {
    DenseTensor indices = call.tensor(1);
    Object rows = rows(steps, call, indices, narrow);
    long[] sizes = Arrays.copyOf(indices.shape().toArray(), indices.rank() + 1);
    sizes[indices.rank()] = rows instanceof DenseTensor made ? made.shape().size(1) : 0;
    return steps.view(rows, sizes);
  }

  /**
   * The rows of the table at {@code indices}, in their order, as reals: [indices, width].
   *
   * @param narrow whether scales and shifts are rounded to float16, as FBGEMM keeps those of 4-bit
   *     codes
   */
  private static Object rows(Steps steps, Call call, Object indices, boolean narrow) {
    if (!(PackedParameters.of(call, 0).weight() instanceof QuantizedTensor table)
        || !(table.quantizer() instanceof PerChannel each)
        || table.shape().rank() != 2
        || each.axis() != 0) {
      return Fault.unsupported("an embedding takes a table with a scale for each row");
    }
    Object places = steps.view(indices, -1);
    Object codes = steps.run("index_select", table.elements(), 0L, places);
    Object scales = steps.run("index_select", each.scales(), 0L, places);
    Object zeros = steps.run("index_select", each.zeroPoints(), 0L, places);
    if (narrow) {
      Object shifts = rounded(steps, steps.run("neg", steps.run("mul.Tensor", zeros, scales)));
      Object reals = steps.run("mul.Tensor", codes, rounded(steps, scales));
      return steps.run("add.Tensor", reals, shifts, 1L);
    }
    return codes instanceof DenseTensor rows
            && scales instanceof DenseTensor first
            && zeros instanceof DenseTensor second
        ? Quantization.dequantized(
            steps, QuantizedTensor.of(rows, new PerChannel(first, second, 0)))
        : codes;
  }

  /** A column of {@code numbers}, rounded to float16, as float32. */
  private static Object rounded(Steps steps, Object numbers) {
    Object column = steps.view(numbers, -1, 1);
    return steps.cast(steps.cast(column, DType.FLOAT16), DType.FLOAT32);
  }

  private static Object bagged(Steps steps, Call call, boolean narrow) {
    if (!call.isNone(7)) {
      return Fault.unsupported("an embedding with pruned rows is not supported");
    }
    DenseTensor indices = call.tensor(1);
    boolean matrix = indices.rank() == 2;
    Object offsets =
        matrix
            ? steps.run(
                "arange.start_step", 0L, indices.elements(), Math.max(1, indices.shape().size(1)))
            : call.value(2);
    Object weights = call.isNone(6) ? None.NONE : steps.view(call.value(6), -1);
    Object bags =
        steps.run(
            "embedding_bag",
            rows(steps, call, indices, narrow),
            steps.run("arange", indices.elements()),
            offsets,
            false,
            call.value(4),
            false,
            weights,
            !matrix && call.bool(8));
    return Steps.pick(bags, 0);
  }
}
