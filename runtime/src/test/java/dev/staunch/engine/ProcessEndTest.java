package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Neither a task that never ends nor what is queued behind it keeps the process from ending (E8).
 */
class ProcessEndTest {
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @ParameterizedTest
  @ValueSource(strings = {"", "close"})
  void aProcessEndsThoughATaskIsStuck(String argument) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        Stream.of(java, "-cp", CLASS_PATH, StuckProgram.class.getName(), argument)
            .filter(word -> !word.isEmpty())
            .toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals(0, process.exitValue(), said);
    } finally {
      process.destroyForcibly();
    }
  }
}
