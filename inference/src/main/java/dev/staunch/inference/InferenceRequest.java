package dev.staunch.inference;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request of the Open Inference Protocol V2, read by {@link ProtocolReader}. */
public final class InferenceRequest {
  private final @Nullable String id;
  private final List<RequestTensor> inputs;

  InferenceRequest(@Nullable String id, List<RequestTensor> inputs) {
    this.id = id;
    this.inputs = List.copyOf(inputs);
  }

  /** The caller's name for the request, if it gave one. */
  public @Nullable String id() {
    return id;
  }

  List<RequestTensor> inputs() {
    return inputs;
  }
}
