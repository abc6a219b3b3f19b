package dev.staunch.inference.recorded;

import dev.staunch.engine.CancelScope;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.inference.Model;
import dev.staunch.kernel.Catalog;
import dev.staunch.memory.ResourceScope;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Finds the first operation whose result differs from a recorded trace. The trace may come from
 * this runtime or from another, and may lack some operations: see {@link Alignment}.
 */
public final class FirstDifference {
  /** How many elements of a tensor a trace keeps, here and in the traces that are written. */
  public static final int MOST_ELEMENTS = 4096;

  private final Model model;
  private final Catalog catalog;
  private final RecordedCases recorded;

  public FirstDifference(Model model, Catalog catalog, RecordedCases recorded) {
    this.model = model;
    this.catalog = catalog;
    this.recorded = recorded;
  }

  /**
   * The outcome for one call.
   *
   * @param compared how many operations are in both traces
   * @param difference says which operation differs, and how; null if none does
   */
  public record Outcome(int compared, @Nullable String difference) {}

  /** Makes a recorded call and compares its operations, then its outcome as {@link Replay} does. */
  public Outcome of(int number, Duration deadline) {
    RecordedCases.Case call = recorded.cases().get(number);
    try (ResourceScope scope = ResourceScope.open(model.memory(), "diff")) {
      Trace trace = new Trace(catalog, MOST_ELEMENTS);
      Replay replay = new Replay(model, recorded, deadline);
      List<Object> arguments = replay.arguments(number, scope);
      RunOptions options =
          RunOptions.in(scope)
              .withCancel(CancelScope.withDeadline(deadline))
              .withGradEnabled(call.gradEnabled())
              .withInterceptor(trace);
      Object outcome = model.call(call.method(), arguments, options);
      Outcome steps = compared(call, trace);
      return steps.difference() != null
          ? steps
          : new Outcome(steps.compared(), replay.difference(call, arguments, outcome, scope));
    }
  }

  private static Outcome compared(RecordedCases.Case call, Trace trace) {
    Alignment ours = new Alignment(trace.steps());
    int compared = 0;
    for (JsonNode theirs : call.trace()) {
      String place = theirs.path("file").asString("") + ":" + theirs.path("line").asInt(0);
      Trace.Step step = ours.next(theirs.path("op").asString(""), place);
      if (step != null) {
        compared++;
        String difference = difference(theirs, step);
        if (difference != null) {
          return new Outcome(compared, told(step, difference));
        }
      }
    }
    return new Outcome(compared, null);
  }

  private static String told(Trace.Step step, String difference) {
    StringBuilder text = new StringBuilder();
    text.append(Message.of("operation %d, %s", step.number(), step.operation()));
    if (step.source() != null) {
      text.append(" at ").append(step.source());
    }
    text.append(": ").append(difference);
    step.given().forEach(given -> text.append("\n  ").append(given));
    step.came().forEach(came -> text.append("\n  -> ").append(came));
    return text.toString();
  }

  private static @Nullable String difference(JsonNode theirs, Trace.Step step) {
    Fault fault = step.fault();
    if (fault != null || theirs.has("fault")) {
      return fault != null && theirs.has("fault") ? null : "it fails in one and not in the other";
    }
    JsonNode results = theirs.path("results");
    for (int i = 0; i < Math.min(results.size(), step.results.size()); i++) {
      String place = results.size() == 1 ? "the result" : "result " + i;
      String difference = difference(results.path(i), step.results.get(i), place);
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  /** Says where two recorded values differ, with the tolerances of {@link Difference}. */
  private static @Nullable String difference(JsonNode expected, JsonNode actual, String place) {
    String kind = expected.path("t").asString("");
    if (kind.equals("npy") || expected.has("npy")) {
      return null; // stored in a separate file; the trace has a sample of it
    }
    String other = actual.path("t").asString("");
    boolean alike = kind.equals(other) || (kind.equals("NamedTuple") && other.equals("Tuple"));
    if (!alike) {
      return Message.of("%s is %s, recorded was %s", place, other, kind);
    }
    return switch (kind) {
      case "Tensor" -> tensors(expected, actual, place);
      case "List", "Tuple", "NamedTuple", "Dict" ->
          items(expected.path("items"), actual.path("items"), place);
      case "float" ->
          near(expected.path("v"), actual.path("v"), 1e-5)
              ? null
              : scalars(expected, actual, place);
      case "Object", "Other", "Enum" -> null;
      default ->
          expected.path("v").equals(actual.path("v")) ? null : scalars(expected, actual, place);
    };
  }

  private static String scalars(JsonNode expected, JsonNode actual, String place) {
    return Message.of("%s is %s, recorded was %s", place, actual.path("v"), expected.path("v"));
  }

  private static @Nullable String items(JsonNode expected, JsonNode actual, String place) {
    if (expected.size() != actual.size()) {
      return Message.of("%s has %d items, recorded were %d", place, actual.size(), expected.size());
    }
    for (int i = 0; i < expected.size(); i++) {
      String inner = place + "[" + i + "]";
      String difference =
          expected.path(i).isArray()
              ? items(expected.path(i), actual.path(i), inner)
              : difference(expected.path(i), actual.path(i), inner);
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  private static @Nullable String tensors(JsonNode expected, JsonNode actual, String place) {
    String wanted = ValueWords.form(expected);
    if (!wanted.equals(ValueWords.form(actual))) {
      return Message.of("%s is %s, recorded was %s", place, ValueWords.form(actual), wanted);
    }
    long every = expected.path("every").asLong(1);
    boolean comparable = every == actual.path("every").asLong(1);
    JsonNode theirs = expected.path("data");
    JsonNode ours = actual.path("data");
    double tolerance = Difference.tolerance(expected.path("dtype").asString(""));
    for (int i = 0; comparable && i < Math.min(theirs.size(), ours.size()); i++) {
      if (!near(theirs.path(i), ours.path(i), tolerance)) {
        return String.format(
            Locale.ROOT,
            "%s differs at element %d: %s, recorded was %s",
            place,
            i * every,
            ours.path(i).asString(""),
            theirs.path(i).asString(""));
      }
    }
    return null;
  }

  private static boolean near(JsonNode expected, JsonNode actual, double tolerance) {
    if (expected.isString() || actual.isString()) {
      return Double.compare(RecordedValues.real(expected), RecordedValues.real(actual)) == 0;
    }
    if (!expected.isNumber() || !actual.isNumber()) {
      return expected.asString("").equals(actual.asString(""));
    }
    return Difference.near(expected.asDouble(), actual.asDouble(), tolerance);
  }
}
