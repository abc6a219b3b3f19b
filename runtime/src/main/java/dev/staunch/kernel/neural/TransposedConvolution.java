package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.ConvolutionChecks;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Transposed convolution: plain convolutions where {@link PhasedConvolution} fits. Elsewhere a
 * product of the weight with each pixel gives what the pixel adds to the places under the kernel,
 * and {@code col2im} sums that up.
 */
final class TransposedConvolution {
  /** As a memory format. */
  private static final long CHANNELS_LAST = 2;

  private final Steps steps;
  private final Operands operands;
  private final TensorForm input;
  private final TensorForm weight;
  private final int dims;
  private final long[] stride;
  private final long[] padding;
  private final long[] more;
  private final long[] dilation;
  private final long groups;

  private TransposedConvolution(Steps steps, Operands call, int[] places) {
    this.steps = steps;
    this.operands = call;
    this.input = call.form(0);
    this.weight = call.form(1);
    this.dims = weight.rank() - 2;
    this.stride = Dimensions.each(call.integers(places[0]), dims);
    this.padding = Dimensions.each(call.integers(places[1]), dims);
    this.more = Dimensions.each(call.integers(places[2]), dims);
    this.dilation = Dimensions.each(call.integers(places[3]), dims);
    this.groups = call.integer(places[4]);
  }

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder narrow =
        plain
            .with(Trait.NARROW_AS_FLOAT32)
            .withCost(ConvolutionCall::multiplyAdds)
            .withDTypes(DType.of(DType.Kind.FLOATING, DType.Kind.COMPLEX));
    for (int dims = 1; dims <= 2; dims++) {
      String name = dims == 1 ? "conv_transpose1d" : "conv_transpose2d.input";
      String list = "SymInt[" + dims + "] ";
      String ones = dims == 1 ? "[1]" : "[1, 1]";
      String zeros = dims == 1 ? "[0]" : "[0, 0]";
      int[] places = {3, 4, 5, 7, 6};
      int count = dims;
      Catalog.Builder catalog = dims == 1 ? narrow.with(Trait.AUTOCAST_REDUCES) : narrow;
      Composite.add(
          catalog,
          Message.of(
              "aten::%s(Tensor input, Tensor weight, Tensor? bias=None, %sstride=%s, %spadding=%s,"
                  + " %soutput_padding=%s, SymInt groups=1, %sdilation=%s) -> Tensor",
              name, list, ones, list, zeros, list, zeros, list, ones),
          (steps, call) ->
              call.rank(1) == count + 2
                  ? new TransposedConvolution(steps, call, places).run(call.value(2))
                  : OperandChecks.shape(
                      Message.of(
                          "conv_transpose%dd takes a weight of %d dimensions, but its shape is %s",
                          count, count + 2, call.shape(1)),
                      (count + 2) + " dimensions",
                      call.shape(1)));
    }
  }

  /** Takes the arguments of {@code aten::_convolution}. */
  static Object general(Steps steps, Operands call) {
    int[] places = {3, 4, 7, 5, 8};
    int dims = call.rank(1) - 2;
    return dims == 1 || dims == 2
        ? new TransposedConvolution(steps, call, places).run(call.value(2))
        : Fault.unsupported(
            "a transposed convolution goes over 1 or 2 dimensions, but the weight has "
                + dims
                + "; fold the others into the batch");
  }

  private Object run(Object bias) {
    Fault fault = misfit();
    if (fault != null) {
      return fault;
    }
    boolean single = input.rank() == dims + 1;
    Object batch = single ? steps.run("unsqueeze", operands.value(0), 0L) : operands.value(0);
    Object images = dims == 1 ? steps.run("unsqueeze", batch, 2L) : batch;
    Object result = phased(images, bias);
    result = result == null ? biased(images(images), bias) : result;
    result = dims == 1 ? steps.run("squeeze.dim", result, 2L) : inOrder(result, single);
    return single ? steps.run("squeeze.dim", result, 0L) : result;
  }

  private Object biased(Object result, Object bias) {
    return operands.optionalForm(2) == null
        ? result
        : steps.run("add_.Tensor", result, steps.view(bias, outputs(), 1, 1));
  }

  /** The result as {@link PhasedConvolution} computes it; null if it does not. */
  private @Nullable Object phased(Object images, Object bias) {
    boolean dense = Arrays.stream(dilation).allMatch(step -> step == 1);
    if (!Steps.isTensor(images) || !dense || !input.dtype().isFloating() || input.elements() == 0) {
      return null;
    }
    PhasedConvolution.Line across = line(dims - 1);
    PhasedConvolution.Line down = dims == 2 ? line(0) : new PhasedConvolution.Line(1, 1, 1, 0, 1);
    PhasedConvolution phases = new PhasedConvolution(steps, down, across, groups);
    return phases.fits() ? phases.run(images, operands.value(1), bias) : null;
  }

  private PhasedConvolution.Line line(int d) {
    return new PhasedConvolution.Line(
        pixels(d), weight.shape().size(2 + d), stride[d], padding[d], result(d));
  }

  /** The size of the input in a spatial dimension. */
  private long pixels(int d) {
    return input.shape().size(input.rank() - dims + d);
  }

  /** The size of the result in a spatial dimension. */
  private long result(int d) {
    long moved = (pixels(d) - 1) * stride[d] - 2 * padding[d];
    return moved + dilation[d] * (weight.shape().size(2 + d) - 1) + more[d] + 1;
  }

  private long outputs() {
    return groups * weight.shape().size(1);
  }

  /** The sums for images [n, c, h, w], without the bias; the height of a line is 1. */
  private Object images(Object batch) {
    if (!Steps.isTensor(batch)) {
      return batch;
    }
    long[] size = Arrays.copyOfRange(weight.shape().toArray(), 2, 2 + dims);
    long[] result = new long[dims];
    long[] beyond = new long[2 * dims];
    for (int d = 0; d < dims; d++) {
      result[d] = result(d);
      beyond[2 * (dims - 1 - d) + 1] = more[d] / stride[d]; // places that no pixel has
    }
    Object columns = columns(batch);
    boolean grows = Arrays.stream(beyond).anyMatch(places -> places > 0);
    return steps.run(
        "col2im",
        grows ? grown(columns, batch, beyond) : columns,
        Steps.ints(planar(result, 1)),
        Steps.ints(planar(size, 1)),
        Steps.ints(planar(dilation, 1)),
        Steps.ints(planar(padding, 0)),
        Steps.ints(planar(stride, 1)));
  }

  /**
   * The columns with zeros for places beyond the pixels: zeros among the pixels would make NaN of
   * an infinite weight.
   */
  private Object grown(Object columns, Object batch, long[] beyond) {
    if (!Steps.isTensor(columns)) {
      return columns;
    }
    Shape pixels = Steps.form(batch).shape();
    Shape flat = Steps.form(columns).shape();
    Object planes = steps.view(columns, flat.size(0), flat.size(1), pixels.size(2), pixels.size(3));
    Object padded = steps.run("constant_pad_nd", planes, Steps.ints(beyond));
    return steps.view(padded, flat.size(0), flat.size(1), -1);
  }

  /** A number for each dimension of an image: of a line, {@code down} is the first. */
  private static long[] planar(long[] values, long down) {
    return values.length == 2 ? values : Views.with(values, 0, down);
  }

  /** What each pixel adds to each place under the kernel: [n, outputs * taps, pixels]. */
  private Object columns(Object batch) {
    if (!Steps.isTensor(batch)) {
      return batch;
    }
    long[] sizes = Steps.form(batch).shape().toArray();
    long channels = sizes[1] / groups;
    long lines = weight.shape().size(1);
    for (int d = 0; d < dims; d++) {
      lines *= weight.shape().size(2 + d);
    }
    long pixels = sizes[2] * sizes[3];
    boolean one = groups == 1;
    Object each =
        one
            ? steps.view(batch, sizes[0], channels, pixels)
            : steps.view(batch, sizes[0], groups, channels, pixels);
    Object taps =
        one
            ? steps.view(operands.value(1), channels, lines)
            : steps.view(operands.value(1), groups, channels, lines);
    Object columns = steps.run("matmul", steps.run("transpose.int", taps, -2L, -1L), each);
    return one ? columns : steps.view(columns, sizes[0], groups * lines, pixels);
  }

  /** The result with channels last, if the input or the weight suggests that. */
  private Object inOrder(Object result, boolean single) {
    boolean last =
        weight.layout().suggestsChannelsLast()
            || (!single && input.layout().suggestsChannelsLast());
    return last ? steps.run("contiguous", result, CHANNELS_LAST) : result;
  }

  private @Nullable Fault misfit() {
    String name = "conv_transpose" + dims + "d";
    DType dtype = input.dtype();
    TensorForm bias = operands.optionalForm(2);
    Fault fault =
        OperandChecks.first(
            OperandChecks.sameDType(name, dtype, "weight", weight.dtype()),
            OperandChecks.sameDType(name, dtype, "bias", bias == null ? null : bias.dtype()),
            OperandChecks.implemented(name, dtype));
    fault = fault == null ? wrongSizes() : fault;
    return fault == null && bias != null ? wrongBias(bias) : fault;
  }

  private @Nullable Fault wrongBias(TensorForm bias) {
    return bias.rank() == 1 && bias.shape().elements() == outputs()
        ? null
        : OperandChecks.shape(
            Message.of(
                "the weight %s needs a bias of %s, but its shape is %s",
                weight.shape(), Message.count(outputs(), "element"), bias.shape()),
            "bias [" + outputs() + "]",
            bias.shape());
  }

  private @Nullable Fault wrongSizes() {
    for (long[] list : new long[][] {stride, padding, more, dilation}) {
      if (list.length != dims) {
        String text = "stride, paddings and dilation take one number or %d each, but one has %d";
        return Fault.value(Message.of(text, dims, list.length));
      }
    }
    boolean ranks = input.rank() == dims + 2 || input.rank() == dims + 1;
    long channels = ranks ? input.shape().size(input.rank() - dims - 1) : -1;
    if (!ranks || groups <= 0 || channels != weight.shape().size(0) || channels % groups != 0) {
      return ConvolutionChecks.wrongTransposed(input, weight, groups);
    }
    for (int d = 0; d < dims; d++) {
      if (stride[d] <= 0 || dilation[d] <= 0 || padding[d] < 0 || more[d] < 0) {
        String text = "stride %d and dilation %d must be positive, paddings %d and %d not negative";
        return Fault.value(Message.of(text, stride[d], dilation[d], padding[d], more[d]));
      }
      if (more[d] >= Math.max(stride[d], dilation[d])) {
        return Fault.value(
            Message.of(
                "`output_padding` %d must be below the stride %d or the dilation %d",
                more[d], stride[d], dilation[d]));
      }
      if (pixels(d) == 0 || weight.shape().size(2 + d) == 0 || result(d) < 1) {
        return Fault.shape(
            Message.of(
                "the padding takes away all that the weight %2$s makes of the input %1$s; pad less",
                input.shape(), weight.shape()));
      }
    }
    return null;
  }
}
