package dev.staunch.kernel.quantized;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.QuantizedTensor;
import dev.staunch.kernel.QuantizedTensor.PerChannel;
import dev.staunch.kernel.QuantizedTensor.PerTensor;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

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
    if (codes instanceof DenseTensor part && part.rank() < self.shape().rank()) {
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

  /**
   * The tensor whose codes a view gave another shape; a fault if that has not the channels.
   *
   * @param axis where the dimension of channels is in it; or a fault
   */
  static Object seen(
      Call call,
      QuantizedTensor self,
      PerChannel channels,
      IntFunction<Object> axis,
      Object codes) {
    Object place = axis.apply(channels.axis());
    if (!(codes instanceof DenseTensor elements) || !(place instanceof Integer at)) {
      return codes instanceof DenseTensor ? place : codes;
    }
    Shape shape = elements.shape();
    if (shape.rank() <= at || shape.size(at) != channels.scales().elements()) {
      String text = "%s has its scales along dimension %d, for which the shape %s has no place";
      return Fault.unsupported(Message.of(text, self, channels.axis(), shape));
    }
    return tensor(call, elements, channels.scales(), channels.zeroPoints(), at);
  }

  /** The place of dimension {@code axis} after an operation that inserts another. */
  static Object unsqueezed(Call call, QuantizedTensor self, int axis) {
    Object dim = Dimensions.wrap(call.integer(1), self.shape().rank() + 1);
    return dim instanceof Integer at ? (Object) (at <= axis ? axis + 1 : axis) : dim;
  }

  /** The same after an operation that drops those of size 1: all, or those in its argument. */
  static Object squeezed(Call call, QuantizedTensor self, int axis) {
    Shape shape = self.shape();
    long[] dims =
        call.size() == 1
            ? new long[0]
            : call.value(1) instanceof Long dim ? new long[] {dim} : call.integers(1);
    Object mask = Dimensions.mask(dims, shape.rank());
    if (!(mask instanceof boolean[] asked)) {
      return mask;
    }
    boolean all = call.size() == 1;
    int place = axis;
    for (int d = 0; d <= axis; d++) {
      boolean dropped = (all || dims.length > 0) && asked[d] && shape.size(d) == 1;
      if (dropped && d == axis) {
        return Fault.unsupported("the dimension along which a tensor has its scales is kept");
      }
      place -= dropped ? 1 : 0;
    }
    return place;
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
