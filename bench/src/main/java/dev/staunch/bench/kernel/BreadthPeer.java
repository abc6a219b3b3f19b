package dev.staunch.bench.kernel;

import dev.staunch.bench.process.Launch;
import dev.staunch.bench.process.Programs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Python's PyTorch on one thread.
 *
 * @param python an interpreter with {@code torch}
 * @param program times the operations of a list
 * @param logs takes the error output
 */
public record BreadthPeer(Path python, Path program, Path logs) {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Microseconds by the name of the operation; empty if the program could not run. */
  public Map<String, Double> times(Path list, boolean quick, double measured) {
    List<String> command =
        List.of(
            python.toString(),
            program.toString(),
            list.toString(),
            Boolean.toString(quick),
            Double.toString(measured));
    Map<String, String> oneThread = Map.of("OMP_NUM_THREADS", "1");
    Path log = logs.resolve("breadth-torch.log");
    return Launch.figures(Programs.run(command, oneThread, log, LIMIT, lines -> false).lines());
  }
}
