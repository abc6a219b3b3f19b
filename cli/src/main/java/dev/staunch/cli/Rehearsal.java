package dev.staunch.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs each command once in one process, without showing output. A JVM that records this run knows
 * in advance what the launcher's processes will load and compile; {@code tools/make-aot-cache}
 * starts it.
 */
final class Rehearsal {
  private static final String PROGRAM =
      """
      func @three() -> i32 {
        %one = tfrt.constant.i32 1
        %two = tfrt.constant.i32 2
        %three = tfrt.add.i32 %one, %two
        tfrt.return %three : i32
      }
      """;

  private Rehearsal() {}

  /** Fails if any command fails, because the recording would then be useless. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createTempDirectory("staunch-rehearsal");
    Path archive = DemoFiles.archive();
    Path requests = Files.write(folder.resolve("requests"), DemoFiles.lines("requests.jsonl"));
    Path program = Files.writeString(folder.resolve("program"), PROGRAM);
    try {
      for (List<String> command :
          List.of(
              List.of("--help"),
              List.of("inspect", archive.toString()),
              List.of("predict", archive.toString(), requests.toString()),
              List.of("verify", archive.toString()),
              List.of("run", program.toString()),
              List.of("demo"))) {
        run(command);
      }
    } finally {
      for (Path file : List.of(archive, requests, program, folder)) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static void run(List<String> command) throws IOException {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    int status = Main.run(nowhere, nowhere, command.toArray(String[]::new));
    if (status != ExitStatus.OK) {
      throw new IOException(String.join(" ", command) + " ended with status " + status);
    }
  }
}
