package dev.staunch.kernel;

import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Reads the cases that {@code record_neural_goldens.py} wrote. */
public final class NeuralGoldens {
  /** A tensor as text; {@code after} is the argument that held it after the call, or -1. */
  record Expectation(int after, String tensor) {}

  /** One call that libtorch made; {@code error} is empty if it succeeded. */
  record Case(
      int line, String name, List<String> arguments, List<Expectation> expected, String error) {}

  private NeuralGoldens() {}

  static List<Case> read() throws IOException {
    try (InputStream in = NeuralGoldens.class.getResourceAsStream("neural-golden.txt");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8))) {
      return parse(lines.lines().toList());
    }
  }

  private static List<Case> parse(List<String> lines) {
    List<Case> cases = new ArrayList<>();
    Case open = new Case(0, "", List.of(), List.of(), "");
    for (int i = 0; i < lines.size(); i++) {
      String[] words = lines.get(i).split(" ", 2);
      switch (words[0]) {
        case "case" -> open = new Case(i + 1, words[1], new ArrayList<>(), new ArrayList<>(), "");
        case "arg" -> open.arguments().add(words[1]);
        case "result" -> open.expected().add(new Expectation(-1, words[1]));
        case "after" -> {
          String[] parts = words[1].split(" ", 2);
          open.expected().add(new Expectation(Integer.parseInt(parts[0]), parts[1]));
        }
        case "error" ->
            open = new Case(open.line(), open.name(), open.arguments(), open.expected(), words[1]);
        case "end" -> cases.add(open);
        default -> throw new IllegalStateException("line " + (i + 1));
      }
    }
    return cases;
  }

  static Object argument(ResourceScope scope, String text) {
    String[] words = text.split(" ", 2);
    return switch (words[0]) {
      case "tensor" -> tensor(scope, words[1]);
      case "int" -> Long.valueOf(words[1]);
      case "float" -> Double.valueOf(words[1]);
      case "bool" -> words[1].equals("1");
      case "str" -> words[1];
      case "none" -> None.NONE;
      case "ints" -> new ArrayList<Object>(Arrays.stream(longs(words[1])).boxed().toList());
      default -> throw new IllegalStateException(text);
    };
  }

  static DenseTensor tensor(ResourceScope scope, String text) {
    String[] parts = text.split(" ", -1);
    DType dtype = DType.valueOf(parts[0].toUpperCase(Locale.ROOT));
    Layout layout =
        new Layout(Shape.of(longs(parts[1])), longs(parts[2]), Long.parseLong(parts[3]));
    String[] values = parts[4].equals("-") ? new String[0] : parts[4].split(",");
    int width = dtype.bytes() / dtype.parts().bytes();
    DenseTensor flat =
        (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(values.length / width));
    for (int i = 0; i < values.length; i++) {
      put(flat, i, values[i]);
    }
    return (DenseTensor) flat.view(scope, layout);
  }

  /** Writes a number, or a part of a complex one. */
  private static void put(DenseTensor flat, int at, String value) {
    DType dtype = flat.dtype().parts();
    if (dtype.isFloating()) {
      Elements.putDouble(flat.segment(), dtype, at, Double.parseDouble(value));
    } else {
      Elements.putLong(flat.segment(), flat.dtype(), at, Long.parseLong(value));
    }
  }

  private static long[] longs(String list) {
    return list.equals("-")
        ? new long[0]
        : Arrays.stream(list.split(",")).mapToLong(Long::parseLong).toArray();
  }

  /** Where two tensors differ beyond the tolerance; empty if they do not. */
  public static String difference(DenseTensor expected, DenseTensor actual) {
    if (expected.dtype() != actual.dtype() || !expected.shape().equals(actual.shape())) {
      return "expected " + expected.describe() + " but got " + actual.describe();
    }
    if (!expected.dtype().isFloating()) {
      long[] a = HostTensors.toLongs(expected);
      long[] b = HostTensors.toLongs(actual);
      return Arrays.equals(a, b) ? "" : Arrays.toString(a) + " but got " + Arrays.toString(b);
    }
    double tolerance = expected.dtype() == DType.FLOAT64 ? 1e-12 : 1e-5;
    double[] a = HostTensors.toDoubles(expected);
    double[] b = HostTensors.toDoubles(actual);
    for (int i = 0; i < a.length; i++) {
      boolean close = Math.abs(a[i] - b[i]) <= tolerance + tolerance * Math.abs(a[i]);
      if (!close && Double.compare(a[i], b[i]) != 0) {
        return "element " + i + ": expected " + a[i] + " but got " + b[i];
      }
    }
    return "";
  }
}
