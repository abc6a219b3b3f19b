package dev.staunch.kernel.text;

import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.TupleValue;
import dev.staunch.kernel.scalar.NumberText;
import dev.staunch.tensor.DenseTensor;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints any run-time value as TorchScript's {@code str} and {@code format} do: {@code [1, 2.5]},
 * strings without quotes, floats as {@code 1.} or with 17 digits, tensors over several lines.
 */
public final class ValuePrinter {
  /** The number of elements whose copying costs as much as writing one. */
  private static final int COST = 16;

  private static final int MOST_IN_BRIEF = 100;

  private ValuePrinter() {}

  /**
   * The text of {@code value}, without quotes around strings, because users read it. Neither
   * changes nor keeps {@code value}. After a cancellation, which {@code poll} then knows, the text
   * is incomplete.
   */
  public static String print(CancellationPoll poll, Object value) {
    if (value instanceof String text) {
      return text;
    }
    StringBuilder out = new StringBuilder();
    print(poll, value, out);
    return out.toString();
  }

  /** A value for a message: a tensor as its dtype and shape, a long text truncated. */
  public static String brief(Object value) {
    StringBuilder out = new StringBuilder();
    print(null, value, out);
    return out.length() <= MOST_IN_BRIEF ? out.toString() : out.substring(0, MOST_IN_BRIEF) + "...";
  }

  /**
   * As {@link #print(CancellationPoll, Object)}, appended to {@code out}.
   *
   * @param poll null if the text is only for a message
   */
  static void print(@Nullable CancellationPoll poll, Object value, StringBuilder out) {
    switch (value) {
      case Boolean flag -> out.append(flag ? "True" : "False");
      case Double real -> out.append(NumberText.ofFloat(real));
      case ComplexNumber complex -> out.append(NumberText.ofComplex(complex));
      case DenseTensor tensor when poll == null -> out.append(tensor.describe());
      case DenseTensor tensor -> TensorPrinter.print(poll, tensor, out);
      case TupleValue tuple -> {
        list(poll, tuple.elements(), out.append('('));
        out.append(tuple.elements().size() == 1 ? ",)" : ")");
      }
      case Collection<?> list -> {
        list(poll, list, out.append('['));
        out.append(']');
      }
      case Map<?, ?> dict -> dict(poll, dict, out);
      default -> out.append(value);
    }
  }

  private static void list(
      @Nullable CancellationPoll poll, Collection<?> values, StringBuilder out) {
    String separator = "";
    for (Object value : values) {
      if (!mayContinue(poll, COST, out)) {
        return;
      }
      print(poll, value, out.append(separator));
      separator = ", ";
    }
  }

  private static void dict(@Nullable CancellationPoll poll, Map<?, ?> dict, StringBuilder out) {
    String separator = "{";
    for (Map.Entry<?, ?> entry : dict.entrySet()) {
      if (!mayContinue(poll, 2 * COST, out)) {
        return;
      }
      print(poll, entry.getKey(), out.append(separator));
      print(poll, entry.getValue(), out.append(": "));
      separator = ", ";
    }
    out.append(dict.isEmpty() ? "{}" : "}");
  }

  private static boolean mayContinue(@Nullable CancellationPoll poll, int cost, StringBuilder out) {
    return poll == null ? out.length() <= MOST_IN_BRIEF : poll.mayContinue(cost);
  }
}
