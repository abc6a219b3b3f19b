package dev.staunch.kernel.quantized;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.QuantizedTensor;
import dev.staunch.kernel.QuantizedTensor.PerChannel;
import dev.staunch.kernel.QuantizedTensor.PerTensor;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;

/** Parts of a tensor with a scale for each channel: some of its channels, or some of each. */
final class ChannelViews {
  private ChannelViews() {}

  /** The result of an operation that takes parts along the dimension in an argument; or a fault. */
  static Object of(
      Steps steps, Call call, QuantizedTensor self, PerChannel channels, String name, int at) {
    Object dim = Dimensions.wrap(call.integer(at), self.shape().rank());
    if (!(dim instanceof Integer along)) {
      return dim;
    }
    Object codes = taken(steps, call, self.elements(), name, at, along);
    boolean across = along != channels.axis();
    Object scales = across ? channels.scales() : taken(steps, call, channels.scales(), name, at, 0);
    Object zeros =
        across ? channels.zeroPoints() : taken(steps, call, channels.zeroPoints(), name, at, 0);
    if (name.equals("select.int")) {
      int axis = along < channels.axis() ? channels.axis() - 1 : channels.axis();
      return across
          ? tensor(call, codes, scales, zeros, axis)
          : channel(steps, call, codes, scales, zeros);
    }
    if (!(codes instanceof List<?> parts)) {
      return tensor(call, codes, scales, zeros, channels.axis());
    }
    List<Object> made = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      made.add(tensor(call, parts.get(i), part(scales, i), part(zeros, i), channels.axis()));
    }
    return made;
  }

  private static Object part(Object parts, int i) {
    return parts instanceof List<?> list ? list.get(i) : parts;
  }

  private static Object taken(
      Steps steps, Call call, DenseTensor tensor, String name, int at, long along) {
    Object[] arguments = call.arguments();
    arguments[0] = tensor;
    arguments[at] = along;
    return steps.run(name, arguments);
  }

  private static Object tensor(Call call, Object codes, Object scales, Object zeros, int axis) {
    return codes instanceof DenseTensor elements
            && scales instanceof DenseTensor first
            && zeros instanceof DenseTensor second
        ? PackedParameters.own(
            call, QuantizedTensor.of(elements, new PerChannel(first, second, axis)))
        : codes;
  }

  /** One channel, which has one scale. */
  private static Object channel(Steps steps, Call call, Object codes, Object scales, Object zeros) {
    if (zeros instanceof DenseTensor points && points.dtype().isFloating()) {
      return Fault.unsupported("a channel needs a zero point that is an integer");
    }
    return codes instanceof DenseTensor elements
            && steps.run("Float.Tensor", scales) instanceof Double scale
            && steps.run("Int.Tensor", zeros) instanceof Long zeroPoint
        ? PackedParameters.own(call, QuantizedTensor.of(elements, new PerTensor(scale, zeroPoint)))
        : codes;
  }
}
