package dev.staunch.kernel.quantized;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.QuantizedTensor;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The weight of a layer, its bias and, for a convolution, its settings. To scripts it is an object
 * of a class of {@code torch.classes.quantized}, whose attributes an archive's loader restores.
 */
record PackedParameters(ObjectValue object) {
  static final String LINEAR = "__torch__.torch.classes.quantized.LinearPackedParamsBase";

  /** Convolutions over one and two dimensions. */
  static final String CONV_2D = "__torch__.torch.classes.quantized.Conv2dPackedParamsBase";

  static final String CONV_3D = "__torch__.torch.classes.quantized.Conv3dPackedParamsBase";
  static final String EMBEDDING = "__torch__.torch.classes.quantized.EmbeddingPackedParamsBase";

  private static final ClassLayout LINEAR_SLOTS =
      new ClassLayout(LINEAR, List.of("weight", "bias"));
  private static final ClassLayout EMBEDDING_SLOTS = new ClassLayout(EMBEDDING, List.of("weight"));

  /** The greatest finite float16. */
  private static final double GREATEST_HALF = 65504;

  private static ClassLayout convolution(String name) {
    return new ClassLayout(
        name,
        List.of(
            "weight",
            "bias",
            "stride",
            "padding",
            "output_padding",
            "dilation",
            "groups",
            "transposed"));
  }

  /**
   * What a convolution does apart from its weight.
   *
   * @param outputPadding for a transposed one; zeros otherwise
   */
  record Settings(
      long[] stride,
      long[] padding,
      long[] outputPadding,
      long[] dilation,
      long groups,
      boolean transposed) {}

  /** Those of argument {@code i}. */
  static PackedParameters of(Call call, int i) {
    return new PackedParameters((ObjectValue) call.value(i));
  }

  /** An object for a linear layer; or a fault. */
  static Object linear(Call call, Object weight, @Nullable DenseTensor bias) {
    return filled(call, new ObjectValue(LINEAR_SLOTS), weight, bias);
  }

  /** An object for an embedding; or a fault. */
  static Object embedding(Call call, QuantizedTensor weight) {
    ObjectValue object = new ObjectValue(EMBEDDING_SLOTS);
    Object own = own(call, weight);
    object.set(0, own);
    return own instanceof Fault ? own : object;
  }

  /** An object for a convolution over {@code settings.stride().length} dimensions; or a fault. */
  static Object convolution(
      Call call, QuantizedTensor weight, @Nullable DenseTensor bias, Settings settings) {
    boolean volume = settings.stride().length == 3;
    ObjectValue object = new ObjectValue(convolution(volume ? CONV_3D : CONV_2D));
    object.set(2, Steps.ints(settings.stride()));
    object.set(3, Steps.ints(settings.padding()));
    object.set(4, Steps.ints(settings.outputPadding()));
    object.set(5, Steps.ints(settings.dilation()));
    object.set(6, settings.groups());
    object.set(7, settings.transposed());
    return filled(call, object, weight, bias);
  }

  private static Object filled(
      Call call, ObjectValue object, Object weight, @Nullable DenseTensor bias) {
    Object ownWeight = own(call, weight);
    Object ownBias = bias == null ? None.NONE : Quantization.own(call, bias);
    if (ownWeight instanceof Fault || ownBias instanceof Fault) {
      return ownWeight instanceof Fault ? ownWeight : ownBias;
    }
    object.set(0, ownWeight);
    object.set(1, ownBias);
    return object;
  }

  /** The same tensor through handles that the object owns; or a fault. */
  static Object own(Call call, Object weight) {
    if (weight instanceof DenseTensor dense) {
      return Quantization.own(call, dense);
    }
    QuantizedTensor tensor = (QuantizedTensor) weight;
    Object elements = Quantization.own(call, tensor.elements());
    if (!(elements instanceof DenseTensor first)) {
      return elements;
    }
    if (!(tensor.quantizer() instanceof QuantizedTensor.PerChannel each)) {
      return tensor.with(first);
    }
    Object scales = Quantization.own(call, each.scales());
    Object zeros = Quantization.own(call, each.zeroPoints());
    return scales instanceof DenseTensor second && zeros instanceof DenseTensor third
        ? QuantizedTensor.of(first, new QuantizedTensor.PerChannel(second, third, each.axis()))
        : scales instanceof Fault ? scales : zeros;
  }

  private Object slot(String name) {
    int index = object.layout().indexOf(name);
    Object value = index < 0 ? null : object.get(index);
    if (value == null) {
      throw Fault.value("an object of " + object + " has no " + name).toUnreadException();
    }
    return value;
  }

  /** A {@link QuantizedTensor}, or a floating tensor whose elements count as float16. */
  Object weight() {
    return slot("weight");
  }

  @Nullable DenseTensor bias() {
    return slot("bias") instanceof DenseTensor tensor ? tensor : null;
  }

  /** The bias as an argument of an operation. */
  Object biasOrNone() {
    return slot("bias");
  }

  Settings settings() {
    return new Settings(
        integers("stride"),
        integers("padding"),
        integers("output_padding"),
        integers("dilation"),
        (Long) slot("groups"),
        (Boolean) slot("transposed"));
  }

  private long[] integers(String name) {
    return ((List<?>) slot(name)).stream().mapToLong(each -> (Long) each).toArray();
  }

  /** The weight as float32, made once if it is a constant of the model. */
  Object realWeight(Steps steps) {
    if (weight() instanceof QuantizedTensor tensor) {
      return steps.once(
          tensor.elements(),
          "dequantized",
          (own, elements) -> Quantization.dequantized(own, tensor.with((DenseTensor) elements)));
    }
    DenseTensor real = (DenseTensor) Objects.requireNonNull(weight());
    return steps.once(
        real,
        "float16",
        (own, tensor) -> {
          Object within = own.run("clamp", tensor, -GREATEST_HALF, GREATEST_HALF);
          return own.cast(own.cast(within, DType.FLOAT16), DType.FLOAT32);
        });
  }
}
