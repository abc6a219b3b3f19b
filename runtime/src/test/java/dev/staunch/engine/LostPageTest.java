package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thread that reads a lost page of a file leaves nobody waiting, and no thread behind (M8). */
class LostPageTest {
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"caller", "helper"})
  void m8WorkThatIsSharedEndsAndIsAFault(String reader) throws IOException, InterruptedException {
    Path output = folder.resolve("said");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xbatch", // so that the work is compiled when it meets the file, and that soon
                "-XX:CompileThresholdScaling=0.1",
                "-cp",
                CLASS_PATH,
                LostPageProgram.class.getName(),
                folder.resolve("file").toString(),
                reader)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
      assertEquals(0, process.exitValue(), () -> text(output));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
