package dev.staunch.inference;

import dev.staunch.fault.Fault;
import java.util.List;
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
}
