package dev.staunch.kernel.volume;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.ConvolutionChecks;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions of volumes, made of convolutions over planes: of one, in which the depth of the
 * kernel is part of its channels; or, where that is impossible, of one for each slice of the
 * kernel.
 */
final class VolumeConvolution {
  /** The form of a constant weight that is made once. */
  private enum Format {
    FOLDED
  }

  private static final String HEAD =
      "(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=[1, 1, 1], ";

  private final Steps steps;
  private final String name;
  private final Operands call;
  private final TensorForm input;
  private final TensorForm weight;
  private final boolean hasBias;
  private final long[] stride;
  private final long[] dilation;
  private final long groups;

  private VolumeConvolution(
      Steps steps, Operands call, String name, long[] stride, long[] dilation, long groups) {
    this.steps = steps;
    this.name = name;
    this.call = call;
    this.input = call.form(0);
    this.weight = call.form(1);
    this.hasBias = !call.isNone(2);
    this.stride = stride;
    this.dilation = dilation;
    this.groups = groups;
  }

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder narrow = plain.with(Trait.NARROW_AS_FLOAT32);
    Catalog.Builder catalog = narrow.with(Trait.AUTOCAST_REDUCES);
    Composite.add(
        catalog,
        "aten::conv3d"
            + HEAD
            + "int[3] padding=[0, 0, 0], int[3] dilation=[1, 1, 1], int groups=1) -> Tensor",
        (steps, call) -> {
          long[] padding = Volumes.three(call.integers(4));
          return of(steps, call, "conv3d", 5).plain(padding, padding);
        });
    Composite.add(
        catalog,
        "aten::conv3d.padding"
            + HEAD
            + "str padding=\"valid\", int[3] dilation=[1, 1, 1], int groups=1) -> Tensor",
        (steps, call) -> of(steps, call, "conv3d", 5).named(call.string(4)));
    Composite.add(
        narrow,
        "aten::conv_transpose3d.input"
            + HEAD
            + "int[3] padding=[0, 0, 0], int[3] output_padding=[0, 0, 0], int groups=1,"
            + " int[3] dilation=[1, 1, 1]) -> Tensor",
        (steps, call) ->
            of(steps, call, "conv_transpose3d", 7)
                .transposed(Volumes.three(call.integers(4)), Volumes.three(call.integers(5))));
  }

  private static VolumeConvolution of(Steps steps, Operands call, String name, int dilation) {
    return new VolumeConvolution(
        steps,
        call,
        name,
        Volumes.three(call.integers(3)),
        Volumes.three(call.integers(dilation)),
        call.integer(6));
  }

  /**
   * The fault found before anything is computed, worded for volumes instead of slices; else null.
   */
  private @Nullable Fault misfit(long[]... numbers) {
    DType dtype = input.dtype();
    Fault fault =
        OperandChecks.first(
            OperandChecks.sameDType(name, dtype, "weight", weight.dtype()),
            OperandChecks.sameDType(name, dtype, "bias", hasBias ? call.dtype(2) : null),
            OperandChecks.implemented(name, dtype),
            Volumes.misfit(name, input));
    if (fault == null && weight.rank() != 5) {
      String text = "%s takes a weight of 5 dimensions, but its shape is %s";
      fault =
          OperandChecks.shape(
              Message.of(text, name, weight.shape()), "5 dimensions", weight.shape());
    }
    for (long[] three : numbers) {
      if (fault == null && (three.length != 3 || Dimensions.anyBelow(0, three))) {
        String text = "%s takes 3 numbers each for stride, padding and dilation, but got %s";
        fault = Fault.value(Message.of(text, name, Arrays.toString(three)));
      }
    }
    if (fault == null && (Dimensions.anyBelow(1, stride) || Dimensions.anyBelow(1, dilation))) {
      fault = Fault.value(name + " takes a positive stride and dilation");
    }
    return fault == null && groups < 1
        ? Fault.value("`groups` must be positive, but it is " + groups)
        : fault;
  }

  /** The fault if the channels of the input or the bias do not fit the weight; else null. */
  private @Nullable Fault wrongChannels() {
    Fault fault = ConvolutionChecks.channels(input, weight, groups);
    return fault == null && hasBias ? misfit(call.form(2), weight.shape().size(0)) : fault;
  }

  /** As {@link #wrongChannels}, for a weight whose first size is the number of input channels. */
  private @Nullable Fault wrongTransposedChannels() {
    long channels = ConvolutionChecks.channels(input, weight);
    if (channels != weight.shape().size(0) || channels % groups != 0) {
      return ConvolutionChecks.wrongTransposed(input, weight, groups);
    }
    return hasBias ? misfit(call.form(2), weight.shape().size(1) * groups) : null;
  }

  /**
   * The fault for padding that leaves nothing of a transposed convolution, or for output padding
   * that is too large; else null.
   */
  private @Nullable Fault nothingLeft(long[] padding, long[] outputPadding) {
    for (int d = 0; d < 3; d++) {
      if (outputPadding[d] >= Math.max(stride[d], dilation[d])) {
        String text = "`output_padding` %d must be below the stride %d or the dilation %d";
        return Fault.value(Message.of(text, outputPadding[d], stride[d], dilation[d]));
      }
      long size = input.shape().size(input.rank() - 3 + d);
      long kernel = weight.shape().size(d + 2);
      long spread = (size - 1) * stride[d] + dilation[d] * (kernel - 1) + outputPadding[d];
      if (size == 0 || kernel == 0 || spread < 2 * padding[d]) {
        String text =
            "the padding takes away all that the weight %s makes of the input %s; pad less";
        return Fault.shape(Message.of(text, weight.shape(), input.shape()));
      }
    }
    return null;
  }

  /** The fault for a bias without exactly one element per channel of the result; else null. */
  private @Nullable Fault misfit(TensorForm bias, long channels) {
    return bias.rank() == 1 && bias.elements() == channels
        ? null
        : OperandChecks.shape(
            Message.of(
                "%s takes a bias of %s, but its shape is %s",
                name, Message.count(channels, "element"), bias.shape()),
            Message.of("[%d]", channels),
            bias.shape());
  }

  private Object named(String word) {
    if (word.equals("valid")) {
      return plain(new long[3], new long[3]);
    }
    Fault fault = ConvolutionChecks.word(word, stride);
    fault = fault == null ? misfit(dilation) : fault;
    long[] before = new long[3];
    long[] after = new long[3];
    for (int d = 0; fault == null && d < 3; d++) {
      long total = dilation[d] * (weight.shape().size(d + 2) - 1);
      before[d] = total / 2;
      after[d] = total - total / 2;
    }
    return fault == null ? plain(before, after) : fault;
  }

  private Object plain(long[] before, long[] after) {
    Fault fault = misfit(stride, before, after, dilation);
    fault = fault == null ? wrongChannels() : fault;
    fault = fault == null ? ConvolutionChecks.sizes(input, weight, dilation, before, after) : fault;
    if (fault != null) {
      return fault;
    }
    boolean dense = dilation[0] == 1 || weight.shape().size(2) == 1;
    return dense && groups == 1 && input.elements() > 0
        ? folded(before, after)
        : summed(before, after);
  }

  /**
   * One convolution over planes: the planes of all channels that lie under the depth of the kernel
   * are the channels of an image.
   */
  private Object folded(long[] before, long[] after) {
    Object turned = steps.run("permute", batch(), Steps.ints(0, 2, 1, 3, 4));
    Object slices = steps.run("contiguous", padded(turned, before, after, 1));
    if (!Steps.isTensor(slices)) {
      return slices;
    }
    long[] sizes = Steps.form(slices).shape().toArray(); // [N, D, C, H, W]
    long kernel = weight.shape().size(2);
    long outputs = (sizes[1] - kernel) / stride[0] + 1;
    long plane = sizes[3] * sizes[4];
    List<Object> size = Steps.ints(outputs, kernel * sizes[2], sizes[3], sizes[4]);
    List<Object> strides = Steps.ints(stride[0] * sizes[2] * plane, plane, sizes[4], 1);
    Object filters = filters();
    List<Object> parts = new ArrayList<>();
    for (long i = 0; i < sizes[0]; i++) {
      Object images =
          steps.run("as_strided", steps.run("select.int", slices, 0L, i), size, strides);
      parts.add(planes(images, filters, call.value(2), before, after));
    }
    return unbatched(volumes(parts.size() == 1 ? parts.get(0) : steps.run("cat", parts), outputs));
  }

  /** A weight [O, C, D, H, W] as [O, D * C, H, W]. */
  private static Object folded(Steps steps, Object weight) {
    long[] sizes = Steps.form(weight).shape().toArray();
    Object turned = steps.run("permute", weight, Steps.ints(0, 2, 1, 3, 4));
    return steps.view(turned, sizes[0], sizes[2] * sizes[1], sizes[3], sizes[4]);
  }

  /** The sum, over the depth of the kernel, of convolutions of slices. */
  private Object summed(long[] before, long[] after) {
    Object padded = padded(batch(), before, after, 0);
    if (!Steps.isTensor(padded)) {
      return padded;
    }
    long kernel = weight.shape().size(2);
    long covered = dilation[0] * (kernel - 1) + 1;
    long depth = Steps.form(padded).shape().size(2);
    long outputs = (depth - covered) / stride[0] + 1;
    Object sum = null;
    for (long k = 0; k < kernel; k++) {
      Object slices = slices(strided(padded, k * dilation[0], outputs, stride[0]), outputs);
      Object filters = steps.run("select.int", call.value(1), 2L, k);
      Object bias = sum == null ? call.value(2) : None.NONE;
      Object part = planes(slices, filters, bias, before, after);
      sum = sum == null ? part : steps.run("add_.Tensor", sum, part);
    }
    return unbatched(volumes(sum, outputs));
  }

  /** The convolution over planes; if the two sides differ, these are padded already. */
  private Object planes(Object images, Object filters, Object bias, long[] before, long[] after) {
    boolean even = Arrays.equals(before, after);
    return steps.keeping(
        "conv2d",
        images,
        filters,
        bias,
        Steps.ints(stride[1], stride[2]),
        even ? Steps.ints(before[1], before[2]) : Steps.ints(0, 0),
        Steps.ints(dilation[1], dilation[2]),
        groups);
  }

  private Object transposed(long[] padding, long[] outputPadding) {
    Fault fault = misfit(stride, padding, outputPadding, dilation);
    fault = fault == null ? wrongTransposedChannels() : fault;
    fault = fault == null ? nothingLeft(padding, outputPadding) : fault;
    if (fault != null) {
      return fault;
    }
    long depth = input.shape().size(input.rank() - 3);
    long kernel = weight.shape().size(2);
    long whole = (depth - 1) * stride[0] + dilation[0] * (kernel - 1) + 1 + outputPadding[0];
    Object slices = slices(batch(), depth);
    Object all = groups == 1 ? spread(slices, filters(), padding, outputPadding) : null;
    Object sum = null;
    for (long k = 0; k < kernel; k++) {
      Object part =
          all == null
              ? spread(
                  slices, steps.run("select.int", call.value(1), 2L, k), padding, outputPadding)
              : steps.run("narrow", all, 1L, k * weight.shape().size(1), weight.shape().size(1));
      if (!Steps.isTensor(part)) {
        return part;
      }
      long[] sizes = Steps.form(part).shape().toArray();
      long count = sizes[0] / Math.max(1, depth);
      if (sum == null) {
        sum = steps.run("new_zeros", part, Steps.ints(count, whole, sizes[1], sizes[2], sizes[3]));
      }
      long last = k * dilation[0] + (depth - 1) * stride[0] + 1;
      Object place = steps.run("slice.Tensor", sum, 1L, k * dilation[0], last, stride[0]);
      Object volumes = steps.run("unflatten.int", part, 0L, Steps.ints(count, depth));
      Object added = steps.run("add_.Tensor", place, volumes);
      if (!Steps.isTensor(added)) {
        return added;
      }
    }
    Object cut =
        steps.run(
            "slice.Tensor", Objects.requireNonNull(sum), 1L, padding[0], whole - padding[0], 1L);
    Object turned = steps.run("permute", cut, Steps.ints(0, 2, 1, 3, 4));
    Object biased = !hasBias ? turned : steps.sum(turned, steps.view(call.value(2), -1, 1, 1, 1));
    return unbatched(steps.run("contiguous", biased));
  }

  private Object spread(Object slices, Object filters, long[] padding, long[] outputPadding) {
    return steps.keeping(
        "conv_transpose2d.input",
        slices,
        filters,
        None.NONE,
        Steps.ints(stride[1], stride[2]),
        Steps.ints(padding[1], padding[2]),
        Steps.ints(outputPadding[1], outputPadding[2]),
        groups,
        Steps.ints(dilation[1], dilation[2]));
  }

  /** The weight with the depth of the kernel as part of the second dimension. */
  private Object filters() {
    return steps.once(call.value(1), Format.FOLDED, VolumeConvolution::folded);
  }

  private Object batch() {
    return input.rank() == 5 ? call.value(0) : steps.run("unsqueeze", call.value(0), 0L);
  }

  private Object unbatched(Object volumes) {
    return input.rank() == 5 ? volumes : steps.run("squeeze.dim", volumes, 0L);
  }

  /**
   * Pads the depth with zeros; if the two sides differ, the other dimensions as well.
   *
   * @param between how many dimensions lie between the depth and the planes
   */
  private Object padded(Object volume, long[] before, long[] after, int between) {
    boolean even = Arrays.equals(before, after);
    List<Object> pad =
        even ? Steps.ints(0, 0, 0, 0) : Steps.ints(before[2], after[2], before[1], after[1]);
    pad.addAll(Steps.ints(new long[2 * between]));
    pad.addAll(Steps.ints(before[0], after[0]));
    boolean none = pad.stream().allMatch(size -> size.equals(0L));
    return none ? volume : steps.run("constant_pad_nd", volume, pad);
  }

  /** {@code count} slices from {@code first} on, {@code step} apart. */
  private Object strided(Object volume, long first, long count, long step) {
    return steps.run("slice.Tensor", volume, 2L, first, first + (count - 1) * step + 1, step);
  }

  /** The slices of [N, C, D, H, W] as a batch [N * D, C, H, W]. */
  private Object slices(Object volume, long depth) {
    if (!Steps.isTensor(volume)) {
      return volume;
    }
    long[] sizes = Steps.form(volume).shape().toArray();
    Object turned = steps.run("permute", volume, Steps.ints(0, 2, 1, 3, 4));
    return steps.view(turned, sizes[0] * depth, sizes[1], sizes[3], sizes[4]);
  }

  /** The inverse of {@link #slices}. */
  private Object volumes(@Nullable Object slices, long depth) {
    if (slices == null || !Steps.isTensor(slices)) {
      return slices == null ? Fault.shape(name + " takes a weight with elements") : slices;
    }
    long[] sizes = Steps.form(slices).shape().toArray();
    Object apart = steps.view(slices, sizes[0] / depth, depth, sizes[1], sizes[2], sizes[3]);
    return steps.run("contiguous", steps.run("permute", apart, Steps.ints(0, 2, 1, 3, 4)));
  }
}
