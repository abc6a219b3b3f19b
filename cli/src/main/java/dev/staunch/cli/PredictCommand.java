package dev.staunch.cli;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Workers;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.inference.Answer;
import dev.staunch.inference.Model;
import dev.staunch.inference.ProtocolReader;
import dev.staunch.inference.ProtocolWriter;
import dev.staunch.memory.OffHeap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Answers a file of requests, in order, several at a time. */
@Command(
    name = "predict",
    description = "Answers a file of Open Inference Protocol V2 requests, one JSON object a line.",
    footer = {
      "",
      "Examples:",
      "  staunch predict ranker.pt requests.jsonl --out answers.jsonl",
      "  generate | staunch predict ranker.pt - --threads 8 | consume",
      "",
      "A request:  {\"id\":\"7\",\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"FP32\",\"data\":[0.5,1]}]}"
    },
    exitCodeList = {
      "0:all requests were answered",
      "1:the model could not be loaded",
      "2:wrong usage",
      "3:some requests failed"
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
      description = "the method to call (default: ${DEFAULT-VALUE})")
  private String method = "forward";

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "requests in flight at once (default: one a processor)")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--deadline",
      paramLabel = "MS",
      description =
          "milliseconds that one request may take; 0 for no limit (default: ${DEFAULT-VALUE})")
  private long deadlineMillis = 60_000;

  private final ProtocolReader reader = new ProtocolReader();
  private final ProtocolWriter writer = new ProtocolWriter();
  private int answered;
  private int failed;

  @Override
  public Integer call() throws IOException {
    if (threads < 1) {
      throw new ParameterException(spec.commandLine(), "--threads must be at least 1");
    }
    if (!requests.equals("-") && !Files.isReadable(Path.of(requests))) {
      throw new ParameterException(spec.commandLine(), "there is no readable file " + requests);
    }
    PrintWriter err = spec.commandLine().getErr();
    try (Model model = Model.load(archive, OffHeap.withDefaultBudget());
        BufferedReader lines = open();
        Writer answers = sink()) {
      model.checkMethod(method);
      answerAll(model, lines, answers);
    }
    err.println(
        "%s: %d answered, %d failed"
            .formatted(Console.count(answered + failed, "request"), answered, failed));
    return failed == 0 ? ExitStatus.OK : ExitStatus.SOME_FAILED;
  }

  private BufferedReader open() throws IOException {
    return requests.equals("-")
        ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
        : Files.newBufferedReader(Path.of(requests));
  }

  private Writer sink() throws IOException {
    return out == null
        ? new UnclosedWriter(spec.commandLine().getOut())
        : Files.newBufferedWriter(out);
  }

  private void answerAll(Model model, BufferedReader lines, Writer answers) throws IOException {
    Deque<dev.staunch.engine.Pending> inFlight = new ArrayDeque<>();
    try (Workers workers = Workers.of(threads, "staunch-predict")) {
      String line = lines.readLine();
      while (line != null || !inFlight.isEmpty()) {
        boolean full = inFlight.size() >= threads * 4;
        if (line == null || full) {
          write(answers, inFlight.removeFirst().await(CancelScope.open()));
        } else {
          String text = line;
          if (!text.isBlank()) {
            inFlight.addLast(workers.submit(() -> answer(model, text)));
          }
          line = lines.readLine();
        }
      }
    }
  }

  private Answer answer(Model model, String line) {
    ProtocolReader.Parsed parsed = reader.read(line);
    if (parsed.request() == null) {
      Fault fault = parsed.fault();
      Fault known = fault == null ? Fault.of(FaultType.REQUEST, "the request is empty") : fault;
      return new Answer(parsed.id(), java.util.List.of(), known);
    }
    CancelScope cancel =
        deadlineMillis == 0
            ? CancelScope.open()
            : CancelScope.withDeadline(Duration.ofMillis(deadlineMillis));
    return model.predict(parsed.request(), method, cancel);
  }

  private void write(Writer answers, Object outcome) throws IOException {
    Answer answer =
        outcome instanceof Fault fault
            ? new Answer(null, java.util.List.of(), fault)
            : (Answer) outcome;
    Fault fault = answer.fault();
    if (fault == null) {
      answered++;
      answers.write(writer.answer(archiveName(), answer.id(), answer.outputs()));
    } else {
      failed++;
      answers.write(writer.fault(answer.id(), fault));
    }
    answers.write("\n");
  }

  private String archiveName() {
    String file = String.valueOf(archive.getFileName());
    return file.endsWith(".pt") ? file.substring(0, file.length() - 3) : file;
  }
}
