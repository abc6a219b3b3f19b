package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.MemoryFormats;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** {@code constant_pad_nd}: grows or, with negative numbers, crops the last dimensions. */
final class ConstantPadding {
  private ConstantPadding() {}

  static Object run(Call call, Object value) {
    Object form = form(call, value);
    Object made =
        form instanceof TensorForm known ? call.allocate(known.dtype(), known.layout()) : form;
    if (!(made instanceof DenseTensor result)) {
      return made;
    }
    CancellationPoll poll = new CancellationPoll(call);
    Filling.fill(poll, result, value);
    return CancellationPoll.finished(result, copy(poll, call.tensor(0), result, call.integers(1)));
  }

  /** The form of the result of {@link #run}; or the fault. */
  static Object form(Operands operands, Object value) {
    Shape input = operands.shape(0);
    DType dtype = operands.dtype(0);
    long[] pad = operands.integers(1);
    int rank = input.rank();
    if (pad.length % 2 != 0 || pad.length > 2 * rank) {
      return Fault.value(
          Message.of(
              "`pad` takes an even number of sizes, up to %d for the input's dimensions, but has %d",
              2 * rank, pad.length));
    }
    if (dtype.kind() == DType.Kind.COMPLEX || value instanceof ComplexNumber) {
      return Fault.unsupported(
          "padding is not implemented for complex numbers; pad the real and the imaginary part");
    }
    Fault unfit = OperandChecks.fits(value, dtype);
    if (unfit != null) {
      return unfit;
    }
    long[] sizes = input.toArray();
    for (int i = 0; i < pad.length / 2; i++) {
      int dim = rank - 1 - i;
      if (isBeyond(sizes[dim]) || isBeyond(pad[2 * i]) || isBeyond(pad[2 * i + 1])) {
        return Fault.shape(
            Message.of(
                "padding %d and %d makes dimension %d longer than can be counted",
                pad[2 * i], pad[2 * i + 1], dim));
      }
      long[] cut = {Math.min(0, pad[2 * i]), Math.min(0, pad[2 * i + 1])};
      sizes[dim] += pad[2 * i] + pad[2 * i + 1];
      if (sizes[dim] < 0 || input.size(dim) + cut[0] + cut[1] < 0) {
        return OperandChecks.shape(
            Message.of(
                "padding by %d and %d leaves nothing of dimension %d",
                pad[2 * i], pad[2 * i + 1], dim),
            "a size that is not negative",
            input);
      }
    }
    Object shape = Filling.shape(sizes);
    return shape instanceof Shape padded ? MemoryFormats.image(operands, padded) : shape;
  }

  /** Whether the sum of three such sizes may exceed a long. */
  private static boolean isBeyond(long size) {
    return Math.abs(size / 2) > 1L << 59;
  }

  private static @Nullable Fault copy(
      CancellationPoll poll, DenseTensor input, DenseTensor result, long[] pad) {
    int rank = input.rank();
    long[] sizes = input.shape().toArray();
    long from = input.layout().offset();
    long to = 0;
    for (int i = 0; i < pad.length / 2; i++) {
      int dim = rank - 1 - i;
      sizes[dim] += Math.min(0, pad[2 * i]) + Math.min(0, pad[2 * i + 1]);
      from += Math.max(0, -pad[2 * i]) * input.layout().stride(dim);
      to += Math.max(0, pad[2 * i]) * result.layout().stride(dim);
    }
    Shape kept = Shape.of(sizes);
    Layout sources = new Layout(kept, input.layout().strides(), from);
    Layout targets = new Layout(kept, result.layout().strides(), to);
    return poll.fault() == null
        ? Copying.copy(poll, input, sources, result, targets)
        : poll.fault();
  }
}
