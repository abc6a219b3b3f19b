package dev.staunch.cli;

import dev.staunch.engine.Guard;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.SourceLocation;
import dev.staunch.inference.Answer;
import dev.staunch.inference.InferenceRequest;
import dev.staunch.inference.Model;
import dev.staunch.inference.ProtocolReader;
import dev.staunch.inference.ProtocolWriter;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.torchscript.LoadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
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
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Answers a file of requests, in order, several concurrently. */
@Command(
    name = "predict",
    description =
        "Answers a file of Open Inference Protocol V2 requests, one JSON object a line, in order. A"
            + " request that fails gets a line with its error; the others are answered.",
    footer = {
      "",
      "Examples:",
      "  staunch predict ranker.pt requests.jsonl --out answers.jsonl",
      "  generate | staunch predict ranker.pt - --threads 8 | consume",
      "",
      "A request:",
      "  {\"id\":\"7\",\"inputs\":[",
      "    {\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"FP32\",\"data\":[0.5,1]}]}",
      "on one line. Inputs go by name if any has a parameter's name, else by position;",
      "a list of tensors is given as xs.0, xs.1, a dict of them as features.age,",
      "features.income. \"outputs\":[{\"name\":\"y\"}] asks for some of the outputs,",
      "for all parts of a list or dict by its name."
    },
    exitCodeList = {
      "0:all requests were answered",
      "1:the model or requests could not be read, or an answer not written",
      "2:wrong usage",
      "3:some requests failed",
      "141:the reader of the answers closed the pipe"
    })
final class PredictCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "MODEL", description = "a TorchScript archive")
  private Path archive = Path.of("");

  @Parameters(paramLabel = "REQUESTS", description = "a file of requests, or - for standard input")
  private String requests = "-";

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "write answers there instead of standard output")
  private @Nullable Path out;

  @Option(
      names = "--method",
      paramLabel = "NAME",
      description = "the method to call (default: forward, or the only one)")
  private @Nullable String method;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "requests in flight at once (default: one a processor); always one where they may change"
              + " the model")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Mixin private final Deadline deadline = new Deadline();

  @Option(
      names = "--hide-sources",
      description = "leave the places in the model's source out of errors")
  private boolean hideSources;

  @ParentCommand private Main main = new Main(Terminal.NONE);

  private final ProtocolReader reader = new ProtocolReader();
  private int answered;
  private int failed;

  @Override
  public Integer call() throws IOException {
    Arguments.atLeastOne(spec, "--threads", threads);
    checkFiles();
    PrintWriter err = spec.commandLine().getErr();
    LoadOptions options =
        LoadOptions.standard().withWarnings(text -> err.println("warning: " + text));
    try (Model model = Model.load(archive, OffHeap.withDefaultBudget(), options)) {
      String method = this.method == null ? model.defaultMethod() : this.method;
      model.checkMethod(method);
      answerAll(model, method, err);
    } catch (UnclosedWriter.ClosedPipe e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("the answers cannot be written: " + Console.sentence(e), e);
    }
    err.println(
        Message.of(
            "%s: %d answered, %d failed",
            Message.count(answered + failed, "request"), answered, failed));
    return failed == 0 ? ExitStatus.OK : ExitStatus.SOME_FAILED;
  }

  private void checkFiles() throws IOException {
    if (!requests.equals("-")) {
      Arguments.readableFile(Path.of(requests));
      refuseArchive(Path.of(requests));
    }
    if (out != null) {
      Arguments.writableFile(out);
      Arguments.notRead(spec, out, archive);
      if (!requests.equals("-")) {
        Arguments.notRead(spec, out, Path.of(requests));
      }
    }
  }

  /** Rejects an archive given in place of requests, which would be thousands of invalid lines. */
  private void refuseArchive(Path file) throws IOException {
    if (Arguments.isArchive(file)) {
      throw new ParameterException(
          spec.commandLine(),
          file
              + " is an archive, where requests are expected"
              + (Arguments.isArchive(archive) ? "" : "; MODEL comes first, then REQUESTS"));
    }
  }

  /** If answers scroll by on the terminal, they show the progress themselves. */
  private boolean showsProgress() {
    return main.terminal().err() && (out != null || !main.terminal().out());
  }

  private Progress progress(PrintWriter err, RequestLines lines) throws IOException {
    double bytes = requests.equals("-") ? 0 : Files.size(Path.of(requests));
    return new Progress(
        err,
        showsProgress(),
        "request",
        -1,
        bytes == 0 ? null : () -> lines.bytes() / bytes,
        System::nanoTime);
  }

  private RequestLines open() throws IOException {
    InputStream in = requests.equals("-") ? System.in : Files.newInputStream(Path.of(requests));
    return new RequestLines(in, RequestLines.MAX_BYTES);
  }

  private Writer sink() throws IOException {
    return out == null
        ? new UnclosedWriter(spec.commandLine().getOut())
        : Files.newBufferedWriter(out);
  }

  private void answerAll(Model model, String method, PrintWriter err) throws IOException {
    ProtocolWriter writer = new ProtocolWriter(model.name());
    ProtocolWriter written = hideSources ? writer.withoutSources() : writer;
    try (RequestLines lines = open();
        Writer answers = sink();
        Progress progress = progress(err, lines)) {
      int inFlight = model.stateUse(method).state() ? 1 : threads; // writers keep their order
      new AnswersInOrder(lines, inFlight, line -> answer(model, method, line))
          .forEach((outcome, moreReady) -> {
            write(written, answers, outcome);
            if (!moreReady) {
              answers.flush();
            }
            progress.step(failed);
          });
    }
  }

  private Answer answer(Model model, String method, RequestLines.Line line) {
    byte[] bytes = line.bytes();
    if (bytes == null) {
      return placed(new Answer(null, List.of(), line.fault()), line.number());
    }
    Object outcome = Guard.attempt(text -> answer(model, method, text), bytes);
    return placed(answered(outcome), line.number());
  }

  private static Answer answered(Object outcome) {
    return outcome instanceof Fault fault ? new Answer(null, List.of(), fault) : (Answer) outcome;
  }

  /** May throw: the heap may have room for a request as text but not for its numbers. */
  private Answer answer(Model model, String method, byte[] line) {
    ProtocolReader.Parsed parsed = reader.read(line);
    InferenceRequest request = parsed.request();
    Answer answer =
        request == null
            ? new Answer(parsed.id(), List.of(), parsed.fault())
            : model.predict(request, method, this::options);
    return spread(answer, line);
  }

  /** What the model prints goes where everything but answers goes. */
  private RunOptions options(ResourceScope scope) {
    return RunOptions.in(scope, deadline.scope()).withOutput(spec.commandLine().getErr()::println);
  }

  /** Explains a line that is an array, or only opens a bracket: it is not one whole request. */
  private static Answer spread(Answer answer, byte[] line) {
    Fault fault = answer.fault();
    if (fault == null) {
      return answer;
    }
    String text = new String(line, StandardCharsets.UTF_8).strip();
    boolean opens = text.startsWith("[") || text.endsWith("{") || text.endsWith("[");
    return !opens
        ? answer
        : new Answer(
            answer.id(),
            List.of(),
            fault.withMessage(
                fault.message()
                    + "; each line is to be one whole request, as `jq -c` writes them"));
  }

  /** Adds the line number to a fault in the request itself. */
  private Answer placed(Answer answer, long number) {
    Fault fault = answer.fault();
    if (fault == null || fault.source() != null) {
      return answer;
    }
    String file = requests.equals("-") ? "standard input" : requests;
    SourceLocation line = SourceLocation.of(file, (int) Math.min(number, Integer.MAX_VALUE), 0);
    return new Answer(answer.id(), List.of(), fault.withSource(line));
  }

  private void write(ProtocolWriter writer, Writer answers, Object outcome) throws IOException {
    Answer answer = answered(outcome);
    if (answer.failed()) {
      failed++;
    } else {
      answered++;
    }
    writer.write(answer, answers);
    answers.write('\n');
  }
}
