package dev.staunch.kernel.text;

import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.QuantizedTensor;
import dev.staunch.kernel.TupleValue;
import dev.staunch.kernel.scalar.NumberText;
import dev.staunch.tensor.DenseTensor;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Prints any run-time value as TorchScript's {@code str} and {@code format} do: {@code [1, 2.5]},
 * strings without quotes, floats as {@code 1.} or with 17 digits, tensors over several lines. A
 * list or dict inside itself, or very deep inside others, is printed as Python prints it: {@code
 * [...]}.
 */
public final class ValuePrinter {
  /** The number of elements whose copying costs as much as writing one. */
  private static final int COST = 16;

  private static final int MOST_IN_BRIEF = 100;
  private static final int MOST_DEEP = 256;

  /** Null if the text is only for a message. */
  private final @Nullable CancellationPoll poll;

  private final StringBuilder out;

  /** The lists, dicts and tuples that are being printed. */
  private final Set<Object> open = Collections.newSetFromMap(new IdentityHashMap<>(0));

  private ValuePrinter(@Nullable CancellationPoll poll, StringBuilder out) {
    this.poll = poll;
    this.out = out;
  }

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
    new ValuePrinter(null, out).print(value);
    return out.length() <= MOST_IN_BRIEF ? out.toString() : out.substring(0, MOST_IN_BRIEF) + "...";
  }

  /** As {@link #print(CancellationPoll, Object)}, appended to {@code out}. */
  static void print(CancellationPoll poll, Object value, StringBuilder out) {
    new ValuePrinter(poll, out).print(value);
  }

  private void print(Object value) {
    switch (value) {
      case Boolean flag -> out.append(flag ? "True" : "False");
      case Double real -> out.append(NumberText.ofFloat(real));
      case ComplexNumber complex -> out.append(NumberText.ofComplex(complex));
      case DenseTensor tensor when poll == null -> out.append(tensor.describe());
      case DenseTensor tensor -> TensorPrinter.print(poll, tensor, out);
      case QuantizedTensor tensor when poll != null -> TensorPrinter.print(poll, tensor, out);
      case TupleValue tuple -> {
        String end = tuple.elements().size() == 1 ? ",)" : ")";
        within(tuple, '(', end, () -> list(tuple.elements()));
      }
      case Collection<?> list -> within(list, '[', "]", () -> list(list));
      case Map<?, ?> dict -> within(dict, '{', "}", () -> dict(dict));
      default -> out.append(value);
    }
  }

  private void within(Object container, char begin, String end, Runnable content) {
    out.append(begin);
    if (open.size() < MOST_DEEP && open.add(container)) {
      content.run();
      open.remove(container);
    } else {
      out.append("...");
    }
    out.append(end);
  }

  private void list(Collection<?> values) {
    String separator = "";
    for (Object value : values) {
      if (!mayContinue(COST)) {
        return;
      }
      out.append(separator);
      print(value);
      separator = ", ";
    }
  }

  private void dict(Map<?, ?> dict) {
    String separator = "";
    for (Map.Entry<?, ?> entry : dict.entrySet()) {
      if (!mayContinue(2 * COST)) {
        return;
      }
      out.append(separator);
      print(entry.getKey());
      out.append(": ");
      print(entry.getValue());
      separator = ", ";
    }
  }

  private boolean mayContinue(int cost) {
    return poll == null ? out.length() <= MOST_IN_BRIEF : poll.mayContinue(cost);
  }
}
