package dev.staunch.inference.recorded;

import dev.staunch.engine.CancelScope;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.Model;
import dev.staunch.memory.ResourceScope;
import dev.staunch.torchscript.TorchScriptModule;
import dev.staunch.type.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes recorded calls on a model and compares the outcomes. */
public final class Replay {
  private final Model model;
  private final RecordedCases recorded;
  private final Duration deadline;

  /**
   * @param deadline how long one call may take
   */
  public Replay(Model model, RecordedCases recorded, Duration deadline) {
    this.model = model;
    this.recorded = recorded;
    this.deadline = deadline;
  }

  /** Returns a sentence for each call that did not end as recorded. */
  public List<String> differences() {
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < recorded.cases().size(); i++) {
      RecordedCases.Case call = recorded.cases().get(i);
      String difference = difference(call);
      if (difference != null) {
        differences.add(Message.of("call %d of %s: %s", i, call.method(), difference));
      }
    }
    return differences;
  }

  private @Nullable String difference(RecordedCases.Case call) {
    try (ResourceScope scope = ResourceScope.open(model.memory(), "replay")) {
      List<Object> arguments = arguments(call, scope);
      RunOptions options =
          RunOptions.in(scope)
              .withCancel(CancelScope.withDeadline(deadline))
              .withGradEnabled(call.gradEnabled());
      Object outcome = model.call(call.method(), arguments, options);
      return difference(call, arguments, outcome, scope);
    } catch (StaunchException e) {
      Fault fault = e.fault();
      return fault.type() == FaultType.REQUEST ? fault(call, fault) : fault.toString();
    }
  }

  /**
   * Says where the outcome of a call, or its arguments after the call, differ from the recording;
   * null if they do not.
   *
   * @throws StaunchException if the recorded values cannot be read
   */
  @Nullable String difference(
      RecordedCases.Case call, List<Object> arguments, Object outcome, ResourceScope scope) {
    if (outcome instanceof Fault fault) {
      return fault(call, fault);
    }
    JsonNode expected = call.expected();
    if (expected == null) {
      return "it answered, where the recording failed: " + lastLine(call.error());
    }
    Difference compare = new Difference(recorded.folder(), scope);
    String difference = compare.find(expected, outcome, "result");
    return difference == null ? after(call, arguments, compare) : difference;
  }

  /** Returns the arguments of a recorded call, with their tensors in {@code scope}. */
  public List<Object> arguments(int number, ResourceScope scope) {
    return arguments(recorded.cases().get(number), scope);
  }

  private List<Object> arguments(RecordedCases.Case call, ResourceScope scope) {
    RecordedValues values = new RecordedValues(recorded.folder(), scope);
    List<Object> arguments = new ArrayList<>();
    Map<String, JsonNode> keywords = new LinkedHashMap<>(call.keywords());
    List<TorchScriptModule.Parameter> parameters =
        model.module().method(call.method()).parameters();
    for (JsonNode argument : call.arguments()) {
      int at = arguments.size();
      boolean tensor = at < parameters.size() && parameters.get(at).type() == Type.Plain.TENSOR;
      boolean undefined = tensor && argument.path("t").asString("").equals("None");
      arguments.add(undefined ? values.undefinedTensor() : values.value(argument));
    }
    for (int i = arguments.size(); i < parameters.size(); i++) {
      JsonNode keyword = keywords.remove(parameters.get(i).name());
      Object absent = parameters.get(i).defaultValue();
      if (keyword != null) {
        arguments.add(values.value(keyword));
      } else if (absent != null) {
        arguments.add(absent);
      }
    }
    if (!keywords.isEmpty()) {
      String text = "%s takes no keyword argument %s here";
      throw Fault.of(FaultType.REQUEST, Message.of(text, call.method(), keywords.keySet()))
          .toException();
    }
    return arguments;
  }

  private static @Nullable String after(
      RecordedCases.Case call, List<Object> arguments, Difference compare) {
    JsonNode expected = call.argumentsAfter();
    for (int i = 0; expected != null && i < expected.size(); i++) {
      String difference = compare.find(expected.path(i), arguments.get(i), "argument " + i);
      if (difference != null) {
        return difference + ", after the call";
      }
    }
    return null;
  }

  /**
   * An exception raised by the script must have the recorded name and text. Any other error must
   * only be one caused by the caller, because its message is the runtime's own.
   */
  private static @Nullable String fault(RecordedCases.Case call, Fault fault) {
    String error = call.error();
    if (error == null) {
      return "it failed: " + fault;
    }
    boolean ours = fault.type() == FaultType.UNSUPPORTED || fault.type() == FaultType.INTERNAL;
    if (ours || fault.type() == FaultType.DEADLINE_EXCEEDED) {
      return "it failed otherwise than recorded: " + fault;
    }
    String raised = fault.raised();
    boolean recordedRaise = innermostLine(error).contains("RaiseException");
    if (raised == null) {
      return recordedRaise ? "it failed with " + fault + ", not with " + lastLine(error) : null;
    }
    String text = raised + ": " + fault.message();
    // either the whole traceback or only its last line
    boolean same = ("\n" + error.stripTrailing()).endsWith("\n" + text.stripTrailing());
    return same ? null : "it raised " + text + ", not " + lastLine(error);
  }

  /** The line above the last marker in the traceback of the serialised code. */
  private static String innermostLine(String error) {
    int end = error.indexOf("Traceback of TorchScript, original code");
    String serialized = end < 0 ? error : error.substring(0, end);
    int mark = serialized.lastIndexOf("<--- HERE");
    if (mark < 0) {
      return "";
    }
    int lineStart = serialized.lastIndexOf('\n', mark);
    int previous = serialized.lastIndexOf('\n', lineStart - 1);
    return serialized.substring(previous + 1, Math.max(previous + 1, lineStart));
  }

  private static String lastLine(@Nullable String error) {
    String text = error == null ? "" : error.stripTrailing();
    return text.substring(text.lastIndexOf('\n') + 1);
  }
}
