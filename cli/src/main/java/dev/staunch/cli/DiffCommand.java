package dev.staunch.cli;

import dev.staunch.fault.Message;
import dev.staunch.inference.Model;
import dev.staunch.inference.recorded.FirstDifference;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reports the first operation whose result differs from the recording. */
@Command(
    name = "diff",
    description = "Repeats recorded calls and names the first operation whose result differs.",
    footer = {
      "",
      "A recording with a trace comes from staunch debug --trace FILE.json, or from",
      "PyTorch:",
      "  staunch debug ranker.pt --args request.json --trace ours.json",
      "  python3 tools/record_trace.py ranker.pt ours.json theirs.json",
      "  staunch diff ranker.pt theirs.json"
    },
    exitCodeList = {
      "0:nothing differs",
      "1:something differs, or the model or recording could not be read",
      "2:wrong usage"
    })
final class DiffCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "MODEL", description = "a TorchScript archive")
  private Path archive = Path.of("");

  @Parameters(index = "1", paramLabel = "RECORDING", description = "recorded calls, with traces")
  private Path recording = Path.of("");

  @Mixin private final Deadline deadline = new Deadline();

  private DiffCommand() {}

  @Override
  public Integer call() throws IOException {
    Arguments.readableFile(recording);
    RecordedCases calls = RecordedCases.read(recording);
    if (calls.size() == 0) {
      throw new IOException(recording + " has no calls");
    }
    PrintWriter out = spec.commandLine().getOut();
    boolean same = true;
    try (Model model = Model.load(archive, OffHeap.withDefaultBudget())) {
      FirstDifference search = new FirstDifference(model, StandardOperations.catalog(), calls);
      for (int i = 0; i < calls.size(); i++) {
        FirstDifference.Outcome outcome = search.of(i, deadline.duration());
        String what = outcome.difference();
        same &= what == null;
        out.println(
            Message.of(
                "call %s of %s: %s", i, calls.method(i), what == null ? "no difference" : what));
        out.println(
            Message.of(
                "  %s compared of %s recorded",
                Message.count(outcome.compared(), "operation"), calls.traced(i)));
      }
    }
    return same ? ExitStatus.OK : ExitStatus.NOT_LOADED;
  }
}
