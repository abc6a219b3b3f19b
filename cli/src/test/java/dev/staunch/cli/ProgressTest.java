package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Progress and colour appear only for a person at a terminal. */
class ProgressTest {
  private static final String ERASE = "\r\u001b[K";
  @TempDir private Path folder = Path.of("");
  private final StringWriter err = new StringWriter();
  private long nanos = 7;

  private Progress progress(boolean shown, long total) {
    return new Progress(new PrintWriter(err), shown, "archive", total, null, () -> nanos);
  }

  @Test
  void longWorkSaysHowFarItHasComeAndLeavesNothingBehind() {
    try (Progress progress = progress(true, 40)) {
      nanos += 400_000_000;
      progress.step(0);
      assertEquals("", err.toString());
      nanos += 600_000_000;
      progress.step(0);
      nanos += 50_000_000;
      progress.step(1);
      nanos += 950_000_000;
      progress.step(1);
    }
    assertEquals(
        ERASE
            + "2 of 40 archives (5 %, 19 s left), 2 a second"
            + ERASE
            + "4 of 40 archives (10 %, 18 s left), 2 a second, 1 failed"
            + ERASE,
        err.toString());
  }

  @Test
  void whereNobodyKnowsTheTotalTheShareThatWasReadTells() {
    try (Progress progress =
        new Progress(new PrintWriter(err), true, "request", -1, () -> 0.25, () -> nanos)) {
      nanos += 100_000_000_000L;
      progress.step(0);
    }
    assertEquals(ERASE + "1 request (25 %, 5 min left)" + ERASE, err.toString());
  }

  @Test
  void whatIsPrintedInBetweenStandsOnALineOfItsOwn() {
    try (Progress progress = progress(true, -1)) {
      nanos += 2_000_000_000;
      progress.step(0);
      progress.clear();
      assertTrue(err.toString().endsWith(ERASE), err.toString());
      progress.clear();
    }
    assertEquals(ERASE + "1 archive" + ERASE, err.toString().replace(", 1 a second", ""));
  }

  @Test
  void nothingIsPrintedWhereNobodyLooks() {
    try (Progress progress = progress(false, 40)) {
      nanos += 9_000_000_000L;
      progress.step(0);
    }
    assertEquals("", err.toString());
  }

  @Test
  void theLauncherSaysWhichStreamsAreTerminals() {
    assertEquals(new Terminal(true, true, true), Terminal.of("out,err", Map.of()));
    assertEquals(new Terminal(false, true, true), Terminal.of(",err", Map.of()));
    assertEquals(new Terminal(true, false, true), Terminal.of("out", Map.of()));
    assertEquals(new Terminal(false, false, true), Terminal.of("", Map.of()));
    assertFalse(Terminal.of("out,err", Map.of("NO_COLOR", "1")).coloured());
    assertFalse(Terminal.of("out,err", Map.of("TERM", "dumb")).coloured());
    assertFalse(Terminal.of("out", Map.of()).coloured());
    assertTrue(Terminal.of("out,err", Map.of("TERM", "xterm")).coloured());
  }

  private String run(Terminal terminal, String... arguments) {
    StringWriter out = new StringWriter();
    Main.run(terminal, new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return out + err.toString();
  }

  @Test
  void colourIsForTerminalsOnly() {
    Terminal terminal = Terminal.of("out,err", Map.of());
    assertTrue(run(terminal, "predict", "--help").contains("\u001b["));
    assertTrue(run(terminal, "nonsense").contains("\u001b["));
    err.getBuffer().setLength(0);
    assertFalse(run(Terminal.NONE, "predict", "--help").contains("\u001b["));
    assertFalse(run(Terminal.NONE, "nonsense").contains("\u001b["));
  }

  @Test
  void theLastLineIsTheSameOnATerminalAndElsewhere() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      List<String> lines = Collections.nCopies(200, demo.requests.get(0));
      String requests = Files.write(folder.resolve("requests.jsonl"), lines).toString();
      String[] command = {
        "predict", demo.archive.toString(), requests, "--out", folder.resolve("out").toString()
      };
      assertFalse(run(Terminal.NONE, command).contains("\r"));
      err.getBuffer().setLength(0);
      String shown = run(new Terminal(false, true, true), command);
      assertTrue(shown.endsWith("200 requests: 200 answered, 0 failed\n"), shown);
    }
  }
}
