package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.testkit.Conformance;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A request that does not fit in the heap fails alone; the requests around it are answered (P1).
 */
class LongLineTest {
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  private static final String START =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,16],\"datatype\":\"FP32\",\"data\":[0";

  @TempDir private Path folder = Path.of("");

  private static void writeLine(BufferedWriter to, int values) throws IOException {
    to.write(START);
    String thousand = ",0".repeat(1_000);
    for (int left = values - 1; left > 0; left -= 1_000) {
      to.write(thousand, 0, 2 * Math.min(left, 1_000));
    }
    to.write("]}]}\n");
  }

  /**
   * @param values their number; as text they take twice as many bytes, which is more or less than
   *     the heap
   */
  @ParameterizedTest
  @ValueSource(ints = {30_000_000, 5_000_000})
  void p1ALineLargerThanTheHeapFailsAlone(int values) throws IOException, InterruptedException {
    Path requests = folder.resolve("requests.jsonl");
    try (BufferedWriter to = Files.newBufferedWriter(requests)) {
      writeLine(to, 16);
      writeLine(to, values);
      writeLine(to, 16);
    }
    Path out = folder.resolve("answers.jsonl");
    Path archive = Conformance.torchscript().resolve("archives/mlp_bn_sigmoid.pt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx48m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                CLASS_PATH,
                Main.class.getName(),
                "predict",
                archive.toString(),
                requests.toString(),
                "--out",
                out.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertEquals(ExitStatus.SOME_FAILED, process.waitFor());
    List<String> answers = Files.readAllLines(out);
    assertEquals(3, answers.size());
    assertTrue(answers.get(0).contains("\"outputs\""), answers.get(0));
    assertTrue(answers.get(1).contains("out_of_memory"), answers.get(1));
    assertTrue(answers.get(1).contains("requests.jsonl:2"), answers.get(1));
    assertEquals(answers.get(0), answers.get(2));
  }
}
