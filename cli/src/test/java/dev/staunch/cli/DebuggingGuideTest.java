package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.testkit.Conformance;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands in the debugging guide in order; they print what the guide shows (S5). */
class DebuggingGuideTest {
  private static final String DEMO = "cli/src/main/resources/dev/staunch/cli/demo";

  @TempDir private Path folder = Path.of("");

  /** Stands in the guide for lines, or for the end of a line, that it omits. */
  private static final String LEFT_OUT = "...";

  /** A command of the guide, and the lines of its output. */
  private record Shown(String command, List<String> output) {}

  @BeforeEach
  void recordedByPyTorch() throws IOException {
    Path demo = Files.createDirectory(folder.resolve("demo"));
    for (String file : List.of("ranker.pt", "requests.jsonl")) {
      Files.copy(Conformance.root().resolve(DEMO).resolve(file), demo.resolve(file));
    }
    try (InputStream recording = getClass().getResourceAsStream("ranker-pytorch.json")) {
      Files.copy(Objects.requireNonNull(recording), folder.resolve("pytorch.json"));
    }
  }

  private static List<Shown> shown() throws IOException {
    List<Shown> all = new ArrayList<>();
    boolean inside = false;
    for (String line :
        Files.readAllLines(Conformance.root().resolve("docs/debugging-a-model.md"))) {
      if (line.startsWith("```")) {
        inside = line.equals("```console");
      } else if (inside && line.startsWith("$ ")) {
        all.add(new Shown(line.substring(2), new ArrayList<>()));
      } else if (inside) {
        all.getLast().output().add(line);
      }
    }
    return all;
  }

  /** Runs the command with its files in the test's folder; returns its output. */
  private String run(String command) throws IOException, InterruptedException {
    int comment = command.indexOf(" # exit status ");
    int status = comment < 0 ? 0 : Integer.parseInt(command.substring(comment + 15));
    String plain = comment < 0 ? command : command.substring(0, comment);
    if (!plain.startsWith("staunch ")) {
      Process process =
          new ProcessBuilder("bash", "-c", plain)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(status, process.waitFor(), printed);
      return printed;
    }
    String[] words = plain.substring("staunch ".length()).split(" ", -1);
    for (int i = 0; i < words.length; i++) {
      boolean file = words[i].matches("\\w+(\\.(pt|json|html)|/)");
      words[i] = file ? folder.resolve(words[i]).toString() : words[i];
    }
    StringWriter printed = new StringWriter();
    PrintWriter out = new PrintWriter(printed, true);
    assertEquals(status, Main.run(out, out, words), printed.toString());
    return printed.toString().replace(folder + "/", "");
  }

  private static String pattern(List<String> shown) {
    StringBuilder pattern = new StringBuilder();
    for (String line : shown) {
      if (line.equals(LEFT_OUT)) {
        pattern.append("(.+\\R|\\R)+");
      } else if (line.endsWith(LEFT_OUT)) {
        String begin = line.substring(0, line.length() - LEFT_OUT.length());
        pattern.append(Pattern.quote(begin)).append(".+\\R");
      } else {
        pattern.append(Pattern.quote(line)).append("\\R");
      }
    }
    return pattern.toString();
  }

  @Test
  void itsCommandsPrintWhatItShows() throws IOException, InterruptedException {
    List<Shown> commands = shown();
    assertTrue(commands.size() > 10, () -> commands.toString());
    for (Shown each : commands) {
      String printed = run(each.command());
      assertTrue(
          Pattern.matches(pattern(each.output()), printed),
          () -> each.command() + " printed\n" + printed + "\nwhere the guide shows " + each);
    }
    String page = Files.readString(folder.resolve("trace.html"));
    assertTrue(page.contains("aten::embedding") && !page.contains("\"TRACE\""));
    assertTrue(Files.readString(folder.resolve("good.json")).contains("\"traceEvents\""));
  }
}
