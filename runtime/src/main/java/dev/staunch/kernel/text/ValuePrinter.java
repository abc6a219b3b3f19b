package dev.staunch.kernel.text;

import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.TupleValue;
import dev.staunch.kernel.scalar.NumberText;
import dev.staunch.tensor.DenseTensor;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Prints any run-time value as TorchScript's {@code str} and {@code format} do: {@code [1, 2.5]},
 * strings without quotes, floats as {@code 1.} or with 17 digits, tensors over several lines.
 */
public final class ValuePrinter {
  private static final int MOST_IN_BRIEF = 100;

  private ValuePrinter() {}

  /** Does not change or keep {@code value}; knows no quotes, as it is what a user is to read. */
  public static String print(Object value) {
    return switch (value) {
      case String text -> text;
      case Boolean flag -> flag ? "True" : "False";
      case Double real -> NumberText.ofFloat(real);
      case ComplexNumber complex -> NumberText.ofComplex(complex);
      case DenseTensor tensor -> TensorPrinter.print(tensor);
      case TupleValue tuple -> tuple(tuple);
      case Collection<?> list -> joined(list, "[", "]");
      case Map<?, ?> dict -> dict(dict);
      default -> value.toString();
    };
  }

  /** A value for a message: of a tensor its dtype and shape, a long text cut short. */
  public static String brief(Object value) {
    String text = value instanceof DenseTensor tensor ? tensor.describe() : print(value);
    return text.length() <= MOST_IN_BRIEF ? text : text.substring(0, MOST_IN_BRIEF) + "...";
  }

  private static String tuple(TupleValue tuple) {
    return joined(tuple.elements(), "(", tuple.elements().size() == 1 ? ",)" : ")");
  }

  private static String joined(Collection<?> values, String open, String close) {
    return values.stream().map(ValuePrinter::print).collect(Collectors.joining(", ", open, close));
  }

  private static String dict(Map<?, ?> dict) {
    return dict.entrySet().stream()
        .map(entry -> print(entry.getKey()) + ": " + print(entry.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
