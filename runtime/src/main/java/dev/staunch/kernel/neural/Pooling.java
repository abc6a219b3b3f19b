package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.loop.MemoryFormats;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.primitive.Pooling.Rule;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pooling over the last one or two dimensions of [N, C, *] or [C, *].
 *
 * @param name the operation's name in messages
 * @param integers what libtorch takes beside floating dtypes
 */
record Pooling(String name, int dims, Set<DType> integers) {
  static final Pooling MAX_1D = new Pooling("max_pool1d", 1, Set.of());
  static final Pooling MAX_2D = new Pooling("max_pool2d", 2, DType.of(DType.Kind.INTEGRAL));
  static final Pooling AVERAGE_1D = new Pooling("avg_pool1d", 1, Set.of(DType.INT64));
  static final Pooling AVERAGE_2D = new Pooling("avg_pool2d", 2, Set.of(DType.INT64));
  static final Pooling ADAPTIVE_MAX_1D = new Pooling("adaptive_max_pool1d", 1, Set.of());
  static final Pooling ADAPTIVE_MAX_2D = new Pooling("adaptive_max_pool2d", 2, Set.of());
  static final Pooling ADAPTIVE_AVERAGE_1D = new Pooling("adaptive_avg_pool1d", 1, Set.of());
  static final Pooling ADAPTIVE_AVERAGE_2D = new Pooling("adaptive_avg_pool2d", 2, Set.of());

  /** Arguments: kernel_size, stride, padding, dilation, ceil_mode. */
  Object max(Call call) {
    PreparedPooling kept = PreparedPooling.known(call);
    if (kept != null) {
      return kept.run(call);
    }
    Object form = maxForm(call);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    Window[] both = (Window[]) windows(call, call.integers(4));
    return PreparedPooling.of(call, known.shape(), dims, new Rule.Maximum(both[0], both[1]))
        .run(call);
  }

  /** Arguments: kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override. */
  Object average(Call call) {
    PreparedPooling kept = PreparedPooling.known(call);
    if (kept != null) {
      return kept.run(call);
    }
    Object form = averageForm(call);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    Window[] both = (Window[]) windows(call, new long[] {1});
    Long divisor = dims == 1 || call.isNone(6) ? null : (Long) call.integer(6);
    return PreparedPooling.of(
            call, known.shape(), dims, new Rule.Mean(both[0], both[1], call.bool(5), divisor))
        .run(call);
  }

  /** Argument: output_size. */
  Object adaptiveAverage(Call call) {
    PreparedPooling kept = PreparedPooling.known(call);
    if (kept != null) {
      return kept.run(call);
    }
    Object form = adaptiveForm(call);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    return PreparedPooling.of(call, known.shape(), dims, new Rule.AdaptiveMean()).run(call);
  }

  /** The form of the result of {@link #max}; or the fault. */
  Object maxForm(Operands operands) {
    Object windows = windows(operands, operands.integers(4));
    return windows instanceof Window[] both
        ? slid(operands, both, operands.bool(5), dims == 1)
        : windows;
  }

  /** The form of the result of {@link #average}; or the fault. */
  Object averageForm(Operands operands) {
    Object windows = windows(operands, new long[] {1});
    if (dims == 2 && operands.integerOr(6, 1) == 0) {
      return Fault.value("`divisor_override` must not be 0");
    }
    return windows instanceof Window[] both
        ? slid(operands, both, operands.bool(4), false)
        : windows;
  }

  /**
   * The form of the result of {@link #adaptiveAverage}, for any number of channels; or the fault.
   */
  Object adaptiveForm(Operands operands) {
    return adaptiveForm(operands, operands.rank(0) - dims);
  }

  /**
   * The form, provided that dimension {@code first} and those after it are not empty; or the fault.
   */
  Object adaptiveForm(Operands operands, int first) {
    Fault fault = check(operands, first);
    if (fault != null) {
      return fault;
    }
    long[] wanted = Dimensions.each(operands.integers(1), dims);
    if (wanted.length != dims || Dimensions.anyBelow(0, wanted)) {
      return Fault.value(
          Message.of(
              "%s takes %d output sizes, none negative, but got %s",
              name, dims, Arrays.toString(operands.integers(1))));
    }
    return sized(operands, wanted);
  }

  /**
   * @param mayBeEmpty whether a line is taken that is at most one step too short for a window
   */
  private Object slid(Operands operands, Window[] windows, boolean ceiling, boolean mayBeEmpty) {
    Shape input = operands.shape(0);
    int rank = input.rank();
    int height = dims == 2 ? Shape.asInt(input.size(rank - 2)) : 1;
    int rows = windows[0].outputs(height, ceiling);
    int columns = windows[1].outputs(Shape.asInt(input.size(rank - 1)), ceiling);
    boolean tooShort =
        !mayBeEmpty || windows[1].isTooShort(Shape.asInt(input.size(rank - 1)), ceiling);
    if (rows <= 0 || (columns <= 0 && tooShort)) {
      String text = "the window covers %d x %d elements, but the input %s has fewer; pad it";
      return OperandChecks.shape(
          Message.of(text, windows[0].extent(), windows[1].extent(), input),
          Message.of("at least %d x %d elements", windows[0].extent(), windows[1].extent()),
          input);
    }
    return sized(operands, dims == 2 ? new long[] {rows, columns} : new long[] {columns});
  }

  /** The input's form with other sizes of the last dimensions. */
  private static Object sized(Operands operands, long[] last) {
    long[] sizes = operands.shape(0).toArray();
    System.arraycopy(last, 0, sizes, sizes.length - last.length, last.length);
    return MemoryFormats.image(operands, Shape.of(sizes));
  }

  private @Nullable Fault check(Operands operands, int first) {
    Fault fault = OperandChecks.floatingBut(integers, name, operands.dtype(0));
    if (fault != null) {
      return fault;
    }
    Shape shape = operands.shape(0);
    boolean rankFits = shape.rank() == dims + 1 || shape.rank() == dims + 2;
    boolean empty = false;
    for (int i = first; rankFits && i < shape.rank(); i++) {
      empty |= shape.size(i) == 0;
    }
    if (!rankFits || empty) {
      String text = "%s takes %d or %d dimensions with something in each, but the shape is %s";
      return OperandChecks.shape(
          Message.of(text, name, dims + 1, dims + 2, shape),
          dims + 1 + " or " + (dims + 2) + " dimensions",
          shape);
    }
    return null;
  }

  /** The vertical and the horizontal window, or a fault. */
  private Object windows(Operands operands, long[] dilations) {
    Fault fault = check(operands, operands.rank(0) - dims - 1);
    if (fault != null) {
      return fault;
    }
    long[] kernel = Dimensions.each(operands.integers(1), dims);
    long[] stride =
        operands.list(2).isEmpty() ? kernel : Dimensions.each(operands.integers(2), dims);
    long[] padding = Dimensions.each(operands.integers(3), dims);
    long[] dilation = Dimensions.each(dilations, dims);
    for (int i = 0; i < dims; i++) {
      if (kernel.length != dims
          || stride.length != dims
          || padding.length != dims
          || dilation.length != dims) {
        return Fault.value(
            Message.of(
                "%s takes one number or %d each for kernel size, stride, padding and dilation",
                name, dims));
      }
      if (kernel[i] <= 0 || stride[i] <= 0 || dilation[i] <= 0) {
        return Fault.value(
            Message.of(
                "%s takes a positive kernel size, stride and dilation, but got %d, %d and %d",
                name, kernel[i], stride[i], dilation[i]));
      }
      if (padding[i] < 0 || padding[i] > kernel[i] / 2) {
        return Fault.value(
            Message.of(
                "`padding` %d must be from 0 to half of the kernel's size, %d",
                padding[i], kernel[i]));
      }
    }
    Window horizontal = window(kernel, stride, padding, dilation, dims - 1);
    Window vertical =
        dims == 1 ? new Window(1, 1, 0, 0, 1) : window(kernel, stride, padding, dilation, 0);
    return new Window[] {vertical, horizontal};
  }

  private static Window window(
      long[] kernel, long[] stride, long[] padding, long[] dilation, int i) {
    int pad = Shape.asInt(padding[i]);
    return new Window(
        Shape.asInt(kernel[i]), Shape.asInt(stride[i]), pad, pad, Shape.asInt(dilation[i]));
  }
}
