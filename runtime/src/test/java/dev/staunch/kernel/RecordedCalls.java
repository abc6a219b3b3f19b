package dev.staunch.kernel;

import dev.staunch.memory.ResourceScope;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The calls of all golden files, without their results: the arguments that operations are called
 * with.
 */
final class RecordedCalls {
  private static final List<String> TENSOR_FILES =
      List.of(
          "tensor-golden.txt",
          "recurrent-golden.txt",
          "attention-golden.txt",
          "composed-golden.txt",
          "family-golden.txt",
          "combined-golden.txt",
          "operator-golden.txt");

  /**
   * One call.
   *
   * @param place the file and the line
   * @param operation its qualified name
   * @param arguments makes them afresh, in a scope
   */
  record Recorded(
      String place, String operation, Function<ResourceScope, List<Object>> arguments) {}

  private RecordedCalls() {}

  /** The calls on tensors. */
  static List<Recorded> ofTensors() throws IOException {
    List<Recorded> calls = new ArrayList<>();
    for (String file : TENSOR_FILES) {
      for (TensorGoldens.Case golden : TensorGoldens.read(file)) {
        calls.add(
            new Recorded(
                file + ":" + golden.line(),
                "aten::" + golden.name(),
                scope -> values(scope, golden.arguments())));
      }
    }
    for (NeuralGoldens.Case golden : NeuralGoldens.read()) {
      calls.add(
          new Recorded(
              "neural-golden.txt:" + golden.line(),
              "aten::" + golden.name(),
              scope -> {
                List<Object> values = new ArrayList<>();
                golden.arguments().forEach(text -> values.add(NeuralGoldens.argument(scope, text)));
                return values;
              }));
    }
    return calls;
  }

  /** The calls on numbers, lists, dicts and strings. */
  static List<Recorded> ofScalars() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(RecordedCalls.class.getResourceAsStream("scalar-golden.txt"))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().map(RecordedCalls::scalar).toList();
    }
  }

  private static Recorded scalar(String line) {
    String[] parts = line.split("\t", -1);
    return new Recorded(
        line, parts[0], scope -> new ArrayList<>((List<?>) GoldenLiteral.parse(parts[1], scope)));
  }

  private static List<Object> values(ResourceScope scope, List<TensorGoldens.Text> texts) {
    List<Object> values = new ArrayList<>();
    texts.forEach(text -> values.add(TensorGoldens.value(scope, text)));
    return values;
  }
}
