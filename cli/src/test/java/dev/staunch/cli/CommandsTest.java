package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.testkit.Conformance;
import dev.staunch.testkit.SmallArchive;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands as scripts see them: output, last lines and exit statuses. */
class CommandsTest {
  @TempDir private Path folder = Path.of("");

  private record Outcome(int status, String out, String err) {
    String lastLine(String text) {
      String[] lines = text.stripTrailing().split("\n", -1);
      return lines[lines.length - 1].strip();
    }
  }

  private static Outcome run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Outcome(status, out.toString(), err.toString());
  }

  private Path requests(List<String> lines) throws Exception {
    return Files.write(folder.resolve("requests.jsonl"), lines);
  }

  @Test
  void predictAnswersInOrderAndCountsWhatFailed() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      List<String> lines = new ArrayList<>(demo.requests);
      lines.add(20, "{\"id\":\"bad\",\"inputs\":[]}");
      Outcome outcome =
          run("predict", demo.archive.toString(), requests(lines).toString(), "--threads", "4");
      assertEquals(3, outcome.status());
      assertEquals("51 requests: 50 answered, 1 failed", outcome.lastLine(outcome.err()));
      String[] answers = outcome.out().split("\n", -1);
      assertTrue(
          answers[0].startsWith("{\"model_name\":\"ranker\",\"id\":\"1\",\"outputs\":[{"),
          answers[0]);
      assertTrue(
          answers[20].startsWith(
              "{\"id\":\"bad\",\"error\":\"the request lacks the input"
                  + " 'user'\",\"fault\":{\"type\":\"request\""),
          answers[20]);
      assertTrue(answers[21].contains("\"id\":\"21\""), answers[21]);
    }
  }

  @Test
  void predictIsZeroWhenAllAreAnswered() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      Path out = folder.resolve("answers.jsonl");
      Outcome outcome =
          run(
              "predict",
              demo.archive.toString(),
              requests(demo.requests).toString(),
              "--out",
              out.toString());
      assertEquals(0, outcome.status(), outcome.err());
      assertEquals(50, Files.readAllLines(out).size());
    }
  }

  @Test
  void predictWarnsOnceOfOperationsWithoutAKernel() throws Exception {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor, deep: bool=False) -> Tensor:
            if deep:
              y = torch.fbgemm_pack_gemm_matrix_fp16(torch._coalesce(torch.fbgemm_pack_quantized_matrix(x)))
            else:
              y = x
            return y
        """;
    Path archive = Files.write(folder.resolve("deep.pt"), SmallArchive.of(code));
    String request =
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP32\",\"data\":[1]}]}";
    Outcome outcome =
        run("predict", archive.toString(), requests(List.of(request, request)).toString());
    assertEquals(0, outcome.status(), outcome.err());
    String[] told = outcome.err().split("\n", -1);
    assertTrue(
        told[0].startsWith("warning: deep.pt calls operations without a kernel (aten::"), told[0]);
    assertEquals(3, told[0].split("aten::", -1).length - 1, told[0]);
    assertTrue(told[0].endsWith("./staunch inspect and Model.gaps say where"), told[0]);
    assertEquals("2 requests: 2 answered, 0 failed", told[1]);
  }

  @Test
  void predictWritesWhatTheModelPrintsToStandardError() throws Exception {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, n: int) -> int:
            print("n is", n)
            return n
        """;
    Path archive = Files.write(folder.resolve("talks.pt"), SmallArchive.of(code));
    String request =
        "{\"inputs\":[{\"name\":\"n\",\"shape\":[1],\"datatype\":\"INT64\",\"data\":[3]}]}";
    Outcome outcome = run("predict", archive.toString(), requests(List.of(request)).toString());
    assertEquals(
        "n is 3\n1 request: 1 answered, 0 failed",
        outcome.err().replace(System.lineSeparator(), "\n").strip());
  }

  @Test
  void predictWarnsOfNothingWhereEachOperationHasAKernel() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      Path file = requests(demo.requests);
      Outcome outcome = run("predict", demo.archive.toString(), file.toString());
      assertEquals("50 requests: 50 answered, 0 failed", outcome.err().strip());
    }
  }

  @Test
  void whatIsNoJsonIsAFaultOfItsLine() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      Outcome outcome =
          run(
              "predict",
              demo.archive.toString(),
              requests(List.of("hello", demo.requests.get(0))).toString());
      assertEquals(3, outcome.status());
      assertTrue(outcome.out().startsWith("{\"error\":\"the request is not JSON"), outcome.out());
      assertEquals("2 requests: 1 answered, 1 failed", outcome.lastLine(outcome.err()));
    }
  }

  @Test
  void aModelThatCannotBeLoadedIsOne() {
    Outcome outcome = run("predict", folder.resolve("absent.pt").toString(), "-");
    assertEquals(1, outcome.status());
    assertTrue(outcome.err().contains("there is no such file"), outcome.err());
  }

  @Test
  void wrongUsageIsTwo() {
    assertEquals(2, run("predict").status());
    assertEquals(2, run("nonsense").status());
    assertEquals(2, run().status());
  }

  @Test
  void anUnknownMethodIsNamedWithThoseThereAre() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      Outcome outcome =
          run(
              "predict",
              demo.archive.toString(),
              requests(demo.requests).toString(),
              "--method",
              "score");
      assertEquals(1, outcome.status());
      assertTrue(
          outcome.err().contains("the model has no method score; it has forward"), outcome.err());
    }
  }

  @Test
  void inspectTellsWhereTheWeightsOfAFrozenModelAre() {
    Path frozen = Conformance.torchscript().resolve("archives/bert_like_frozen.pt");
    String out = run("inspect", frozen.toString()).out();
    assertTrue(
        out.contains(
            "\n0 parameters and buffers, 0 B; 34 constant tensors in the code, 47.6 KiB, "),
        out);
  }

  @Test
  void inspectWritesDefaultsAsTorchScriptDoes() throws Exception {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, n: int, name: str="a\\"b", deep: bool=True, k: Optional[int]=None) -> int:
            return n
        """;
    Path archive = Files.write(folder.resolve("m.pt"), SmallArchive.of(code));
    String out = run("inspect", archive.toString()).out();
    String method =
        "  forward(n: int, name: str=\"a\\\"b\", deep: bool=True, k: Optional[int]=None)";
    assertTrue(out.contains(method), out);
  }

  @Test
  void whatChangesTheModelIsSaidToAndDoesSoInTheOrderOfTheFile() throws Exception {
    String code =
        """
        class M(Module):
          __parameters__ = []
          items : List[int]
          def __setstate__(self: __torch__.M, n: int) -> NoneType:
            self.items = annotate(List[int], [])
            return None
          def count(self: __torch__.M) -> int:
            _0 = torch.append(self.items, 1)
            return torch.len(self.items)
          def size(self: __torch__.M) -> int:
            return torch.len(self.items)
        """;
    String pickle = "\u0080\u0002c__torch__\nM\n)\u0081K\u0007b.";
    Path archive = Files.write(folder.resolve("m.pt"), SmallArchive.of(pickle, 10, code));
    String methods = run("inspect", archive.toString()).out().lines().toList().toString();
    String turns =
        "takes one request at a time: it may change the model, at code/__torch__.py:8:10";
    assertTrue(methods.contains("count() -> int,     runs,     " + turns + ", "), methods);
    assertTrue(methods.contains("size() -> int,     runs, , "), methods);
    Path file = requests(Collections.nCopies(200, "{\"inputs\":[]}"));
    Outcome counted =
        run("predict", archive.toString(), file.toString(), "--method", "count", "--threads", "4");
    List<String> counts =
        counted
            .out()
            .lines()
            .map(line -> line.replaceAll(".*\"data\":\\[(\\d+)\\].*", "$1"))
            .toList();
    assertEquals(IntStream.rangeClosed(1, 200).mapToObj(String::valueOf).toList(), counts);
  }

  @Test
  void inspectShowsMethodsTensorsAndOperations() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      String out = run("inspect", demo.archive.toString()).out();
      assertTrue(
          out.contains(
              "  forward(user: Tensor, item: Tensor, features: Tensor) -> Tensor\n    runs\n"),
          out);
      assertTrue(out.contains("users.weight"), out);
      assertTrue(out.contains("aten::embedding"), out);
      assertTrue(
          run("inspect", demo.archive.toString(), "--source")
              .out()
              .contains("class Ranker(Module):"));
      assertTrue(run("inspect", demo.archive.toString(), "--ir").out().contains("prim.With"));
      String plan = run("inspect", demo.archive.toString(), "--plan").out();
      assertTrue(plan.startsWith("forward\n  aten::"), plan);
      String metadata = run("inspect", demo.archive.toString(), "--metadata").out();
      assertTrue(metadata.startsWith("{\"name\":\"ranker\",\"platform\""), metadata);
      String operations = run("inspect", demo.archive.toString(), "--ops").out();
      assertTrue(operations.startsWith("22 operations, each with a kernel"), operations);
      assertTrue(
          operations.contains("aten::linear                      integers, floats, complex\n"));
    }
  }

  @Test
  void inspectShowsWhatAPlanDoesWithOperations() {
    Path archives = Conformance.torchscript().resolve("archives");
    String images = run("inspect", archives.resolve("resnet18_like.pt").toString(), "--plan").out();
    String last = "  channels last where that is faster";
    assertEquals(Collections.nCopies(20, last), notes(images, "conv2d"));
    assertEquals(
        Collections.nCopies(20, "  folded into the one before it" + last),
        notes(images, "batch_norm"));
    assertEquals(List.of(last), notes(images, "max_pool2d"));
    assertEquals(List.of(""), notes(images, "linear"));
    String texts =
        run("inspect", archives.resolve("bert_like_frozen.pt").toString(), "--plan").out();
    assertEquals(3, texts.split("joined with those beside it\n", -1).length - 1, texts);
    String gelu = "  computed block by block with the one before it";
    assertEquals(Collections.nCopies(2, gelu), notes(texts, "gelu"));
  }

  @Test
  void inspectShowsTheOperationsOfAFunctionThatIsCalledWhereItIsCalledFirst() throws IOException {
    String more = "    y = torch.tanh(y)\n".repeat(2100);
    String code =
        "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
            + "  def long(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    y = x\n"
            + more
            + "    return y\n"
            + "  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n"
            + "    y = (self).long(torch.neg(x), )\n"
            + "    return torch.exp((self).long(y, ))\n";
    Path archive = Files.write(folder.resolve("long.pt"), SmallArchive.of(code));
    String plan = run("inspect", archive.toString(), "--plan").out();
    String forward = plan.substring(plan.indexOf("forward\n"));
    List<String> names =
        forward.lines().skip(1).map(line -> line.strip().split(" ", -1)[0]).toList();
    assertEquals("aten::neg", names.getFirst(), plan);
    assertEquals(Collections.nCopies(2100, "aten::tanh"), names.subList(1, 2101));
    assertEquals(List.of("aten::exp"), names.subList(2101, names.size()));
  }

  /** What follows the place in the lines of an operation. */
  private static List<String> notes(String plan, String operation) {
    return plan.lines()
        .filter(line -> line.startsWith("  aten::" + operation + " "))
        .map(line -> line.replaceFirst("  \\S+ +\\S+", ""))
        .toList();
  }

  @Test
  void verifyCountsArchives() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      assertEquals("1 passed, 0 failed", run("verify", demo.archive.toString()).out().strip());
      Path broken = Files.write(folder.resolve("broken.pt"), new byte[100]);
      Outcome outcome = run("verify", demo.archive.toString(), broken.toString());
      assertEquals(1, outcome.status());
      assertEquals("1 passed, 1 failed", outcome.lastLine(outcome.out()));
    }
  }

  @Test
  void anExampleOfInspectIsARequestThatPredictAnswers() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      String model = demo.archive.toString();
      Outcome example = run("inspect", model, "--example");
      assertEquals(0, example.status(), example.err());
      assertEquals(1, example.out().lines().count());
      Outcome answer = run("predict", model, requests(List.of(example.out().strip())).toString());
      assertEquals(0, answer.status(), answer.out());
      assertEquals(1, run("inspect", model, "--example", "--method", "backward").status());
    }
  }

  @Test
  void aModelInTrainingModeIsSaidByInspectAndByPredict() throws Exception {
    String model =
        Conformance.root().resolve("conformance/torchscript/archives/mlp_bn_train.pt").toString();
    String inspected = run("inspect", model).out();
    assertTrue(inspected.contains("\nin training mode: the whole model, "), inspected);
    Outcome predicted = run("predict", model, requests(List.of("{}")).toString());
    assertTrue(
        predicted.err().startsWith("warning: mlp_bn_train.pt was saved in training mode"),
        predicted.err());
  }

  @Test
  void placesInTheModelsSourceCanBeHidden() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      String wide = demo.requests.get(0).replace("\"shape\": [4, 8]", "\"shape\": [8, 4]");
      String[] command = {
        "predict", demo.archive.toString(), requests(List.of(wide)).toString(), "--hide-sources"
      };
      assertTrue(run(command[0], command[1], command[2]).out().contains("ranker.py"));
      assertFalse(run(command).out().contains("ranker.py"));
    }
  }

  @Test
  void shellsGetTheirCompletion() {
    Outcome outcome = run("generate-completion");
    assertEquals(0, outcome.status());
    assertTrue(outcome.out().contains("complete -F _complete_staunch"), outcome.out());
  }

  @Test
  void verifySaysWhenNothingWasReplayed() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      String nothing = "no call was replayed: nothing shows that answers are right";
      assertTrue(run("verify", demo.archive.toString()).err().contains(nothing));
      String arith =
          Conformance.root().resolve("conformance/torchscript/archives/arith.pt").toString();
      Outcome replayed = run("verify", arith);
      assertEquals("1 passed, 0 failed", replayed.out().strip());
      assertFalse(replayed.err().contains(nothing), replayed.err());
      Path copy = Files.copy(demo.archive, folder.resolve("bare.pt"));
      Files.writeString(folder.resolve("bare.json"), "{}");
      Outcome bare = run("verify", copy.toString());
      assertEquals(1, bare.status());
      assertTrue(bare.out().contains("bare.json has no calls to replay"), bare.out());
    }
  }

  @Test
  void verifyNamesAnOperationWithoutAKernelOnce() throws Exception {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor) -> Tensor:
            return torch.fbgemm_pack_gemm_matrix_fp16(x)
        """;
    Path archive = Files.write(folder.resolve("packed.pt"), SmallArchive.of(code));
    String number = "{\"t\":\"Tensor\",\"dtype\":\"float32\",\"shape\":[1],\"data\":[1]}";
    String call = "{\"calls\":[{\"method\":\"forward\",\"args\":[%1$s],\"expect\":%1$s}]}";
    Files.writeString(folder.resolve("packed.json"), call.formatted(number));
    assertEquals(
        "packed.pt: call 0 of forward: it failed: unsupported: there is no kernel for"
            + " aten::fbgemm_pack_gemm_matrix_fp16",
        run("verify", archive.toString()).out().lines().findFirst().orElseThrow());
  }

  @Test
  void theDemoEndsWithItsPromise() {
    Outcome outcome = run("demo");
    assertEquals(0, outcome.status(), outcome.out());
    assertEquals(
        "51 requests: 50 answered, 1 failed, 0 lost, 0 bytes leaked",
        outcome.lastLine(outcome.out()));
    assertTrue(outcome.out().contains("source: ranker.py:22"), outcome.out());
  }

  @Test
  void everyCommandHasHelpWithAnExample() {
    for (String command : List.of("predict", "inspect", "verify", "demo")) {
      Outcome outcome = run(command, "--help");
      assertEquals(0, outcome.status());
      assertTrue(outcome.out().contains("Example"), outcome.out());
    }
  }

  /** A longer line would be wrapped, and the rest of it not joined with the next line. */
  @Test
  void noLineBelowTheOptionsIsLongerThanATerminal() {
    for (CommandLine command : new CommandLine(new Main()).getSubcommands().values()) {
      for (String line : command.getCommandSpec().usageMessage().footer()) {
        assertTrue(line.length() <= 80, command.getCommandName() + ": " + line);
      }
    }
  }
}
