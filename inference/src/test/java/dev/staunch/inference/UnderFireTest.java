package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.memory.MemoryOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Serves models while everything that can happen to them and to their files happens (P1, P2, S6,
 * M4, M8, E4, C3). {@code -Drandom.requests} sets the number of requests, {@code -Drandom.seed} the
 * seed. The figures are in {@code target/under-fire.txt}.
 */
class UnderFireTest {
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @Test
  void everyAnswerIsRightAndNothingIsLeftAndTheProcessLives() throws Exception {
    long seed = Long.getLong("random.seed", 1);
    long requests = Long.getLong("random.requests", 5_000);
    Path folder = Files.createDirectories(Path.of("target").toAbsolutePath());
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:ErrorFile=" + folder.resolve("under-fire-crash.txt"),
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.util.logging.config.file="
                + System.getProperty("java.util.logging.config.file", ""),
            "-D" + MemoryOptions.GUARD + "=" + Boolean.getBoolean(MemoryOptions.GUARD),
            "-cp",
            CLASS_PATH,
            UnderFire.class.getName(),
            Long.toString(requests),
            Long.toString(seed));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Files.writeString(folder.resolve("under-fire.txt"), said);
      assertEquals(0, process.waitFor(), () -> "seed " + seed + "\n" + said + crash(folder));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String crash(Path folder) {
    Path file = folder.resolve("under-fire-crash.txt");
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      return e.toString();
    }
  }
}
