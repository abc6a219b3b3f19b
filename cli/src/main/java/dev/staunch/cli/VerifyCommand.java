package dev.staunch.cli;

import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.Model;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.torchscript.TorchScriptModule;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Loads archives and replays the calls recorded for them. */
@Command(
    name = "verify",
    description = "Loads archives, checks them and replays their recorded calls.",
    footer = {
      "",
      "Examples:",
      "  staunch verify ranker.pt",
      "  staunch verify archives/            (each NAME.pt there, with NAME.json)",
      "  staunch verify resaved/ --cases archives/"
    },
    exitCodeList = {
      "0:every archive passed",
      "1:some archive failed, or its recorded calls could not be read",
      "2:wrong usage"
    })
final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "archives, or folders of them")
  private List<Path> paths = List.of();

  @Option(
      names = "--cases",
      paramLabel = "DIR",
      description = "where NAME.json with recorded calls lies, if not beside the archive")
  private @Nullable Path cases;

  @Mixin private final Deadline deadline = new Deadline();

  @ParentCommand private Main main = new Main(Terminal.NONE);

  private int unrecorded;
  private long replayed;

  private VerifyCommand() {}

  @Override
  public Integer call() throws IOException {
    if (cases != null && !Files.isDirectory(cases)) {
      throw new IOException("there is no folder " + cases);
    }
    PrintWriter out = spec.commandLine().getOut();
    List<Path> archives = archives();
    OffHeap memory = OffHeap.withDefaultBudget();
    int failed = 0;
    try (Progress progress = progress(archives.size())) {
      for (Path archive : archives) {
        String failure = failure(archive, memory);
        if (failure != null) {
          failed++;
          progress.clear();
          String name = String.valueOf(archive.getFileName());
          // A fault about the file itself already names it.
          out.println(failure.startsWith(name) ? failure : name + ": " + failure);
        }
        progress.step(failed);
      }
    }
    if (unrecorded > 0) {
      String which = Message.count(unrecorded, "archive") + (unrecorded == 1 ? " has" : " have");
      spec.commandLine()
          .getErr()
          .println(which + " no recorded calls: loaded and checked, but not run");
    }
    if (replayed == 0) {
      spec.commandLine()
          .getErr()
          .println("no call was replayed: nothing shows that answers are right");
    }
    out.println(Message.of("%d passed, %d failed", archives.size() - failed, failed));
    return failed == 0 ? ExitStatus.OK : ExitStatus.NOT_LOADED;
  }

  private Progress progress(int total) {
    return new Progress(spec.commandLine().getErr(), main.terminal().err(), "archive", total);
  }

  private List<Path> archives() throws IOException {
    List<Path> archives = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        archives.addAll(inFolder(path));
      } else {
        archives.add(path);
      }
    }
    return archives;
  }

  private List<Path> inFolder(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found = files.filter(file -> file.toString().endsWith(".pt")).sorted().toList();
      if (found.isEmpty()) {
        throw new ParameterException(
            spec.commandLine(), "there is no archive (*.pt) in folder " + folder);
      }
      return found;
    }
  }

  private @Nullable String failure(Path archive, OffHeap memory) throws IOException {
    try (Model model = Model.load(archive, memory)) {
      Path recording = recording(archive, model.name());
      if (recording == null) {
        unrecorded++;
        return null;
      }
      RecordedCases calls = RecordedCases.read(recording);
      replayed += calls.size();
      if (calls.size() == 0) {
        return recording.getFileName() + " has no calls to replay";
      }
      List<String> differences = new Replay(model, calls, deadline.duration()).differences();
      if (differences.isEmpty()) {
        return null;
      }
      String more = differences.size() == 1 ? "" : " (and " + (differences.size() - 1) + " more)";
      return differences.get(0) + more + missing(model, differences.get(0));
    } catch (StaunchException e) {
      return Console.sentence(e);
    }
  }

  /**
   * The operations without a kernel, which are the usual reason for failed calls, but for those
   * that {@code said} names already.
   */
  private static String missing(Model model, String said) {
    List<String> names =
        model.module().operations(StandardOperations.catalog()).stream()
            .filter(use -> !use.hasKernel())
            .map(TorchScriptModule.OperationUse::name)
            .filter(name -> !said.contains(name))
            .toList();
    return names.isEmpty() ? "" : "; no kernel for " + String.join(", ", names);
  }

  private @Nullable Path recording(Path archive, String name) {
    Path folder = cases == null ? archive.toAbsolutePath().getParent() : cases;
    Path recording = folder == null ? null : folder.resolve(name + ".json");
    return recording != null && Files.exists(recording) ? recording : null;
  }
}
