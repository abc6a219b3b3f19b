package dev.staunch.kernel;

import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/** Reads the cases that {@code record_tensor_goldens.py} and related scripts wrote. */
public final class TensorGoldens {
  /** One call that libtorch made; {@code error} is empty if it succeeded. */
  public record Case(
      int line,
      String name,
      List<Text> arguments,
      List<Text> results,
      List<Text> after,
      String error) {}

  /** A value as text: a word, what follows it, and the parts of a list. */
  public record Text(String word, String rest, List<Text> parts) {}

  private TensorGoldens() {}

  public static List<Case> read(String file) throws IOException {
    try (InputStream in = TensorGoldens.class.getResourceAsStream(file);
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8))) {
      return parse(lines.lines().toList());
    }
  }

  private static List<Case> parse(List<String> lines) {
    List<Case> cases = new ArrayList<>();
    Case open = new Case(0, "", List.of(), List.of(), List.of(), "");
    Iterator<String> left = lines.iterator();
    for (int i = 1; left.hasNext(); i++) {
      String[] words = left.next().split(" ", 2);
      switch (words[0]) {
        case "case" ->
            open =
                new Case(i, words[1], new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), "");
        case "arg" -> open.arguments().add(text(words[1], left));
        case "result" -> open.results().add(text(words[1], left));
        case "after" -> open.after().add(text(words[1], left));
        case "error" ->
            open =
                new Case(
                    open.line(), open.name(), open.arguments(), List.of(), List.of(), words[1]);
        case "end" -> cases.add(open);
        default -> throw new IllegalStateException(words[0]);
      }
    }
    return cases;
  }

  private static Text text(String line, Iterator<String> left) {
    String[] words = line.split(" ", 2);
    List<Text> parts = new ArrayList<>();
    for (int i = 0; words[0].equals("list") && i < Integer.parseInt(words[1]); i++) {
      parts.add(text(left.next(), left));
    }
    return new Text(words[0], words.length > 1 ? words[1] : "", parts);
  }

  public static Object value(ResourceScope scope, Text text) {
    return switch (text.word()) {
      case "tensor" -> NeuralGoldens.tensor(scope, text.rest());
      case "int" -> Long.valueOf(text.rest());
      case "float" -> Double.valueOf(text.rest());
      case "complex" -> complex(text.rest());
      case "bool" -> text.rest().equals("1");
      case "str" -> text.rest();
      case "none" -> None.NONE;
      case "ints" -> NeuralGoldens.argument(scope, "ints " + text.rest());
      case "list" -> {
        List<Object> list = new ArrayList<>();
        text.parts().forEach(part -> list.add(value(scope, part)));
        yield list;
      }
      default -> throw new IllegalStateException(text.word());
    };
  }

  private static ComplexNumber complex(String text) {
    String[] parts = text.split(",", -1);
    return new ComplexNumber(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
  }

  /** Where {@code actual} differs from what was recorded; empty if nowhere. */
  static String difference(ResourceScope scope, Text expected, Object actual) {
    Object wanted = value(scope, expected);
    if (wanted instanceof DenseTensor tensor && actual instanceof DenseTensor found) {
      String[] words = expected.rest().split(" ", -1);
      String strides = words.length > 5 ? strides(words[5], found) : "";
      return strides.isEmpty()
          ? difference(ofReals(scope, tensor), ofReals(scope, found))
          : strides;
    }
    if (wanted instanceof List<?> list && actual instanceof List<?> found) {
      String sizes = list.size() == found.size() ? "" : "expected " + list.size() + " elements";
      for (int i = 0; sizes.isEmpty() && i < list.size(); i++) {
        sizes = difference(scope, expected.parts().get(i), found.get(i));
      }
      return sizes;
    }
    return wanted.equals(actual) ? "" : "expected " + wanted + " but got " + actual;
  }

  /** Complex numbers as pairs of reals; other tensors themselves. */
  private static DenseTensor ofReals(ResourceScope scope, DenseTensor tensor) {
    return tensor.dtype().kind() == DType.Kind.COMPLEX
        ? (DenseTensor) new KernelBench(scope).run("aten::view_as_real", tensor)
        : tensor;
  }

  private static String strides(String expected, DenseTensor found) {
    String[] words = expected.equals("-") ? new String[0] : expected.split(",");
    boolean same = words.length == found.rank();
    for (int i = 0; same && found.elements() > 0 && i < words.length; i++) {
      same = found.shape().size(i) == 1 || found.layout().stride(i) == Long.parseLong(words[i]);
    }
    return same ? "" : "expected strides " + expected + " but got " + found.layout();
  }

  private static String difference(DenseTensor expected, DenseTensor actual) {
    if (expected.dtype() != actual.dtype() || !expected.shape().equals(actual.shape())) {
      return "expected " + expected.describe() + " but got " + actual.describe();
    }
    if (!expected.dtype().isFloating()) {
      long[] a = HostTensors.toLongs(expected);
      long[] b = HostTensors.toLongs(actual);
      return Arrays.equals(a, b)
          ? ""
          : "expected " + Arrays.toString(a) + " but got " + Arrays.toString(b);
    }
    double tolerance = expected.dtype() == DType.FLOAT64 ? 1e-10 : 1e-5;
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
