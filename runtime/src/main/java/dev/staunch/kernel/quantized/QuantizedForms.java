package dev.staunch.kernel.quantized;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.QuantizedTensor;
import dev.staunch.kernel.QuantizedTensor.PerChannel;
import dev.staunch.kernel.QuantizedTensor.PerTensor;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What operations on reals do if their first operand, or an element of it, is quantised. */
final class QuantizedForms {
  /** Computes the result, or a fault, of a call whose first operand is quantised. */
  @FunctionalInterface
  interface Form {
    Object of(Steps steps, Call call, QuantizedTensor self);

    /** As {@link #of}; a fault if the first operand is real. */
    default Object apply(Steps steps, Call call) {
      return call.value(0) instanceof QuantizedTensor self
          ? of(steps, call, self)
          : Fault.unsupported(
              "the first operand must be quantised; make it so with `quantize_per_tensor`, or the"
                  + " other real with `dequantize`");
    }
  }

  private static final String NAMESPACE = "aten::";
  private static final int NO_PARTS = -1;

  private QuantizedForms() {}

  /**
   * The form of an operation; null if it takes no quantised tensor. Every operation is looked up
   * here, so the forms of the others are not even linked.
   */
  static Steps.@Nullable Body of(String name) {
    Form form = observing(name);
    if (form != null || !name.startsWith(NAMESPACE)) {
      return form == null ? null : form::apply;
    }
    String plain = name.substring(NAMESPACE.length());
    return switch (plain) {
      case "cat", "stack", "hstack", "vstack", "dstack" ->
          (steps, call) -> joined(steps, call, plain);
      default -> {
        Form computing = computing(plain);
        yield computing == null ? null : computing::apply;
      }
    };
  }

  private static @Nullable Form observing(String name) {
    return switch (name) {
      case "prim::dtype" -> (steps, call, self) -> QuantizedTensor.scalarType(self.codes());
      case "prim::device" -> (steps, call, self) -> "cpu";
      case "prim::layout" -> (steps, call, self) -> 0L;
      case "prim::is_quantized", "prim::is_cpu" -> (steps, call, self) -> true;
      case "prim::is_cuda",
          "prim::is_sparse",
          "prim::is_mkldnn",
          "prim::is_nested",
          "prim::requires_grad",
          "aten::is_floating_point",
          "aten::is_complex" ->
          (steps, call, self) -> false;
      case "aten::element_size" -> (steps, call, self) -> (long) self.codes().bytes();
      case "aten::size",
          "aten::size.int",
          "aten::dim",
          "aten::numel",
          "aten::len.Tensor",
          "aten::stride",
          "aten::stride.int",
          "aten::is_contiguous",
          "aten::is_contiguous.memory_format" ->
          (steps, call, self) -> onElements(steps, call, self, unqualified(name));
      default -> null;
    };
  }

  private static String unqualified(String name) {
    return name.substring(NAMESPACE.length());
  }

  private static @Nullable Form computing(String name) {
    return switch (name) {
      case "clone", "detach", "contiguous", "alias" ->
          (steps, call, self) -> again(call, self, onElements(steps, call, self, name));
      case "view", "reshape", "flatten.using_ints", "unflatten.int" ->
          (steps, call, self) -> seen(steps, call, self, name, axis -> axis);
      case "squeeze", "squeeze.dim", "squeeze.dims" ->
          (steps, call, self) ->
              seen(steps, call, self, name, axis -> ChannelViews.squeezed(call, self, axis));
      case "unsqueeze" ->
          (steps, call, self) ->
              seen(steps, call, self, name, axis -> ChannelViews.unsqueezed(call, self, axis));
      case "permute",
          "transpose.int",
          "t",
          "numpy_T",
          "movedim.int",
          "movedim.intlist",
          "expand",
          "expand_as",
          "repeat",
          "tile",
          "flip",
          "roll",
          "index_select",
          "channel_shuffle",
          "pixel_shuffle",
          "pixel_unshuffle",
          "split.sizes",
          "split_with_sizes",
          "tensor_split.sections",
          "tensor_split.indices",
          "unbind.int",
          "unfold",
          "index.Tensor",
          "cpu" ->
          (steps, call, self) -> moved(steps, call, self, name, NO_PARTS);
      case "slice.Tensor", "select.int", "narrow" ->
          (steps, call, self) -> moved(steps, call, self, name, 1);
      case "chunk", "split.Tensor" -> (steps, call, self) -> moved(steps, call, self, name, 2);
      case "relu6",
          "hardtanh",
          "clamp",
          "clamp_min",
          "clamp_max",
          "threshold",
          "mean.dim",
          "std",
          "std.dim",
          "std.correction",
          "dropout",
          "pad",
          "constant_pad_nd",
          "masked_fill.Scalar",
          "fill.Scalar",
          "fill.Tensor",
          "index_put",
          "index_put.hacked_twin",
          "gelu",
          "mean",
          "min",
          "max" ->
          (steps, call, self) -> byValue(steps, call, self, name);
      case "sort", "sort.stable", "topk", "max.dim", "min.dim", "median.dim" ->
          (steps, call, self) -> ordered(steps, call, self, name);
      case "to.dtype", "to.dtype_layout", "to.prim_dtype", "empty_like" ->
          (steps, call, self) -> placed(steps, call, self, name, 1);
      case "to.device", "to.prim_Device" ->
          (steps, call, self) -> placed(steps, call, self, name, 2);
      case "argsort" -> (steps, call, self) -> onElements(steps, call, self, name);
      case "leaky_relu" -> QuantizedForms::leaky;
      case "relu",
          "max_pool1d",
          "max_pool2d",
          "max_pool3d",
          "reflection_pad1d",
          "reflection_pad2d",
          "replication_pad1d",
          "replication_pad2d",
          "upsample_nearest1d",
          "upsample_nearest1d.vec",
          "upsample_nearest2d",
          "upsample_nearest2d.vec",
          "upsample_nearest3d",
          "upsample_nearest3d.vec",
          "_upsample_nearest_exact2d",
          "_upsample_nearest_exact2d.vec",
          "_upsample_nearest_exact3d",
          "_upsample_nearest_exact3d.vec" ->
          (steps, call, self) -> selected(steps, call, self, name);
      case "avg_pool1d", "adaptive_avg_pool1d" ->
          (steps, call, self) -> pooled(steps, call, self, name, 1);
      case "avg_pool2d", "adaptive_avg_pool2d" ->
          (steps, call, self) -> pooled(steps, call, self, name, 2);
      case "adaptive_avg_pool3d" -> (steps, call, self) -> pooled(steps, call, self, name, 3);
      case "avg_pool3d", "upsample_bilinear2d", "upsample_bilinear2d.vec" ->
          (steps, call, self) -> scaleless(steps, call, self, name);
      case "relu_",
          "relu6_",
          "hardtanh_",
          "clamp_",
          "leaky_relu_",
          "dropout_",
          "fill_.Scalar",
          "fill_.Tensor",
          "masked_fill_.Scalar",
          "index_put_",
          "index_put_.hacked_twin" ->
          inPlace(Objects.requireNonNull(computing(name.replaceFirst("_(?=\\.|$)", ""))));
      case "copy_" -> inPlace(QuantizedForms::copied);
      case "sigmoid", "hardsigmoid" -> (steps, call, self) -> bounded(steps, self, name, 0);
      case "tanh" -> (steps, call, self) -> bounded(steps, self, name, -1);
      case "eq.Tensor",
          "ne.Tensor",
          "lt.Tensor",
          "le.Tensor",
          "gt.Tensor",
          "ge.Tensor",
          "eq.Scalar",
          "ne.Scalar",
          "lt.Scalar",
          "le.Scalar",
          "gt.Scalar",
          "ge.Scalar",
          "equal" ->
          (steps, call, self) -> steps.run(name, real(steps, call));
      default -> null;
    };
  }

  private static Object onElements(Steps steps, Call call, QuantizedTensor self, String name) {
    Object[] arguments = call.arguments();
    arguments[0] = self.elements();
    return steps.run(name, arguments);
  }

  /** The arguments with reals in place of quantised tensors. */
  private static Object[] real(Steps steps, Call call) {
    Object[] arguments = call.arguments();
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] instanceof QuantizedTensor tensor) {
        arguments[i] = Quantization.dequantized(steps, tensor);
      }
    }
    return arguments;
  }

  /**
   * The same codes in another shape.
   *
   * @param axis where the dimension of channels then is; or a fault
   */
  private static Object seen(
      Steps steps, Call call, QuantizedTensor self, String name, IntFunction<Object> axis) {
    return self.quantizer() instanceof PerChannel channels
        ? ChannelViews.seen(call, self, channels, axis, onElements(steps, call, self, name))
        : moved(steps, call, self, name, NO_PARTS);
  }

  /**
   * The codes in another order, or some of them.
   *
   * @param dimAt which argument is the dimension along which they are taken; {@link #NO_PARTS} if
   *     they are not taken along one
   */
  private static Object moved(
      Steps steps, Call call, QuantizedTensor self, String name, int dimAt) {
    if (self.quantizer() instanceof PerChannel channels) {
      return dimAt == NO_PARTS
          ? Quantization.perTensorOnly(self)
          : ChannelViews.of(steps, call, self, channels, name, dimAt);
    }
    Object elements = onElements(steps, call, self, name);
    if (!(elements instanceof List<?> parts)) {
      return again(call, self, elements);
    }
    List<Object> made = new ArrayList<>();
    for (Object part : parts) {
      made.add(again(call, self, part));
    }
    return made;
  }

  /**
   * The same tensor, or a copy, if the dtype asked for is its own.
   *
   * @param dtype the position of that dtype
   */
  private static Object placed(
      Steps steps, Call call, QuantizedTensor self, String name, int dtype) {
    long own = QuantizedTensor.scalarType(self.codes());
    if (call.integerOr(dtype, own) != own) {
      return Fault.unsupported(NAMESPACE + name + " does not take " + self.remedy());
    }
    Object[] arguments = call.arguments();
    arguments[0] = self.elements();
    arguments[dtype] = (long) self.elements().dtype().code();
    return again(call, self, steps.run(name, arguments));
  }

  /** {@code elements}, a step's result, by the same quantizer. */
  private static Object again(Call call, QuantizedTensor self, Object elements) {
    if (!(elements instanceof DenseTensor tensor)) {
      return elements;
    }
    QuantizedTensor same = self.with(tensor);
    return tensor.is(self.elements()) || self.quantizer() instanceof PerChannel
        ? PackedParameters.own(call, same)
        : same;
  }

  private static Object byValue(Steps steps, Call call, QuantizedTensor self, String name) {
    return Quantization.quantizedAs(steps, steps.run(name, real(steps, call)), self);
  }

  /** Elements in some order, and their indices: the order of reals is that of their codes. */
  private static Object ordered(Steps steps, Call call, QuantizedTensor self, String name) {
    if (!(self.quantizer() instanceof PerTensor)) {
      return Quantization.perTensorOnly(self);
    }
    Object both = onElements(steps, call, self, name);
    if (both instanceof Object[] results) {
      results[0] = again(call, self, results[0]);
    }
    return both;
  }

  /** A function whose results are elements, or 0: they have codes already. */
  private static Object selected(Steps steps, Call call, QuantizedTensor self, String name) {
    Object reals = steps.run(name, real(steps, call));
    return self.quantizer() instanceof PerTensor && self.codes() != DType.INT32
        ? again(call, self, reals)
        : Quantization.quantizedAs(steps, reals, self);
  }

  /** A function that commutes with the scale: halves between two codes are exact. */
  private static Object scaleless(Steps steps, Call call, QuantizedTensor self, String name) {
    Object[] arguments = call.arguments();
    arguments[0] = Quantization.whole(steps, self);
    return Quantization.scaled(steps, steps.run(name, arguments), self);
  }

  /**
   * A mean. libtorch rounds it as a code if the elements are in order, and as a multiple of the
   * scale if they have channels last.
   */
  private static Object pooled(
      Steps steps, Call call, QuantizedTensor self, String name, int dims) {
    if (!self.inOrder() || isChannelsLast(steps, self, dims)) {
      return scaleless(steps, call, self, name);
    }
    Object[] arguments = call.arguments();
    arguments[0] = Quantization.whole(steps, self);
    return Quantization.codedAs(steps, steps.run(name, arguments), self);
  }

  /** Whether the elements have channels last; a line counts as an image of one row. */
  private static boolean isChannelsLast(Steps steps, QuantizedTensor self, int dims) {
    Object image = dims == 1 ? steps.run("unsqueeze", self.elements(), -2L) : self.elements();
    return image instanceof DenseTensor tensor
        && tensor.rank() == (dims == 3 ? 5 : 4)
        && tensor.layout().isChannelsLast();
  }

  private static Object leaky(Steps steps, Call call, QuantizedTensor self) {
    Object reals = steps.run("leaky_relu", Quantization.fused(steps, self), call.value(1));
    return Quantization.quantizedAs(steps, reals, self);
  }

  /** The second operand by the quantizer of the first. */
  private static Object copied(Steps steps, Call call, QuantizedTensor self) {
    if (call.value(1) instanceof QuantizedTensor source) {
      return source.codes() == self.codes() && source.quantizer().equals(self.quantizer())
          ? source
          : Fault.unsupported(
              "a tensor keeps its scale and zero point; copy reals, made with `dequantize`, into"
                  + " it");
    }
    return Quantization.quantizedAs(steps, call.value(1), self);
  }

  private static Form inPlace(Form form) {
    return (steps, call, self) -> {
      Object made = form.of(steps, call, self);
      if (!(made instanceof QuantizedTensor fresh)) {
        return made;
      }
      Object elements =
          self.isReal() ? Quantization.dequantized(steps, fresh) : Quantization.codes(steps, fresh);
      Object written = steps.run("copy_", self.elements(), elements);
      return written instanceof Fault ? written : PackedParameters.own(call, self);
    };
  }

  /**
   * A function with values from {@code least} to 1, whose quantizer follows from that alone: the 8
   * bits' codes between the two. Those of 32 bits are as far apart, but 0 is the code of 0.
   */
  private static Object bounded(Steps steps, QuantizedTensor self, String name, int least) {
    DType codes = self.codes();
    Object reals = steps.run(name, Quantization.dequantized(steps, self));
    double scale = Math.scalb(1.0 - least, -8 * codes.bytes());
    long zero =
        switch (codes) {
          case INT8 -> least < 0 ? 0 : -128;
          case UINT8 -> least < 0 ? 128 : 0;
          default -> 0;
        };
    return Quantization.laidAs(
        Quantization.quantized(steps, reals, new PerTensor(scale, zero), codes), self);
  }

  private static Object joined(Steps steps, Call call, String name) {
    List<Object> reals = new ArrayList<>();
    QuantizedTensor first = null;
    for (Object each : call.list(0)) {
      if (!(each instanceof QuantizedTensor tensor)) {
        return Fault.unsupported(
            name + " takes quantised tensors or real ones, but not both; use `dequantize`");
      }
      first = first == null ? tensor : first;
      reals.add(Quantization.dequantized(steps, tensor));
    }
    Object[] arguments = call.arguments();
    arguments[0] = reals;
    Object whole = steps.run(name, arguments);
    return first == null ? whole : Quantization.quantizedAs(steps, whole, first);
  }
}
