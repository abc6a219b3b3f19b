package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.testkit.SmallArchive;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Debugs one request, operation by operation, and compares it with a recording (S5). */
class DebugCommandTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, x: Tensor) -> Tensor:
          y = torch.mul(x, 2)
          _0 = torch.add_(x, 1)
          return torch.div(y, x)
      """;

  private static final String REQUEST =
      """
      {"inputs":[{"name":"x","shape":[2],"datatype":"FP32","data":[1,DATA]}]}
      """;

  @TempDir private Path folder = Path.of("");
  private String printed = "";

  private int run(String... arguments) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text, true);
    int status = Main.run(out, out, arguments);
    printed = text.toString();
    return status;
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private String model(String code) throws IOException {
    return Files.write(folder.resolve("m.pt"), SmallArchive.of(code)).toString();
  }

  @BeforeEach
  void request() throws IOException {
    Files.writeString(folder.resolve("request.json"), REQUEST.replace("DATA", "3"));
  }

  @Test
  void aDumpShowsOperandsAsTheyWereBeforeTheyAreWritten() throws IOException {
    assertEquals(0, run("debug", model(CODE), "--args", file("request.json"), "--dump-values"));
    String before = "self: float32[2] [1.0, 3.0]\n    other: 1\n    alpha: 1\n";
    assertTrue(printed.contains(before + "    -> float32[2] [2.0, 4.0]"), printed);
    assertTrue(printed.contains("forward gives float32[2] [1.0, 1.5]"), printed);
    assertTrue(printed.contains("3 operations ran"), printed);
  }

  @Test
  void aBreakpointLeavesOutWhatRanBeforeIt() throws IOException {
    assertEquals(
        0, run("debug", model(CODE), "--args", file("request.json"), "--break", "__torch__.py:6"));
    assertTrue(printed.contains("2  aten::div.Tensor"), printed);
    assertFalse(printed.contains("aten::mul"), printed);
  }

  @Test
  void aBreakpointThatIsNotReachedIsSaid() throws IOException {
    assertEquals(
        0, run("debug", model(CODE), "--args", file("request.json"), "--break", "__torch__.py:99"));
    assertTrue(printed.contains("warning: no operation ran on __torch__.py:99"), printed);
    assertEquals(2, run("debug", model(CODE), "--args", file("request.json"), "--break", "div"));
    assertTrue(printed.contains("--break takes FILE:LINE, but was 'div'"), printed);
  }

  @Test
  void aRequestThatFailsIsShownUpToItsFault() throws IOException {
    String code = CODE.replace("torch.div(y, x)", "torch.mm(y, x)");
    assertEquals(3, run("debug", model(code), "--args", file("request.json"), "--dump-values"));
    assertTrue(printed.contains("aten::mm"), printed);
    assertTrue(printed.contains("    -> shape: "), printed);
  }

  @Test
  void aModelThatChangesItselfIsTracedOnceThoughItsRequestBeginsAnew() throws IOException {
    String code =
        """
        class M(Module):
          __parameters__ = []
          calls : int
          def forward(self: __torch__.M, x: Tensor) -> Tensor:
            y = torch.neg(x)
            calls = self.calls
            self.calls = torch.add(calls, 1)
            return torch.mul(y, self.calls)
        """;
    String state = "\u0080\u0002c__torch__\nM\n)\u0081}(X\u0005\0\0\0callsK\u0000ub.";
    Files.write(folder.resolve("m.pt"), SmallArchive.of(state, 10, code));
    assertEquals(0, run("debug", file("m.pt"), "--args", file("request.json"), "--dump-values"));
    assertTrue(printed.contains("3 operations ran"), printed);
  }

  @Test
  void aRecordingIsComparedWithWhatTheModelDoesNow() throws IOException {
    String recorded = file("trace.json");
    assertEquals(0, run("debug", model(CODE), "--args", file("request.json"), "--trace", recorded));
    assertEquals(0, run("diff", model(CODE), recorded), printed);
    assertTrue(printed.contains("3 operations compared of 3 recorded"), printed);
    assertEquals(1, run("diff", model(CODE.replace("add_(x, 1)", "add_(x, 2)")), recorded));
    assertTrue(printed.contains("operation 1, aten::add_.Scalar at "), printed);
    assertTrue(printed.contains("differs at element 0: 3.0, recorded was 2.0"), printed);
    assertEquals(0, run("debug", model(CODE), "--args", recorded));
    assertTrue(printed.contains("forward gives float32[2] [1.0, 1.5]"), printed);
  }

  @Test
  void notANumberIsWrittenAndComparedAsSuch() throws IOException {
    Files.writeString(folder.resolve("request.json"), REQUEST.replace("DATA", "-1"));
    String recorded = file("trace.json");
    String code = CODE.replace("torch.mul(x, 2)", "torch.log(x)");
    assertEquals(0, run("debug", model(code), "--args", file("request.json"), "--trace", recorded));
    assertTrue(Files.readString(Path.of(recorded)).contains("\"NaN\""));
    assertEquals(0, run("diff", model(code), recorded), printed);
    assertEquals(1, run("diff", model(code.replace("torch.log(x)", "torch.neg(x)")), recorded));
    String written = Files.readString(Path.of(recorded));
    Files.writeString(Path.of(recorded), written.replace("\"NaN\"", "\"nan\""));
    assertEquals(0, run("diff", model(code), recorded), printed);
    Files.writeString(Path.of(recorded), written.replace("\"NaN\"", "NaN"));
    assertEquals(1, run("diff", model(code), recorded));
    assertTrue(printed.contains("trace.json holds no recorded calls: it is not JSON at line 1,"));
    String advice = "; write \"NaN\", \"Infinity\" and \"-Infinity\" as strings\n";
    assertTrue(printed.contains(advice), printed);
  }

  @Test
  void whatIsNoRequestOrRecordingIsSaid() throws IOException {
    Files.writeString(folder.resolve("other.json"), "{}");
    assertEquals(1, run("debug", model(CODE), "--args", file("other.json")), printed);
    assertEquals(1, run("diff", model(CODE), file("other.json")));
    assertTrue(printed.contains("other.json has no calls"), printed);
    assertEquals(1, run("debug", model(CODE), "--args", file("none.json")));
  }

  @Test
  void diffAndVerifyAgreeOnWhatEndsACall() throws IOException {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, n: int) -> int:
            if torch.lt(n, 0):
              ops.prim.RaiseException("n is below 0", "builtins.ValueError")
            else:
              pass
            return n
        """;
    String model = model(code);
    String answers = "\"expect\": {\"t\": \"int\", \"v\": %s}";
    String fails = "\"error\": {\"message\": \"builtins.ValueError: n is %s 0\"}";
    assertEnds(0, model, -1, fails.formatted("below"));
    assertEnds(1, model, -1, fails.formatted("above"));
    assertEnds(1, model, 1, fails.formatted("below"));
    assertEnds(1, model, -1, answers.formatted(-1));
    assertEnds(0, model, 1, answers.formatted(1));
    assertEnds(1, model, 1, answers.formatted(2));
  }

  private void assertEnds(int status, String model, int n, String end) throws IOException {
    String call = "{\"calls\": [{\"args\": [{\"t\": \"int\", \"v\": %s}], %s}]}";
    Files.writeString(folder.resolve("m.json"), call.formatted(n, end));
    assertEquals(status, run("verify", model), printed);
    assertEquals(status, run("diff", model, file("m.json")), printed);
  }
}
