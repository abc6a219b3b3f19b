package dev.staunch.cli;

import dev.staunch.inference.Model;
import dev.staunch.memory.OffHeap;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Demonstrates serving requests with a model that ships with the project. */
@Command(
    name = "demo",
    description = {
      "Answers requests with a ranking model saved by PyTorch: first three that go wrong, each"
          + " beside a good one, then 51 at once, one of which has the wrong shape. Compares every"
          + " answer with PyTorch's."
    },
    footer = {"", "Example:", "  staunch demo"},
    exitCodeList = {"0:each request got the right answer or the right error", "1:the demo failed"})
final class DemoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  private DemoCommand() {}

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    OffHeap memory = OffHeap.withDefaultBudget();
    Path archive = DemoFiles.archive();
    try (Model model = Model.load(archive, memory)) {
      DemoRun run = new DemoRun(model, memory, out);
      return run.run() ? ExitStatus.OK : ExitStatus.NOT_LOADED;
    } finally {
      Files.deleteIfExists(archive);
    }
  }
}
