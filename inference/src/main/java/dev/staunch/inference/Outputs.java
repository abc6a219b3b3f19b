package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.kernel.TupleValue;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a method's result, each with a name; copied out when it is known which are asked.
 */
final class Outputs {
  private final Map<String, Object> parts = new LinkedHashMap<>();

  private Outputs() {}

  /** The answer's outputs: those that {@code request} asks for, or all; or a fault. */
  static Object of(Object result, InferenceRequest request) {
    Outputs outputs = new Outputs();
    outputs.add("output", result, true);
    return outputs.chosen(request);
  }

  /** Tuples, lists and dicts are spread. */
  private void add(String name, Object value, boolean outer) {
    switch (value) {
      case TupleValue tuple -> addAll(outer ? "output_" : name + ".", tuple.elements());
      case List<?> list -> addAll(outer ? "output_" : name + ".", list);
      case Map<?, ?> map ->
          map.forEach(
              (key, part) -> add(outer ? String.valueOf(key) : name + "." + key, part, false));
      case None none -> {}
      default -> parts.put(name, value);
    }
  }

  private void addAll(String prefix, List<?> elements) {
    for (int i = 0; i < elements.size(); i++) {
      add(prefix + i, elements.get(i), false);
    }
  }

  private Object chosen(InferenceRequest request) {
    List<ResponseTensor> chosen = new ArrayList<>();
    Iterable<String> names = request.outputs().isEmpty() ? parts.keySet() : request.outputs();
    for (String name : names) {
      Object part = parts.get(name);
      Object output = part == null ? unknown(name) : copied(name, part, request);
      if (output instanceof Fault fault) {
        return fault;
      }
      chosen.add((ResponseTensor) output);
    }
    return chosen;
  }

  private Fault unknown(String name) {
    String known = String.join(", ", parts.keySet());
    return JsonWords.wrong(Message.of("the model has no output '%s'; it has %s", name, known))
        .withExpected("outputs (" + known + ")", name);
  }

  private static Object copied(String name, Object part, InferenceRequest request) {
    MemorySegment target = request.targets().get(name);
    Object output =
        switch (part) {
          case DenseTensor tensor -> tensor(name, tensor, target);
          case Long number -> scalar(name, Datatype.INT64, new long[] {number});
          case Double number ->
              ResponseTensor.of(
                  name, Datatype.FP64, Shape.of(1), MemorySegment.ofArray(new double[] {number}));
          case Boolean flag -> bool(name, flag);
          case String text -> ResponseTensor.ofText(name, text);
          default ->
              Fault.unsupported("the model's result has a part that the protocol cannot carry");
        };
    return target == null || part instanceof DenseTensor || output instanceof Fault
        ? output
        : Fault.of(
            FaultType.REQUEST,
            Message.of("output '%s' is no tensor, so it is not written to memory", name));
  }

  private static ResponseTensor scalar(String name, Datatype datatype, long[] number) {
    return ResponseTensor.of(name, datatype, Shape.of(1), MemorySegment.ofArray(number));
  }

  private static ResponseTensor bool(String name, boolean flag) {
    byte[] element = {(byte) (flag ? 1 : 0)};
    return ResponseTensor.of(name, Datatype.BOOL, Shape.of(1), MemorySegment.ofArray(element));
  }

  private static Object tensor(String name, DenseTensor tensor, @Nullable MemorySegment target) {
    Datatype datatype = Datatype.of(tensor.dtype());
    if (datatype == null) {
      return Fault.unsupported("the protocol has no datatype for " + tensor.dtype());
    }
    long bytes = tensor.elements() * tensor.dtype().bytes();
    MemorySegment elements =
        target == null ? MemorySegment.ofArray(new long[Shape.asInt((bytes + 7) / 8)]) : target;
    Fault uncopied = HostTensors.copyTo(tensor, elements);
    if (uncopied != null) {
      return uncopied.type() == FaultType.CLOSED ? uncopied : tooSmall(name, uncopied);
    }
    return ResponseTensor.of(name, datatype, tensor.shape(), elements.asSlice(0, bytes));
  }

  private static Fault tooSmall(String name, Fault fault) {
    return fault.withMessage("output '" + name + "' cannot be written: " + fault.message());
  }
}
