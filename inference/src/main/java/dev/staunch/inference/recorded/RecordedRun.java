package dev.staunch.inference.recorded;

import dev.staunch.fault.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One call with its arguments, outcome and {@link Trace}, for writing to a file: either as a
 * recording, which {@link RecordedCases} reads and Perfetto and Chrome show as a timeline, or as an
 * HTML page.
 */
public final class RecordedRun {
  private static final String PAGE = "trace.html";
  private static final long MOST_IN_WORDS = 64;

  private final String model;
  private final String method;
  private final List<Object> arguments;
  private final ObjectNode call = JsonNodeFactory.instance.objectNode();
  private final WrittenValues whole = new WrittenValues(Integer.MAX_VALUE);

  /**
   * @param arguments run-time values as they are before the call, which may write to them
   */
  public RecordedRun(String model, String method, List<?> arguments, boolean gradEnabled) {
    this.model = model;
    this.method = method;
    this.arguments = List.copyOf(arguments);
    call.put("method", method);
    ArrayNode args = call.putArray("args");
    this.arguments.forEach(value -> args.add(whole.of(value)));
    call.put("grad_mode", gradEnabled);
  }

  /** Describes a run-time value in a few words. */
  public static String words(Object value) {
    return ValueWords.of(new WrittenValues(MOST_IN_WORDS).of(value));
  }

  /** Adds the outcome of the call. */
  public void ended(Object outcome, Trace trace) {
    if (outcome instanceof Fault fault) {
      String raised = fault.raised();
      String text = raised == null ? fault.message() : raised + ": " + fault.message();
      call.putObject("error").put("class", fault.type().word()).put("message", text);
    } else {
      call.set("expect", whole.of(outcome));
    }
    ArrayNode steps = call.putArray("trace");
    for (Trace.Step step : trace.steps()) {
      ObjectNode node = steps.addObject().put("op", step.operation());
      if (step.source() != null) {
        node.put("file", step.source().file()).put("line", step.source().line());
        if (step.source().text() != null) {
          node.put("text", step.source().text());
        }
      }
      ObjectNode args = node.putObject("args");
      step.operands.forEach(operand -> args.set(operand.name(), operand.value()));
      ArrayNode results = node.putArray("results");
      step.results.forEach(results::add);
      Fault fault = step.fault();
      if (fault != null) {
        node.put("fault", fault.toString());
      }
      node.put("start", step.start).put("nanos", step.nanos);
    }
  }

  /** Writes a page if the file name ends with {@code .html}, otherwise a recording. */
  public void write(Path file) throws IOException {
    ObjectNode document = JsonNodeFactory.instance.objectNode().put("model", model);
    document.putArray("calls").add(call);
    boolean page = String.valueOf(file.getFileName()).endsWith(".html");
    if (!page) {
      timeLine(document.putArray("traceEvents"));
    }
    String json = JsonMapper.shared().writeValueAsString(document);
    Files.writeString(file, page ? page(json) : json);
  }

  /** Adds Chrome trace events: complete events, in microseconds. */
  private void timeLine(ArrayNode events) {
    call.path("trace")
        .forEach(step -> {
          ObjectNode event = events.addObject();
          event
              .put("name", step.path("op").asString(""))
              .put("ph", "X")
              .put("pid", 1)
              .put("tid", 1);
          event.put("ts", step.path("start").asLong() / 1000.0);
          event.put("dur", step.path("nanos").asLong() / 1000.0);
          ObjectNode args = event.putObject("args");
          args.put("place", step.path("file").asString("") + ":" + step.path("line").asInt(0));
          step.path("results").forEach(result -> args.put("result", ValueWords.of(result)));
        });
  }

  /** The page embeds its data; {@code <} is escaped so that no value can end the script early. */
  private static String page(String json) throws IOException {
    @Nullable InputStream in = RecordedRun.class.getResourceAsStream(PAGE);
    if (in == null) {
      throw new IOException("the page " + PAGE + " is missing from this installation");
    }
    try (in) {
      String page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return page.replace("\"TRACE\"", json.replace("<", "\\u003c"));
    }
  }

  @Override
  public String toString() {
    return model + "." + method;
  }
}
