package dev.staunch.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client on a virtual thread catches the first fault of its process like any other fault (F1).
 */
class ParkedCatchTest {
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev.staunch.engine.Engine",
        "dev.staunch.memory.OffHeap",
        "dev.staunch.data.Prefetcher"
      })
  void theFirstFaultIsCaughtThoughItsClientWasParked(String known)
      throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(java, "-Xbatch", "-cp", CLASS_PATH, ParkedCatch.class.getName(), known)
            .redirectErrorStream(true)
            .start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals(0, process.exitValue(), said);
    } finally {
      process.destroyForcibly();
    }
  }
}
