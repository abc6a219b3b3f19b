package dev.staunch.cli;

import dev.staunch.fault.StaunchException;
import dev.staunch.inference.Model;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.kernel.Catalog;
import dev.staunch.memory.OffHeap;
import dev.staunch.torchscript.TorchScriptModule;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Loads archives and replays the calls that were recorded for them. */
@Command(
    name = "verify",
    description = "Loads archives, checks them and replays their recorded calls.",
    footer = {
      "",
      "Examples:",
      "  staunch verify ranker.pt",
      "  staunch verify archives/            (a folder with manifest.json)",
      "  staunch verify resaved/ --cases archives/"
    },
    exitCodeList = {"0:every archive passed", "1:some archive failed", "2:wrong usage"})
final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "archives, or folders of them")
  private List<Path> paths = List.of();

  @Option(
      names = "--cases",
      paramLabel = "DIR",
      description = "where NAME.json with recorded calls lies, if not beside the archive")
  private @Nullable Path cases;

  @Option(
      names = "--deadline",
      paramLabel = "MS",
      description = "milliseconds that one recorded call may take (default: ${DEFAULT-VALUE})")
  private long deadlineMillis = 30_000;

  private VerifyCommand() {}

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    OffHeap memory = OffHeap.withDefaultBudget();
    int passed = 0;
    int failed = 0;
    for (Path archive : archives()) {
      String failure = failure(archive, memory);
      if (failure == null) {
        passed++;
      } else {
        failed++;
        out.println(archive.getFileName() + ": " + failure);
      }
    }
    out.println("%d passed, %d failed".formatted(passed, failed));
    return failed == 0 ? ExitStatus.OK : ExitStatus.NOT_LOADED;
  }

  private List<Path> archives() throws IOException {
    List<Path> archives = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        try (Stream<Path> files = Files.list(path)) {
          files.filter(file -> file.toString().endsWith(".pt")).sorted().forEach(archives::add);
        }
      } else {
        archives.add(path);
      }
    }
    return archives;
  }

  private @Nullable String failure(Path archive, OffHeap memory) throws IOException {
    try (Model model = Model.load(archive, memory)) {
      Path recording = recording(archive, model.name());
      if (recording == null) {
        return null;
      }
      List<String> differences =
          new Replay(model, RecordedCases.read(recording), Duration.ofMillis(deadlineMillis))
              .differences();
      if (differences.isEmpty()) {
        return null;
      }
      String more = differences.size() == 1 ? "" : " (and " + (differences.size() - 1) + " more)";
      return differences.get(0) + more + missing(model);
    } catch (StaunchException e) {
      return Console.sentence(e);
    }
  }

  /** The operations without a kernel, which usually are why calls fail. */
  private static String missing(Model model) {
    List<String> names =
        model.module().operations(Catalog.standard()).stream()
            .filter(use -> !use.hasKernel())
            .map(TorchScriptModule.OperationUse::name)
            .toList();
    return names.isEmpty() ? "" : "; no kernel for " + String.join(", ", names);
  }

  private @Nullable Path recording(Path archive, String name) {
    Path folder = cases == null ? archive.toAbsolutePath().getParent() : cases;
    Path recording = folder == null ? null : folder.resolve(name + ".json");
    return recording != null && Files.exists(recording) ? recording : null;
  }
}
