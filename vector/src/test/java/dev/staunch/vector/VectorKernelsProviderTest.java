package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A JVM without the Vector API runs the plain kernels, and logs a message about it after a while.
 */
class VectorKernelsProviderTest {
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @Test
  void theLogSaysOnceThatThePlainKernelsServe() throws IOException, InterruptedException {
    assertEquals(
        "plain\nINFO the plain kernels are used; start java with --add-modules"
            + " jdk.incubator.vector for fast ones",
        said("until told"));
  }

  @Test
  void aProcessThatEndsSoonDoesNotWaitForThat() throws IOException, InterruptedException {
    assertTrue(said().startsWith("plain"));
  }

  /** The output of a process without the API. */
  private static String said(String... arguments) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        Stream.concat(
                Stream.of(java, "-cp", CLASS_PATH, WithoutVectors.class.getName()),
                Stream.of(arguments))
            .toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals(0, process.exitValue(), said);
      return said.strip().replace(System.lineSeparator(), "\n");
    } finally {
      process.destroyForcibly();
    }
  }
}
