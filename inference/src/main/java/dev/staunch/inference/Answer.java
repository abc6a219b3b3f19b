package dev.staunch.inference;

import dev.staunch.fault.Fault;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What became of a request: outputs, or a fault; never both. Holds no off-heap memory.
 *
 * @param id the request's own, if it gave one
 */
public record Answer(@Nullable String id, List<ResponseTensor> outputs, @Nullable Fault fault) {
  public Answer {
    outputs = List.copyOf(outputs);
  }

  public boolean failed() {
    return fault != null;
  }

  /**
   * One line: {@code Answer[id=7, output FP32[4, 1]]}, or with the fault in place of the outputs.
   */
  @Override
  public String toString() {
    String what =
        fault != null
            ? fault.toString()
            : outputs.stream().map(ResponseTensor::describe).collect(Collectors.joining(", "));
    return "Answer[" + (id == null ? "" : "id=" + id + ", ") + what + "]";
  }
}
