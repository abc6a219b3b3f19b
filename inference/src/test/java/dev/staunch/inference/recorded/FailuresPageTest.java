package dev.staunch.inference.recorded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Report;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.Model;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.Conformance;
import dev.staunch.torchscript.LoadOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The page that compares failure messages with libtorch's quotes both correctly (F9). libtorch's
 * messages were recorded; {@code -Ddocs.write=true} rewrites the page.
 */
class FailuresPageTest {
  /** The archive and the number of the recorded call that fails. */
  private static final String CALLS =
      """
      archives/mlp_bn_sigmoid 2
      archives/lenet 2
      archives/lenet 3
      archives/bert_like 2
      archives/bert_like 3
      archives/lstm_classifier 2
      archives/mlp_bn_sigmoid 4
      archives/mlp_bn_train 2
      archives/nn_rank_no_grad 3
      archives/nn_rank_no_grad 4
      archives/dlrm 1
      archives/gru_packed 1
      families/graph_adjacency 1
      families/linalg_cholesky 1
      families/linalg_solve 2
      archives/indexing 2
      archives/indexing 9
      archives/indexing 11
      archives/dtypes 9
      archives/errors 15
      archives/errors 16
      archives/errors 17
      archives/errors 19
      archives/errors 1
      archives/errors 2
      archives/errors 8
      archives/arith 3
      archives/arith 17
      archives/containers 3
      archives/containers 5
      archives/containers 20
      archives/control_flow 16
      """;

  private static final String NO_END =
      "RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central"
          + " directory";

  /** The first bytes of files that are not archives. */
  private static final Map<String, String> FILES =
      new TreeMap<>(
          Map.of(
              "page.pt", "<!doctype html><title>404 Not Found</title>",
              "pointer.pt", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n",
              "compressed.pt", "\u001f\u008b\b\0\0\0\0\0",
              "weights.safetensors", "\u0014\0\0\0\0\0\0\0{\"w\":{\"dtype\":\"F32\"}}",
              "old.pt", "\u0080\u0002\u008a\nl\u00fc\u009cF\u00f9 j\u00a8P\u0019."));

  private static final String HEAD =
      """
      # How failures read

      What a failing request says here, and what libtorch (1.13.1, from its recordings) says of the same call. libtorch's text has 12 to 45 lines; this page
      shows how many, and the last one, which is the message. Here the message comes first, then the line that the model's author wrote, the part of the model by its
      name, what was given to the operation, and the calls that led there, PyTorch's own lines among them. The JSON of an answer has the same (`error`, `fault`). A test writes this page.
      """;

  private static Fault fault(Path archive, RecordedCases calls, int number) {
    OffHeap memory = OffHeap.withBudget(64 << 20);
    LoadOptions quiet = LoadOptions.standard().withWarnings(text -> {});
    try (Model model = Model.load(archive, memory, quiet);
        ResourceScope scope = ResourceScope.open(memory, "failure")) {
      List<Object> arguments =
          new Replay(model, calls, Duration.ofSeconds(30)).arguments(number, scope);
      return (Fault) model.call(calls.method(number), arguments, RunOptions.in(scope));
    }
  }

  private static String section(String call) throws IOException {
    String[] words = call.split(" ", -1);
    Path archive = Conformance.torchscript().resolve(words[0] + ".pt");
    RecordedCases calls = RecordedCases.read(Conformance.torchscript().resolve(words[0] + ".json"));
    int number = Integer.parseInt(words[1]);
    Fault fault = fault(archive, calls, number);
    List<String> theirs = calls.cases().get(number).error().stripTrailing().lines().toList();
    return section(
        "`" + archive.getFileName() + "`, call " + number,
        Report.of(fault),
        theirs.getLast(),
        theirs.size());
  }

  private static String section(String title, String ours, String theirs, int lines) {
    return "\n## "
        + title
        + "\n\n```\n"
        + ours
        + "```\n\nlibtorch ("
        + (lines == 1 ? "1 line" : lines + " lines")
        + "):\n\n```\n"
        + theirs
        + "\n```\n";
  }

  private static String file(String name, String content) {
    byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
    OffHeap memory = OffHeap.withBudget(1 << 20);
    Fault fault =
        assertThrows(
                StaunchException.class,
                () -> Model.load(name, bytes, memory, LoadOptions.standard()))
            .fault();
    return section("A file `" + name + "` that is no archive", Report.of(fault), NO_END, 1);
  }

  @Test
  void f9ThePageSaysWhatIsSaid() throws IOException {
    List<String> sections = new ArrayList<>(List.of(HEAD));
    for (String call : CALLS.lines().toList()) {
      sections.add(section(call));
    }
    FILES.forEach((name, content) -> sections.add(file(name, content)));
    assertTrue(sections.size() > 30);
    String text = String.join("", sections);
    Path page = Conformance.root().resolve("docs/failures.md");
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(page, text);
    }
    assertEquals(Files.readString(page), text);
  }
}
