package dev.staunch.bench.kernel;

import dev.staunch.bench.process.Launch;
import dev.staunch.bench.process.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * oneDNN through bytedeco's binding, on one thread.
 *
 * @param target the folder with {@code classes} of its program, and {@code cp.txt}
 * @param logs takes the error output
 */
public record KernelPeer(Path target, Path logs) {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** GFLOP/s by the name of the case; empty if the program could not run. */
  public Map<String, Double> times(String group, double warm, double measured, List<String> names) {
    List<String> command = new ArrayList<>(Programs.java());
    command.add("-cp");
    command.add(target.resolve("classes") + ":" + classPath());
    command.addAll(
        List.of("onednn.Kernels", group, Double.toString(warm), Double.toString(measured)));
    command.addAll(names);
    Path log = logs.resolve("onednn-" + group + ".log");
    Map<String, String> oneThread = Map.of("OMP_NUM_THREADS", "1");
    return Launch.figures(Programs.run(command, oneThread, log, LIMIT, lines -> false).lines());
  }

  private String classPath() {
    try {
      return Files.readString(target.resolve("cp.txt")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
