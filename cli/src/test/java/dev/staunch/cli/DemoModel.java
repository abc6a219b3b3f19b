package dev.staunch.cli;

import dev.staunch.inference.Answer;
import dev.staunch.inference.InferenceRequest;
import dev.staunch.inference.Model;
import dev.staunch.inference.ProtocolReader;
import dev.staunch.memory.OffHeap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The demo's model with its good requests and the scores that PyTorch returned for them. */
final class DemoModel implements AutoCloseable {
  final OffHeap memory;
  final Path archive = DemoFiles.archive();
  final Model model;
  final List<String> requests = DemoFiles.lines("requests.jsonl");
  private final List<String> answers = DemoFiles.lines("answers.jsonl");
  private final ProtocolReader reader = new ProtocolReader();

  DemoModel() throws IOException {
    this(OffHeap.withBudget(64 << 20));
  }

  /** Runs one request, because the first one creates the copies of weights that kernels keep. */
  DemoModel(OffHeap memory) throws IOException {
    this.memory = memory;
    this.model = Model.load(archive, memory);
    model.predict(request(0), "forward");
  }

  InferenceRequest request(int number) {
    return parse(requests.get(number));
  }

  InferenceRequest parse(String json) {
    return Objects.requireNonNull(reader.read(json).request());
  }

  /** Whether an answer equals, within 1e-5, PyTorch's answer to request {@code number}. */
  boolean isRight(int number, Answer answer) {
    String line = answers.get(number);
    String[] scores = line.substring(line.indexOf('[') + 1, line.indexOf(']')).split(", ", -1);
    if (answer.failed()) {
      return false;
    }
    float[] actual = answer.outputs().get(0).floats();
    if (actual.length != scores.length) {
      return false;
    }
    for (int i = 0; i < actual.length; i++) {
      float expected = Float.parseFloat(scores[i]);
      if (!(Math.abs(actual[i] - expected) <= 1e-5 + 1e-5 * Math.abs(expected))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    model.close();
    Files.deleteIfExists(archive);
  }
}
