package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Transposed convolution, computed as a plain one: the stride spreads the input's elements apart,
 * the weight is mirrored, and its channels are swapped within each group.
 */
final class TransposedConvolution {
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
    this.stride = repeated(call.integers(places[0]));
    this.padding = repeated(call.integers(places[1]));
    this.more = repeated(call.integers(places[2]));
    this.dilation = repeated(call.integers(places[3]));
    this.groups = call.integer(places[4]);
  }

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder narrow =
        plain
            .with(Trait.NARROW_AS_FLOAT32)
            .withCost(ConvolutionCall::multiplyAdds)
            .withDTypes(DType.of(DType.Kind.FLOATING));
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

  private long[] repeated(long[] values) {
    if (values.length != 1) {
      return values;
    }
    long[] repeated = new long[dims];
    Arrays.fill(repeated, values[0]);
    return repeated;
  }

  private Object run(Object bias) {
    Fault fault = misfit();
    if (fault != null) {
      return fault;
    }
    boolean single = input.rank() == dims + 1;
    Object batch = single ? steps.run("unsqueeze", operands.value(0), 0L) : operands.value(0);
    Object result =
        steps.run(
            "conv" + dims + "d",
            padded(Steps.isTensor(batch) ? spread(batch) : batch),
            mirrored(),
            bias,
            Steps.ints(repeated(new long[] {1})),
            Steps.ints(repeated(new long[] {0})),
            Steps.ints(dilation),
            groups);
    return single ? steps.run("squeeze.dim", result, 0L) : result;
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
    return fault == null ? wrongSizes() : fault;
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
      String text = "the weight %s takes %s in %s, but the input is %s";
      return Fault.shape(
              Message.of(
                  text,
                  weight.shape(),
                  Message.count(weight.shape().size(0), "channel"),
                  Message.count(groups, "group"),
                  input.shape()))
          .withExpected(Message.count(weight.shape().size(0), "channel"), input.shape().toString());
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
      long size = input.shape().size(input.rank() - dims + d);
      long kernel = weight.shape().size(2 + d);
      long result = (size - 1) * stride[d] - 2 * padding[d] + dilation[d] * (kernel - 1) + more[d];
      if (size == 0 || kernel == 0 || result < 0) {
        return Fault.shape(
            Message.of(
                "the padding takes away all that the weight %2$s makes of the input %1$s; pad less",
                input.shape(), weight.shape()));
      }
    }
    return null;
  }

  /** The input with zeros between its elements. */
  private Object spread(Object batch) {
    if (Arrays.stream(stride).allMatch(by -> by == 1)) {
      return batch;
    }
    long[] sizes = Steps.form(batch).shape().toArray();
    for (int d = 0; d < dims; d++) {
      sizes[2 + d] = (sizes[2 + d] - 1) * stride[d] + 1;
    }
    Object wide = steps.run("zeros", Steps.ints(sizes), (long) input.dtype().code());
    Object spots = wide;
    for (int d = 0; d < dims; d++) {
      spots = steps.run("slice.Tensor", spots, 2L + d, 0L, Long.MAX_VALUE, stride[d]);
    }
    Object written = steps.run("copy_", spots, batch);
    return Steps.isTensor(written) ? wide : written;
  }

  /** The input with room for the kernel around it; less where the padding crops the result. */
  private Object padded(Object wide) {
    long[] pad = new long[2 * dims];
    for (int d = 0; d < dims; d++) {
      long room = dilation[d] * (weight.shape().size(2 + d) - 1) - padding[d];
      pad[2 * (dims - 1 - d)] = room;
      pad[2 * (dims - 1 - d) + 1] = room + more[d];
    }
    return steps.run("constant_pad_nd", wide, Steps.ints(pad));
  }

  /** The weight [in, out / groups, *] as [out, in / groups, *], its last dimensions mirrored. */
  private Object mirrored() {
    long[] sizes = weight.shape().toArray();
    long[] parts = Views.with(sizes, 0, groups);
    parts[1] = sizes[0] / groups;
    Object exchanged = steps.run("transpose.int", steps.view(operands.value(1), parts), 1L, 2L);
    long[] result = sizes.clone();
    result[0] = groups * sizes[1];
    result[1] = sizes[0] / groups;
    long[] last = dims == 1 ? new long[] {2} : new long[] {2, 3};
    return steps.run("flip", steps.view(exchanged, result), Steps.ints(last));
  }
}
