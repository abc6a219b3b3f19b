package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Explains a fault that arose inside a model to the sender of the request. */
final class RequestFaults {
  private RequestFaults() {}

  /**
   * Returns the same fault, phrased in terms of the request where possible.
   *
   * @param parameters the names of the method's parameters, in order
   */
  static Fault told(Fault fault, InferenceRequest request, List<String> parameters) {
    Fault lost = fault.type() == FaultType.INTERNAL ? lost(request.inputs()) : null;
    if (lost != null) {
      return lost;
    }
    boolean inside = fault.operation() != null;
    return inside ? ofInputs(fault, request.inputs(), parameters) : fault;
  }

  /** The fault if the caller took back the memory of an input while it was being read; or null. */
  private static @Nullable Fault lost(List<RequestTensor> inputs) {
    for (RequestTensor input : inputs) {
      Fault lost = input.lost();
      if (lost != null) {
        return lost;
      }
    }
    return null;
  }

  /** For a fault about the form of inputs, adds the form in which they were sent. */
  private static Fault ofInputs(Fault fault, List<RequestTensor> inputs, List<String> parameters) {
    return switch (fault.type()) {
      case SHAPE, DTYPE, INDEX -> {
        RequestTensor input = blamed(fault, inputs, parameters);
        yield input == null ? ofAny(fault, inputs) : of(fault, input, inputs);
      }
      default -> fault;
    };
  }

  /**
   * The input that reached the failing operation unchanged, found by its name or else by its
   * position.
   */
  private static @Nullable RequestTensor blamed(
      Fault fault, List<RequestTensor> inputs, List<String> parameters) {
    for (RequestTensor input : inputs) {
      if (input.name().equals(fault.input())) {
        return input;
      }
    }
    int position = parameters.indexOf(fault.input());
    boolean named = inputs.stream().anyMatch(input -> parameters.contains(input.name()));
    return position < 0 || named || position >= inputs.size() ? null : inputs.get(position);
  }

  private static Fault of(Fault fault, RequestTensor input, List<RequestTensor> inputs) {
    String taken =
        input.name().equals(fault.input())
            ? ""
            : Message.of(" (taken for '%s', by its position)", String.valueOf(fault.input()));
    String text = "input '%s'%s is %s%s%s; %s%s";
    // the sender does not fix the script, but sends the input as what it would be cast to
    Fault.Cast cast = fault.cast();
    String dtype = String.valueOf(input.datatype().dtype());
    String target = cast != null && cast.from().equals(dtype) ? cast.to() : null;
    return fault.withMessage(
        Message.of(
            text,
            input.name(),
            taken,
            input.datatype(),
            input.shape(),
            accepted(fault, input),
            (target == null ? fault : fault.withCast(null)).message(),
            advice(fault, input, inputs, target)));
  }

  /** What the operation that received the input accepts, if known. */
  private static String accepted(Fault fault, RequestTensor input) {
    String dtype = String.valueOf(input.datatype().dtype());
    String met = fault.actual();
    if (fault.expected() == null || met == null || !met.startsWith(dtype + "[")) {
      return "";
    }
    String taken = Datatype.inProtocol(fault.expected());
    if (fault.type() == FaultType.DTYPE) {
      return "; send " + taken;
    }
    String seen = met.equals(dtype + input.shape()) ? "" : ", seen as " + Datatype.inProtocol(met);
    return seen + ", where the model takes " + taken;
  }

  /**
   * @param target the dtype to which the input would have to be cast, if known
   */
  private static String advice(
      Fault fault, RequestTensor input, List<RequestTensor> inputs, @Nullable String target) {
    if (fault.type() != FaultType.DTYPE) {
      return "";
    }
    boolean swapped =
        inputs.stream()
            .anyMatch(other ->
                other.datatype().isInteger() != input.datatype().isInteger()
                    && other.shape().rank() != input.shape().rank());
    if (swapped) {
      return "; are inputs swapped?";
    }
    if (!accepted(fault, input).isEmpty()) {
      return "";
    }
    String send = input.datatype() == Datatype.FP64 ? "float32" : target;
    return send == null ? "" : "; send " + Datatype.inProtocol(send);
  }

  /** For a fault further inside, which no single input caused. */
  private static Fault ofAny(Fault fault, List<RequestTensor> inputs) {
    if (fault.type() == FaultType.INDEX || inputs.isEmpty()) {
      return fault;
    }
    boolean doubles = inputs.stream().anyMatch(input -> input.datatype() == Datatype.FP64);
    String sent = inputs.stream().map(RequestTensor::describe).collect(Collectors.joining(", "));
    String advice = fault.type() == FaultType.DTYPE && doubles ? "; send FP32" : "";
    return fault.withMessage(
        Message.of("%s; the request gave %s%s", fault.message(), sent, advice));
  }
}
