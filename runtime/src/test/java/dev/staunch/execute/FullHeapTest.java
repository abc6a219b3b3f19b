package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A request that ends because the heap is full gives back what it held, and its processor. */
class FullHeapTest {
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @Test
  void f11WithoutRoomForAFaultNothingStaysHeld() throws IOException, InterruptedException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx48m",
            "-XX:+UseSerialGC",
            "-XX:ActiveProcessorCount=2",
            "-cp",
            CLASS_PATH,
            FullHeapProgram.class.getName());
    Process process = new ProcessBuilder(command).start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals("went well, then failed, 0 bytes, helped true, reaps true", said.strip());
    } finally {
      process.destroyForcibly();
    }
  }
}
