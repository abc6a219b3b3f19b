package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.operation.TensorForm;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Checks of the operands of convolutions over any number of dimensions. */
public final class ConvolutionChecks {
  private ConvolutionChecks() {}

  /** A fault unless {@code padding} is a word that stands for numbers at that stride. */
  public static @Nullable Fault word(String padding, long[] stride) {
    if (padding.equals("same") && Arrays.stream(stride).anyMatch(step -> step != 1)) {
      return Fault.value(
          "padding 'same' takes a stride of 1, but got "
              + Arrays.toString(stride)
              + "; give the padding as numbers");
    }
    return padding.equals("same") || padding.equals("valid")
        ? null
        : Fault.value("`padding` takes 'same', 'valid' or numbers, but got '" + padding + "'")
            .withExpected("'same' or 'valid'", "'" + padding + "'");
  }

  /** The number of channels of an input to that weight, with or without a batch. */
  public static long channels(TensorForm input, TensorForm weight) {
    return input.shape().size(input.rank() - weight.rank() + 1);
  }

  /** A fault unless the channels of the input fit the weight. */
  public static @Nullable Fault channels(TensorForm input, TensorForm weight, long groups) {
    long outputs = weight.shape().size(0);
    if (outputs < groups || outputs % groups != 0) {
      String text = "the first size of the weight %s must be a multiple of `groups` %d";
      return Fault.shape(Message.of(text, weight.shape(), groups));
    }
    long wanted = weight.shape().size(1) * groups;
    long found = channels(input, weight);
    if (wanted == found) {
      return null;
    }
    String text = "the weight %s with %s takes %s, but the input %s has %d";
    return Fault.shape(
            Message.of(
                text,
                weight.shape(),
                Message.count(groups, "group"),
                Message.count(wanted, "channel"),
                input.shape(),
                found))
        .withExpected(Message.count(wanted, "channel"), Message.count(found, "channel"));
  }

  /** The fault for an input of a transposed convolution whose channels do not fit the weight. */
  public static Fault wrongTransposed(TensorForm input, TensorForm weight, long groups) {
    String wanted = Message.count(weight.shape().size(0), "channel");
    String text = "the weight %s takes %s in %s, but the input is %s";
    return Fault.shape(
            Message.of(text, weight.shape(), wanted, Message.count(groups, "group"), input.shape()))
        .withExpected(wanted, input.shape().toString());
  }

  /** A fault if the kernel is larger than the input with its padding on both sides. */
  public static @Nullable Fault sizes(
      TensorForm input, TensorForm weight, long[] dilation, long[] before, long[] after) {
    for (int i = 0; i < dilation.length; i++) {
      int dim = input.rank() - dilation.length + i;
      long size = input.shape().size(dim) + before[i] + after[i];
      long kernel = weight.shape().size(i + 2);
      long covered = dilation[i] * (kernel - 1) + 1;
      if (kernel == 0 || covered > size) {
        String elements = Message.count(covered, "element");
        String text = "the kernel covers %s of dimension %d, but the padded input has %d; pad more";
        return Fault.shape(Message.of(text, elements, dim, size))
            .withExpected("at least " + elements, Message.count(size, "element"));
      }
    }
    return null;
  }
}
