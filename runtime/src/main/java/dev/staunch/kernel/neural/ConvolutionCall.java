package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Preparation;
import dev.staunch.kernel.operand.ConvolutionChecks;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Views;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.operation.Cost;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a convolution over one or two dimensions, read from its operands; checks them
 * and runs it.
 */
final class ConvolutionCall {
  private final int dims;
  private final TensorForm input;
  private final TensorForm weight;
  private final @Nullable TensorForm bias;
  private final long[] stride;
  private final long[] before;
  private final long[] after;
  private final long[] dilation;
  private final long groups;

  private ConvolutionCall(
      Operands operands, int dims, long[] stride, long[][] padding, long[] dilation, long groups) {
    this.dims = dims;
    this.input = operands.form(0);
    this.weight = operands.form(1);
    this.bias = operands.optionalForm(2);
    this.stride = stride;
    this.before = padding[0];
    this.after = padding[1];
    this.dilation = dilation;
    this.groups = groups;
  }

  /** Reads the operands of a convolution: a {@code ConvolutionCall}, or a fault. */
  @FunctionalInterface
  interface Reading {
    Object of(Operands operands);
  }

  /** The form of the result of {@link #run}; or the fault. */
  static Object form(Operands operands, Reading reading) {
    Object read = reading.of(operands);
    return read instanceof ConvolutionCall convolution ? convolution.form() : read;
  }

  /** A new tensor, or a fault. */
  static Object run(Call call, Reading reading) {
    PreparedConvolution known = PreparedConvolution.known(call);
    if (known != null) {
      return known.run(call);
    }
    Object read = reading.of(call);
    if (!(read instanceof ConvolutionCall convolution)) {
      return read;
    }
    Fault fault = convolution.fault();
    return fault == null ? convolution.convolved(call) : fault;
  }

  /** {@code conv1d}, {@code conv2d}: stride, padding, dilation and groups from argument 3 on. */
  static Object plain(Operands operands, int dims) {
    return numbered(operands, dims, 6);
  }

  private static Object numbered(Operands operands, int dims, int groupsAt) {
    long[] padding = Dimensions.each(operands.integers(4), dims);
    return new ConvolutionCall(
        operands,
        dims,
        Dimensions.each(operands.integers(3), dims),
        new long[][] {padding, padding},
        Dimensions.each(operands.integers(5), dims),
        operands.integer(groupsAt));
  }

  /** The overloads whose padding is {@code "same"} or {@code "valid"}. */
  static Object named(Operands operands, int dims) {
    long[] stride = Dimensions.each(operands.integers(3), dims);
    long[] dilation = Dimensions.each(operands.integers(5), dims);
    long[][] padding = new long[2][dims];
    String word = operands.string(4);
    Fault fault = ConvolutionChecks.word(word, stride);
    if (fault != null) {
      return fault;
    }
    if (word.equals("same")) {
      int spatial = Math.min(dilation.length, operands.rank(1) - 2);
      for (int i = 0; i < Math.min(dims, spatial); i++) {
        long total = dilation[i] * (operands.shape(1).size(i + 2) - 1);
        padding[0][i] = total / 2;
        padding[1][i] = total - total / 2;
      }
    }
    return new ConvolutionCall(operands, dims, stride, padding, dilation, operands.integer(6));
  }

  /** {@code _convolution_mode}, which traced programs use: as {@link #named}. */
  static Object mode(Operands operands) {
    int dims = operands.rank(1) - 2;
    return dims == 1 || dims == 2 ? named(operands, dims) : unknown(dims);
  }

  private static Fault unknown(int dims) {
    return Fault.unsupported(
        "a convolution goes over 1 or 2 dimensions, but the weight has "
            + dims
            + "; fold the others into the batch");
  }

  /** {@code _convolution} and {@code convolution}, which traced programs use. */
  static Object general(Operands operands) {
    int dims = operands.rank(1) - 2;
    return dims == 1 || dims == 2 ? numbered(operands, dims, 8) : unknown(dims);
  }

  /**
   * As {@code reading}; unlike {@code conv2d}, the general forms do not accept an input without a
   * batch.
   */
  static Reading batched(Reading reading) {
    return operands -> isBatched(operands) ? reading.of(operands) : unbatched(operands);
  }

  static boolean isBatched(Operands operands) {
    return operands.rank(0) == operands.rank(1);
  }

  private static Fault unbatched(Operands operands) {
    int dims = operands.rank(1);
    String text =
        "a convolution whose weight has %1$d dimensions takes an input of %1$d, but its shape is"
            + " %2$s%3$s";
    boolean single = operands.rank(0) == dims - 1;
    return OperandChecks.shape(
        Message.of(
            text, dims, operands.shape(0), single ? "; give it a first dimension of size 1" : ""),
        dims + " dimensions",
        operands.shape(0));
  }

  /** The number of multiply-adds of a convolution with this weight and these results. */
  static long multiplyAdds(Operands operands, Object results) {
    Shape weight = operands.shape(1);
    return Cost.times(Cost.elements(results), weight.elements() / Math.max(1, weight.size(0)));
  }

  private Object form() {
    Fault fault = fault();
    if (fault != null) {
      return fault;
    }
    boolean batched = input.rank() == dims + 2;
    Shape result = planes(planar(input, batched), planar(weight, true));
    Layout written = suggestsChannelsLast(batched) ? channelsLast(result, batched) : null;
    return new TensorForm(input.dtype(), resultShape(result, batched), written, /* name= */ null);
  }

  /** Whether the input or the weight suggests a channels-last result, by libtorch's rules. */
  private boolean suggestsChannelsLast(boolean batched) {
    return dims == 2
        && (weight.layout().suggestsChannelsLast()
            || (batched && input.layout().suggestsChannelsLast()));
  }

  private static Layout channelsLast(Shape planes, boolean batched) {
    Layout last = Layout.channelsLast(planes);
    return batched
        ? last
        : new Layout(
            Shape.of(Arrays.copyOfRange(planes.toArray(), 1, planes.rank())),
            Arrays.copyOfRange(last.strides(), 1, planes.rank()),
            0);
  }

  private @Nullable Fault fault() {
    String name = "conv" + dims + "d";
    DType dtype = input.dtype();
    Fault fault =
        OperandChecks.first(
            OperandChecks.sameDType(name, dtype, "weight", weight.dtype()),
            OperandChecks.sameDType(name, dtype, "bias", bias == null ? null : bias.dtype()),
            OperandChecks.implemented(name, dtype));
    fault = fault != null ? fault : checkRanks();
    fault = fault != null ? fault : checkNumbers();
    fault = fault != null ? fault : ConvolutionChecks.channels(input, weight, groups);
    fault = fault != null ? fault : checkBias();
    return fault != null ? fault : ConvolutionChecks.sizes(input, weight, dilation, before, after);
  }

  private @Nullable Fault checkRanks() {
    int rank = input.rank();
    if (weight.rank() != dims + 2) {
      return OperandChecks.shape(
          Message.of(
              "conv%dd takes a weight of %d dimensions, but its shape is %s",
              dims, dims + 2, weight.shape()),
          dims + 2 + " dimensions",
          weight.shape());
    }
    if (rank != dims + 1 && rank != dims + 2) {
      String text =
          "conv%dd takes an input of %d dimensions, or %d with a batch, but its shape is %s";
      return OperandChecks.shape(
          Message.of(text, dims, dims + 1, dims + 2, input.shape()),
          dims + 1 + " or " + (dims + 2) + " dimensions",
          input.shape());
    }
    return null;
  }

  private @Nullable Fault checkNumbers() {
    for (long[] list : new long[][] {stride, before, after, dilation}) {
      if (list.length != dims) {
        return Fault.value(
            Message.of(
                "conv%dd needs %s each for stride, padding and dilation, but got %s",
                dims, Message.count(dims, "number"), Arrays.toString(list)));
      }
    }
    if (Dimensions.anyBelow(1, stride)) {
      return Fault.value("`stride` must be positive, but it is " + Arrays.toString(stride));
    }
    if (Dimensions.anyBelow(0, before)) {
      return Fault.value("`padding` must not be negative, but it is " + Arrays.toString(before));
    }
    if (Dimensions.anyBelow(1, dilation)) {
      return Fault.value("`dilation` must be positive, but it is " + Arrays.toString(dilation));
    }
    return groups > 0 ? null : Fault.value("`groups` must be positive, but it is " + groups);
  }

  private @Nullable Fault checkBias() {
    long outputs = weight.shape().size(0);
    if (bias != null && (bias.rank() != 1 || bias.shape().elements() != outputs)) {
      String text = "the weight %s needs a bias of %s, but its shape is %s";
      return OperandChecks.shape(
          Message.of(text, weight.shape(), Message.count(outputs, "element"), bias.shape()),
          "bias [" + outputs + "]",
          bias.shape());
    }
    return null;
  }

  private Object convolved(Call call) {
    Preparation preparation = call.preparation();
    boolean batched = input.rank() == dims + 2;
    Layout planes = planar(input, batched);
    Layout filters = planar(weight, true);
    Shape result = planes(planes, filters);
    Convolution.Request request =
        new Convolution.Request(
            input.dtype(),
            planes,
            filters,
            bias == null ? null : new Layout(bias.shape(), bias.layout().strides(), 0),
            Layout.contiguous(result),
            vertical(),
            window(dims - 1),
            Shape.asInt(groups),
            preparation == null ? null : preparation.constant(call.tensor(1)));
    int version = call.environment().kernels().version();
    Layout image = null;
    if (suggestsChannelsLast(batched)) {
      image = channelsLast(result, batched);
    } else if (batched && dims == 2 && givesChannelsLast(call, request)) {
      image = Layout.turned(result);
    }
    if (image != null) {
      request = request.withResult(Layout.channelsLast(result));
    }
    PreparedConvolution fresh =
        PreparedConvolution.of(call, version, request, resultShape(result, batched), image);
    if (preparation != null) {
      preparation.keep(0, fresh);
    }
    return fresh.run(call);
  }

  /**
   * False if the kernels that will prefer channels last are not warm yet: the kernels that serve
   * until then do not prefer it.
   */
  private static boolean givesChannelsLast(Call call, Convolution.Request request) {
    Call.Order order = call.resultOrder();
    KernelSet kernels = call.environment().kernels();
    return order == Call.Order.ANY
        ? kernels.prefersChannelsLast(request) && kernels.isWarm()
        : order == Call.Order.CHANNELS_LAST;
  }

  /** The tensor's layout with four dimensions, counting from its first element. */
  private Layout planar(TensorForm tensor, boolean batched) {
    long[] sizes = tensor.shape().toArray();
    long[] strides = tensor.layout().strides();
    if (!batched) {
      sizes = Views.with(sizes, 0, 1);
      strides = Views.with(strides, 0, 0);
    }
    if (dims == 1) {
      sizes = Views.with(sizes, 2, 1);
      strides = Views.with(strides, 2, 0);
    }
    return new Layout(Shape.of(sizes), strides, 0);
  }

  private Shape planes(Layout planes, Layout filters) {
    return Shape.of(
        planes.shape().size(0),
        filters.shape().size(0),
        vertical().outputs(Shape.asInt(planes.shape().size(2)), false),
        window(dims - 1).outputs(Shape.asInt(planes.shape().size(3)), false));
  }

  private Window vertical() {
    return dims == 1 ? new Window(1, 1, 0, 0, 1) : window(0);
  }

  private Window window(int dim) {
    return new Window(
        Shape.asInt(weight.shape().size(dim + 2)),
        Shape.asInt(stride[dim]),
        Shape.asInt(before[dim]),
        Shape.asInt(after[dim]),
        Shape.asInt(dilation[dim]));
  }

  private Shape resultShape(Shape planes, boolean batched) {
    long[] sizes = planes.toArray();
    if (dims == 1) {
      sizes = new long[] {sizes[0], sizes[1], sizes[3]};
    }
    return Shape.of(batched ? sizes : Arrays.copyOfRange(sizes, 1, sizes.length));
  }
}
