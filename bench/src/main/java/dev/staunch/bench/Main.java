package dev.staunch.bench;

import dev.staunch.bench.kernel.BreadthPeer;
import dev.staunch.bench.kernel.KernelPeer;
import dev.staunch.bench.model.ModelLoad;
import dev.staunch.bench.model.ModelPeers;
import dev.staunch.bench.peer.Mxnet;
import dev.staunch.bench.report.Table;
import dev.staunch.bench.suite.BreadthSuite;
import dev.staunch.bench.suite.BusySuite;
import dev.staunch.bench.suite.DataSuite;
import dev.staunch.bench.suite.Effort;
import dev.staunch.bench.suite.EngineSuite;
import dev.staunch.bench.suite.KernelSuite;
import dev.staunch.bench.suite.MemorySuite;
import dev.staunch.bench.suite.ModelSuite;
import dev.staunch.bench.suite.OperationSuite;
import dev.staunch.bench.suite.Session;
import dev.staunch.bench.suite.StartSuite;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The main class behind {@code bench/run}, which builds what is missing and passes the folders. */
public final class Main {
  private Main() {}

  /**
   * Takes the suite's name, {@code --quick} and names of rows; prints the table; exits with status
   * 1 if a row failed.
   */
  public static void main(String[] arguments) {
    long started = System.nanoTime();
    Set<String> words = Set.copyOf(Arrays.asList(arguments));
    try {
      rows(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println("bench: " + e.getMessage());
      System.exit(2);
    }
    Effort effort = words.contains("--quick") ? Effort.QUICK : Effort.FULL;
    Path target = Path.of(System.getProperty("bench.target", "bench/target"));
    Session session =
        new Session(effort, peer(target, effort), target.resolve("logs"), Main::progress);
    Table table =
        switch (List.of(arguments).getFirst()) {
          case "engine" -> new EngineSuite(session).run();
          case "memory" -> new MemorySuite(session).run();
          case "data" -> new DataSuite(session).run();
          case "kernels" -> new KernelSuite(session, kernelPeer(session)).run();
          case "models" -> models(session, target, arguments).run();
          case "operations" ->
              new OperationSuite(session, target.resolve("models"), peers(session, target)).run();
          case "breadth" -> breadth(session, target).run();
          case "busy" -> new BusySuite(session, target.resolve("models"), rows(arguments)).run();
          case "starts" ->
              new StartSuite(session, target.resolve("models"), peers(session, target)).run();
          default -> throw new IllegalArgumentException("no suite is called " + arguments[0]);
        };
    progress("");
    String missing = System.getProperty("bench.peerMissing", "");
    if (!missing.isEmpty()) {
      System.out.println("the peer was not measured: " + missing);
    }
    List<String> lines = table.lines();
    lines.subList(0, lines.size() - 1).forEach(System.out::println);
    if (effort == Effort.QUICK) {
      System.out.println("took " + (System.nanoTime() - started) / 1_000_000_000 + " s");
    }
    System.out.println(lines.getLast());
    System.exit(table.hasFailures() ? 1 : 0);
  }

  private static ModelSuite models(Session session, Path target, String[] arguments) {
    ModelLoad load = ModelLoad.of(Set.copyOf(Arrays.asList(arguments)));
    Path page = target.resolve("..").toAbsolutePath().normalize();
    return new ModelSuite(
        session, load, target.resolve("models"), peers(session, target), rows(arguments), page);
  }

  /**
   * The names of rows among the arguments.
   *
   * @throws IllegalArgumentException if one of them is not a row; its message lists the names
   */
  static List<String> rows(String... arguments) {
    List<String> rows = Arrays.stream(arguments).filter(word -> word.contains("@")).toList();
    for (String row : rows) {
      if (!ModelSuite.ALL.contains(row)) {
        throw new IllegalArgumentException(
            "there is no row " + row + "; the rows are " + String.join(", ", ModelSuite.ALL));
      }
    }
    return rows;
  }

  private static @Nullable ModelPeers peers(Session session, Path target) {
    String folder = System.getProperty("bench.peer", "");
    return folder.isEmpty()
        ? null
        : new ModelPeers(
            Path.of(folder), target.resolve("models"), target.resolve("onnx"), session.logs());
  }

  private static @Nullable KernelPeer kernelPeer(Session session) {
    String folder = System.getProperty("bench.peer", "");
    return folder.isEmpty()
        ? null
        : new KernelPeer(Path.of(folder).resolve("target"), session.logs());
  }

  private static BreadthSuite breadth(Session session, Path target) {
    Path list = target.toAbsolutePath().resolveSibling("breadth.txt");
    Path program = list.resolveSibling("peer").resolve("torch").resolve("breadth.py");
    String python = System.getProperty("bench.peer", "");
    return new BreadthSuite(
        session,
        list,
        python.isEmpty() ? null : new BreadthPeer(Path.of(python), program, session.logs()));
  }

  private static @Nullable Mxnet peer(Path target, Effort effort) {
    String folder = System.getProperty("bench.peer", "");
    return folder.isEmpty()
        ? null
        : new Mxnet(Path.of(folder), target.resolve("logs"), effort == Effort.QUICK);
  }

  private static void progress(String what) {
    if (Boolean.getBoolean("bench.progress")) {
      System.err.printf("\r%-60s\r", what);
    }
  }
}
