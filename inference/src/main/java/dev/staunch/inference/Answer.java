package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What became of a request: outputs, or a fault; never both. Holds no off-heap memory.
 *
 * @param id the request's own, if it gave one
 * @param warning what was done with the request that its sender may not have meant: inputs of which
 *     none has the name of a parameter were taken in order. Null as a rule
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
   * This, if it has outputs.
   *
   * @throws StaunchException the fault's own, if it has one
   */
  public Answer orThrow() {
    if (fault != null) {
      throw fault.toException();
    }
    return this;
  }

  /**
   * The output of that name.
   *
   * @throws StaunchException the fault's own, if there is one; of type value, naming the outputs
   *     there are, if that is none of them
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
   * The only output.
   *
   * @throws StaunchException the fault's own, if there is one; of type value if there are several
   *     outputs, or none
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

  /**
   * One line: {@code Answer[id=7, output FP32[4, 1]]}, or with the fault in place of the outputs.
   */
  @Override
  public String toString() {
    String what =
        fault != null
            ? fault.toString()
            : outputs.stream().map(ResponseTensor::toString).collect(Collectors.joining(", "));
    return "Answer[" + (id == null ? "" : "id=" + id + ", ") + what + "]";
  }
}
