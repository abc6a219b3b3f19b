package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request: either its outputs or a fault, never both. Holds no off-heap memory.
 *
 * @param id the request's id, or null if it had none
 * @param warning what was done with the request that its sender may not have intended: no input had
 *     the name of a parameter, so the inputs were taken in order. Usually null
 */
public record Answer(
    @Nullable String id,
    List<ResponseTensor> outputs,
    @Nullable Fault fault,
    @Nullable String warning) {
  public Answer {
    outputs = List.copyOf(outputs);
  }

  /** An answer without a warning. */
  public Answer(@Nullable String id, List<ResponseTensor> outputs, @Nullable Fault fault) {
    this(id, outputs, fault, null);
  }

  public boolean failed() {
    return fault != null;
  }

  /**
   * Returns this answer if it has outputs.
   *
   * @throws StaunchException the exception of the fault, if the request failed
   */
  public Answer orThrow() {
    if (fault != null) {
      throw fault.toException();
    }
    return this;
  }

  /**
   * Returns the output with that name.
   *
   * @throws StaunchException the exception of the fault, if the request failed; of type value,
   *     listing the outputs, if none has that name
   */
  public ResponseTensor output(String name) {
    for (ResponseTensor output : orThrow().outputs) {
      if (output.name().equals(name)) {
        return output;
      }
    }
    throw Fault.of(FaultType.VALUE, Message.of("there is no output '%s'; there is %s", name, all()))
        .toException();
  }

  /**
   * Returns the only output.
   *
   * @throws StaunchException the exception of the fault, if the request failed; of type value if
   *     there are several outputs or none
   */
  public ResponseTensor output() {
    if (orThrow().outputs.size() != 1) {
      String text = "there is not one output but %d; name one of: %s";
      throw Fault.of(FaultType.VALUE, Message.of(text, outputs.size(), all())).toException();
    }
    return outputs.getFirst();
  }

  private String all() {
    return outputs.stream().map(ResponseTensor::name).collect(Collectors.joining(", "));
  }

  /** One line: {@code Answer[id=7, output FP32[4, 1]]}, or the fault in place of the outputs. */
  @Override
  public String toString() {
    String what =
        fault != null
            ? fault.toString()
            : outputs.stream().map(ResponseTensor::toString).collect(Collectors.joining(", "));
    return "Answer[" + (id == null ? "" : "id=" + id + ", ") + what + "]";
  }
}
