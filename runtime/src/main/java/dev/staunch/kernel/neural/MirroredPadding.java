package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.view.Rearranged;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Padding with elements of the input: mirrored, repeated at the edge, or wrapped around. */
final class MirroredPadding {
  private static final long MOST_CROPPED = 1L << 60;

  private MirroredPadding() {}

  static void addTo(Catalog.Builder catalog) {
    for (int dims = 1; dims <= 3; dims++) {
      for (String mode : new String[] {"reflect", "replicate"}) {
        String word = mode.equals("reflect") ? "reflection" : "replication";
        int numbers = 2 * dims;
        Filled.add(
            catalog,
            Message.of(
                "aten::%s_pad%dd(Tensor self, SymInt[%d] padding) -> Tensor", word, dims, 2 * dims),
            operands -> {
              int given = operands.list(1).size();
              return given == numbers
                  ? form(operands, mode)
                  : Fault.value(Message.of("`padding` takes %d sizes, but has %d", numbers, given));
            },
            (target, call) -> fill(target, call, mode));
      }
    }
  }

  /** The form of {@code [N, C, *]} or {@code [C, *]} padded in its last dimensions; or a fault. */
  static Object form(Operands operands, String mode) {
    TensorForm self = operands.form(0);
    long[] pad = operands.integers(1);
    int dims = pad.length / 2;
    if (pad.length % 2 != 0 || dims == 0) {
      String text = "`padding` takes 2 sizes for each dimension, but has %d";
      return Fault.value(Message.of(text, pad.length));
    }
    if (self.rank() != dims + 1 && self.rank() != dims + 2) {
      String text =
          "padding by %d sizes takes an input of %d dimensions, or %d with a batch,"
              + " but its shape is %s";
      return OperandChecks.shape(
          Message.of(text, pad.length, dims + 1, dims + 2, self.shape()),
          (dims + 1) + " or " + (dims + 2) + " dimensions",
          self.shape());
    }
    long[] sizes = self.shape().toArray();
    int channels = self.rank() - dims - 1;
    boolean circular = mode.equals("circular");
    boolean anyChannels = circular || (mode.equals("reflect") && channels == 0 && dims < 3);
    if (sizes[channels] == 0 && !anyChannels) {
      return OperandChecks.shape(
          Message.of("the input %s has no channels to pad", self.shape()),
          "at least 1 channel",
          self.shape());
    }
    for (int i = 0; i < dims; i++) {
      int dim = self.rank() - 1 - i;
      Fault fault = misfit(self, mode, dim, pad[2 * i], pad[2 * i + 1]);
      if (fault != null) {
        return fault;
      }
      sizes[dim] += pad[2 * i] + pad[2 * i + 1];
    }
    if (!circular && Arrays.stream(sizes).skip(channels + 1).allMatch(size -> size == 0)) {
      return OperandChecks.shape(
          Message.of(
              "padding by %s leaves nothing of the input %s", operands.list(1), self.shape()),
          "a padding that leaves some",
          self.shape());
    }
    Object shape = Filling.shape(sizes);
    return shape instanceof Shape known ? TensorForm.contiguous(self.dtype(), known) : shape;
  }

  private static @Nullable Fault misfit(
      TensorForm self, String mode, int dim, long before, long after) {
    long size = self.shape().size(dim);
    long limit =
        mode.equals("reflect") ? size - 1 : mode.equals("circular") ? size : Integer.MAX_VALUE;
    if (size == 0) {
      String text = "dimension %d of the input %s holds nothing to pad with";
      return OperandChecks.shape(
          Message.of(text, dim, self.shape()), "at least 1 element", self.shape());
    }
    long padded = Math.min(before, after) < -MOST_CROPPED ? -1 : size + before + after;
    boolean circular = mode.equals("circular");
    boolean cuts = padded < 0 || (circular && kept(before, after, size) < Math.min(padded, 1));
    if (cuts) {
      String text = "padding by %d and %d leaves nothing of dimension %d of the input %s";
      return OperandChecks.shape(
          Message.of(text, before, after, dim, self.shape()),
          "a padding that leaves some",
          self.shape());
    }
    if (before <= limit && after <= limit) {
      return null;
    }
    String text =
        "padding by %d and %d does not fit dimension %d of the input %s, which allows up to %d";
    return Fault.shape(Message.of(text, before, after, dim, self.shape(), limit))
        .withExpected("a padding up to " + limit, Long.toString(Math.max(before, after)));
  }

  /** Writes the tensor whose form {@link #form} returns. */
  static @Nullable Fault fill(DenseTensor target, Call call, String mode) {
    DenseTensor self = call.tensor(0);
    long[] pad = call.integers(1);
    Rearranged.Dimension[] dimensions = Rearranged.plain(self);
    for (int i = 0; i < pad.length / 2; i++) {
      int dim = self.rank() - 1 - i;
      long size = self.shape().size(dim);
      Rearranged.Place index = index(pad[2 * i], pad[2 * i + 1], size, mode);
      long padded = size + pad[2 * i] + pad[2 * i + 1];
      dimensions[dim] = Rearranged.picked(self, dim, padded, index);
    }
    return new Rearranged(dimensions).into(call, self, target);
  }

  /** The source index, among {@code size}, of each index of the padded dimension. */
  private static Rearranged.Place index(long before, long after, long size, String mode) {
    return switch (mode) {
      case "reflect" -> i -> mirrored(i - before, size);
      case "circular" -> wrapped(before, kept(before, after, size));
      default -> i -> Math.clamp(i - before, 0, size - 1);
    };
  }

  /** Elements cropped by a negative padding do not reappear on the other side. */
  private static Rearranged.Place wrapped(long before, long kept) {
    long first = Math.max(-before, 0);
    return i -> first + Math.floorMod(i - Math.max(before, 0), kept);
  }

  private static long kept(long before, long after, long size) {
    return size + Math.min(before, 0) + Math.min(after, 0);
  }

  private static long mirrored(long at, long size) {
    return at < 0 ? -at : at >= size ? 2 * size - 2 - at : at;
  }
}
