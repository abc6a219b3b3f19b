package dev.staunch.cli;

import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.Report;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.InferenceRequest;
import dev.staunch.inference.Model;
import dev.staunch.inference.ProtocolReader;
import dev.staunch.inference.recorded.FirstDifference;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.RecordedRun;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.inference.recorded.Trace;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Answers one request and shows the operands and results of each operation. */
@Command(
    name = "debug",
    description =
        "Answers one request and shows the operands and results of its operations as they run.",
    footer = {
      "",
      "Examples:",
      "  staunch debug ranker.pt --args request.json --dump-values",
      "  staunch debug ranker.pt --args request.json --break ranker.py:22",
      "  staunch debug ranker.pt --args request.json --trace trace.html",
      "  staunch debug ranker.pt --args request.json --trace trace.json",
      "  head -1 requests.jsonl | staunch debug ranker.pt --args -",
      "",
      "A trace in JSON is a recording, for staunch diff, and a time line for",
      "ui.perfetto.dev."
    },
    exitCodeList = {
      "0:the request was answered",
      "1:the model or request could not be read, or the trace not written",
      "2:wrong usage",
      "3:the request failed"
    })
final class DebugCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "MODEL", description = "a TorchScript archive")
  private Path archive = Path.of("");

  @Option(
      names = "--args",
      paramLabel = "FILE",
      required = true,
      description =
          "a request (its first line counts), or recorded calls (their first one does); - for"
              + " standard input")
  private String arguments = "";

  @Option(
      names = "--method",
      paramLabel = "NAME",
      description = "the method to call (default: the recording's, forward, or the only one)")
  private @Nullable String method;

  @Option(
      names = "--dump-values",
      description = "print operands before each operation, and results after it")
  private boolean dump;

  @Option(
      names = "--break",
      paramLabel = "FILE:LINE",
      description = "as --dump-values, from the first operation on that line of the source")
  private @Nullable String place;

  @Option(
      names = "--trace",
      paramLabel = "OUT",
      description = "write all operations with values and times: a page (.html), or JSON")
  private @Nullable Path out;

  @Mixin private final Deadline deadline = new Deadline();

  private DebugCommand() {}

  /** Prints operations as they run, from the breakpoint on. */
  private final class Dump implements Trace.Listener {
    private final PrintWriter to = spec.commandLine().getOut();
    private boolean on = place == null && dump;
    private boolean met;

    @Override
    public void before(Trace.Step step) {
      boolean breaks = place != null && !met && stands(step.source());
      met |= breaks;
      on |= breaks;
      if (on) {
        SourceLocation source = step.source();
        to.println(step.number() + "  " + step.operation() + (source == null ? "" : "  " + source));
        step.given().forEach(given -> to.println("    " + given));
        to.flush();
      }
    }

    @Override
    public void after(Trace.Step step) {
      if (on) {
        step.came().forEach(came -> to.println("    -> " + came));
        to.flush();
      }
    }

    /**
     * Whether a breakpoint is here. It may name the file by the end of its path, or a line of the
     * archive's own code.
     */
    private boolean stands(@Nullable SourceLocation source) {
      if (source == null) {
        return false;
      }
      String wanted = String.valueOf(place);
      String here = source.file() + ":" + source.line();
      return here.equals(wanted) || here.endsWith("/" + wanted) || stands(source.emitted());
    }
  }

  @Override
  public Integer call() throws IOException {
    boolean isFile = !arguments.equals("-");
    if (isFile) {
      Arguments.readableFile(Path.of(arguments));
    }
    if (place != null && !place.matches(".+:\\d+")) {
      throw new ParameterException(
          spec.commandLine(), "--break takes FILE:LINE, but was '" + place + "'");
    }
    if (out != null) {
      Arguments.writableFile(out);
      Arguments.notRead(spec, out, archive);
      if (isFile) {
        Arguments.notRead(spec, out, Path.of(arguments));
      }
    }
    OffHeap memory = OffHeap.withDefaultBudget();
    try (Model model = Model.load(archive, memory);
        ResourceScope scope = ResourceScope.open(memory, "debug")) {
      // once: a pipe cannot be read a second time
      byte[] given = isFile ? Files.readAllBytes(Path.of(arguments)) : System.in.readAllBytes();
      RecordedCases calls = recording(given);
      return calls == null ? answered(model, given, scope) : replayed(model, calls, scope);
    }
  }

  /** The recorded calls in the input; null if there are none, so that it must be requests. */
  private @Nullable RecordedCases recording(byte[] given) {
    try {
      RecordedCases calls = RecordedCases.of(given, Path.of(arguments));
      return calls.size() == 0 ? null : calls;
    } catch (StaunchException e) {
      return null;
    }
  }

  private int replayed(Model model, RecordedCases calls, ResourceScope scope) throws IOException {
    Replay replay = new Replay(model, calls, deadline.duration());
    String wanted = method == null ? calls.method(0) : method;
    return run(model, wanted, replay.arguments(0, scope), calls.gradEnabled(0), scope);
  }

  private int answered(Model model, byte[] given, ResourceScope scope) throws IOException {
    String wanted = method == null ? model.defaultMethod() : method;
    try (RequestLines lines =
        new RequestLines(new ByteArrayInputStream(given), RequestLines.MAX_BYTES)) {
      RequestLines.Line line = lines.next();
      byte[] bytes = line == null ? null : line.bytes();
      if (bytes == null) {
        throw new IOException(
            (arguments.equals("-") ? "standard input" : arguments) + " has no request");
      }
      InferenceRequest request = new ProtocolReader().read(bytes).orThrow();
      return run(model, wanted, model.arguments(request, wanted, scope), false, scope);
    }
  }

  private int run(
      Model model, String wanted, List<Object> values, boolean grad, ResourceScope scope)
      throws IOException {
    PrintWriter to = spec.commandLine().getOut();
    Dump dump = new Dump();
    Trace trace = new Trace(StandardOperations.catalog(), FirstDifference.MOST_ELEMENTS, dump);
    RecordedRun recorded = new RecordedRun(model.name(), wanted, values, grad);
    RunOptions options =
        RunOptions.in(scope)
            .withCancel(deadline.scope())
            .withGradEnabled(grad)
            .withOutput(to::println)
            .withInterceptor(trace);
    Object outcome = model.call(wanted, values, options);
    to.println(
        outcome instanceof Fault fault
            ? Report.of(fault).stripTrailing()
            : wanted + " gives " + RecordedRun.words(outcome));
    to.println(Message.count(trace.count(), "operation") + " ran");
    if (out != null) {
      recorded.ended(outcome, trace);
      try {
        recorded.write(out);
      } catch (IOException e) {
        throw new IOException(out + " cannot be written: " + Console.sentence(e), e);
      }
      to.println("wrote " + out);
    }
    if (place != null && !dump.met) {
      spec.commandLine().getErr().println("warning: no operation ran on " + place);
    }
    return outcome instanceof Fault ? ExitStatus.SOME_FAILED : ExitStatus.OK;
  }
}
