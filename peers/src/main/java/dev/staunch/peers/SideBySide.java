package dev.staunch.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs random cases here and in libtorch and prints what differs without a reason. libtorch ends
 * its process now and then; then another goes on behind that case, which is counted.
 */
public final class SideBySide {
  private static final int PORTION = 20_000;

  /** In seconds; libtorch runs for ever for some arguments. */
  private static final int LONGEST_CALL = 40;

  private final long end;
  private final String operations;
  private final Path running;
  private final Accepted accepted = new Accepted();
  private final Map<String, Integer> counts = new TreeMap<>();
  private volatile long next;

  private SideBySide(long first, long count, String operations, Path running) throws IOException {
    this.next = first;
    this.end = first + count;
    this.operations = operations;
    this.running = running;
  }

  /**
   * Arguments: how many cases, the first one's seed, and which operations, as {@link Worker#main}
   * takes them. Ends with 1 if something differs that is not accepted.
   */
  public static void main(String[] words) throws IOException, InterruptedException {
    Path running = Files.createTempFile("staunch-peers", ".txt");
    long count = Long.parseLong(words[0]);
    SideBySide all = new SideBySide(Long.parseLong(words[1]), count, words[2], running);
    while (all.next < all.end) {
      all.portion();
    }
    System.out.println(all.counts);
    System.exit(all.counts.containsKey("differs") ? 1 : 0);
  }

  private void portion() throws IOException, InterruptedException {
    long last = Math.min(end, next + PORTION);
    Process worker =
        new ProcessBuilder(command(last)).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    Thread.ofVirtual().start(() -> endIfStuck(worker));
    try (BufferedReader lines = worker.inputReader()) {
      lines.lines().filter(line -> line.contains("\t")).forEach(line -> took(line.split("\t", -1)));
    }
    worker.waitFor();
    if (next < last) {
      count("ended libtorch's process, or did not end");
      String call = Running.of(running);
      System.out.println("ended " + worker.exitValue() + "\t" + call);
      next = Long.parseLong(call.substring(0, call.indexOf('\n'))) + 1;
    }
  }

  /** Counts its own seconds, for both processes may be stopped for a while. */
  private void endIfStuck(Process worker) {
    long known = next;
    int same = 0;
    while (same < LONGEST_CALL && worker.isAlive()) {
      LockSupport.parkNanos(1_000_000_000);
      same = next == known ? same + 1 : 0;
      known = next;
    }
    worker.destroyForcibly();
  }

  private void took(String[] words) {
    next = Long.parseLong(words[1]) + 1;
    boolean listed =
        words[0].equals("differs") && accepted.contains(words[2], words[3] + " in " + words[4]);
    count(listed ? "accepted" : words[0]);
    if (words[0].equals("differs") && !listed) {
      System.out.println(String.join("\t", words));
    }
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  private List<String> command(long last) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC"));
    String kernels = System.getProperty("dev.staunch.kernels", "plain");
    command.add("-Ddev.staunch.kernels=" + kernels);
    command.addAll(
        kernels.equals("plain")
            ? List.of("-XX:TieredStopAtLevel=1")
            : List.of("--add-modules", "jdk.incubator.vector"));
    command.add("-XX:+SuppressFatalErrorMessage");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Worker.class.getName());
    command.addAll(List.of("" + next, "" + last, running.toString(), operations));
    return command;
  }
}
