package dev.staunch.kernel.loop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Copies elements between layouts and dtypes. */
public final class Copying {
  private Copying() {}

  /** A row-major copy in {@code dtype}; or a fault. */
  public static Object toContiguous(Call call, DenseTensor source, DType dtype) {
    Fault fault = Promotion.narrowing(source.dtype(), dtype);
    Object made = fault == null ? call.allocate(dtype, source.shape()) : fault;
    return made instanceof DenseTensor target
        ? CancellationPoll.finished(target, copy(call, source, target))
        : made;
  }

  /** A copy in {@code dtype} that keeps the strides of the source if it has no gaps; or a fault. */
  public static Object preserving(Call call, DenseTensor source, DType dtype) {
    Fault fault = Promotion.narrowing(source.dtype(), dtype);
    Object made = fault == null ? DenseStrides.allocateLike(call, source, dtype) : fault;
    return made instanceof DenseTensor target
        ? CancellationPoll.finished(target, copy(call, source, target))
        : made;
  }

  /**
   * The content of {@code made}, a new row-major tensor, in {@code layout}, which has no gaps; or a
   * fault. A copy, unless {@code made} already has that layout.
   */
  public static Object laid(Call call, Object made, Layout layout) {
    if (!(made instanceof DenseTensor plain) || layout.isAsNew()) {
      return made;
    }
    Object copy = laidCopy(call, plain, layout);
    plain.close();
    return copy;
  }

  private static Object laidCopy(Call call, DenseTensor source, Layout layout) {
    Object made = call.allocate(source.dtype(), layout);
    return made instanceof DenseTensor target
        ? CancellationPoll.finished(target, copy(call, source, target))
        : made;
  }

  /** {@code images}, the result of a step, in channels-last layout if {@code input} suggests it. */
  public static Object asImages(Steps steps, Object images, Object input) {
    if (!Steps.isTensor(images) || !Steps.form(input).layout().suggestsChannelsLast()) {
      return images;
    }
    TensorForm form = Steps.form(images);
    Layout last = Layout.channelsLast(form.shape());
    return steps.apply(
        operands -> new TensorForm(form.dtype(), last),
        call -> laidCopy(call, call.tensor(0), last),
        images);
  }

  /** Copies all elements, in order; returns the fault of a cancellation, or null. */
  public static @Nullable Fault copy(Call call, DenseTensor source, DenseTensor target) {
    return copy(new CancellationPoll(call), source, source.layout(), target, target.layout());
  }

  /** As {@link #copy(Call, DenseTensor, DenseTensor)}, from one layout to another. */
  public static @Nullable Fault copy(
      CancellationPoll poll, DenseTensor source, Layout from, DenseTensor target, Layout to) {
    if (from.shape().elements() == 0) {
      return null;
    }
    ExecutionContext context = poll.context();
    Copy.Request request = new Copy.Request(source.dtype(), from, target.dtype(), to);
    Fault stop = context.copy(request).run(context, source, target);
    if (stop != null) {
      return poll.stopped(stop);
    }
    poll.mayContinue(Math.min(from.shape().elements(), CancellationPoll.STRIDE));
    return poll.fault();
  }

  /** Copies one element of {@code bytes} bytes; positions count elements. */
  public static void element(MemorySegment from, long at, MemorySegment into, long to, int bytes) {
    switch (bytes) {
      case 1 -> into.set(JAVA_BYTE, to, from.get(JAVA_BYTE, at));
      case 2 -> into.setAtIndex(JAVA_SHORT, to, from.getAtIndex(JAVA_SHORT, at));
      case 4 -> into.setAtIndex(JAVA_INT, to, from.getAtIndex(JAVA_INT, at));
      case 8 -> into.setAtIndex(JAVA_LONG, to, from.getAtIndex(JAVA_LONG, at));
      default -> MemorySegment.copy(from, at * bytes, into, to * bytes, bytes);
    }
  }
}
