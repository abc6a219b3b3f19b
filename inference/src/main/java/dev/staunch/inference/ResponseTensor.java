package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.TupleValue;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/**
 * One output of an answer, copied out of the runtime's memory, so that it outlives the request.
 *
 * @param data a {@code double[]}, {@code float[]}, {@code long[]} or {@code String[]}
 */
public record ResponseTensor(String name, String datatype, List<Long> shape, Object data) {

  /** The outputs of a result: tuples, lists and dicts are spread, each part with a name. */
  static Object spread(Object result) {
    List<ResponseTensor> outputs = new ArrayList<>();
    Fault fault = add(outputs, "output", result, true);
    return fault == null ? outputs : fault;
  }

  private static @org.jspecify.annotations.Nullable Fault add(
      List<ResponseTensor> outputs, String name, Object value, boolean outer) {
    switch (value) {
      case DenseTensor tensor -> {
        return addTensor(outputs, name, tensor);
      }
      case Long number -> outputs.add(scalar(name, "INT64", new long[] {number}));
      case Double number -> outputs.add(scalar(name, "FP64", new double[] {number}));
      case Boolean flag -> outputs.add(scalar(name, "BOOL", new long[] {flag ? 1 : 0}));
      case String text -> outputs.add(scalar(name, "BYTES", new String[] {text}));
      case TupleValue tuple -> {
        return addAll(outputs, outer ? "output_" : name + ".", tuple.elements());
      }
      case List<?> list -> {
        return addAll(outputs, outer ? "output_" : name + ".", list);
      }
      case Map<?, ?> map -> {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          String key = String.valueOf(entry.getKey());
          Fault fault = add(outputs, outer ? key : name + "." + key, entry.getValue(), false);
          if (fault != null) {
            return fault;
          }
        }
      }
      case Kernel.None none -> {}
      default -> {
        return Fault.unsupported("the model's result has a part that the protocol cannot carry");
      }
    }
    return null;
  }

  private static @org.jspecify.annotations.Nullable Fault addAll(
      List<ResponseTensor> outputs, String prefix, List<?> parts) {
    for (int i = 0; i < parts.size(); i++) {
      Fault fault = add(outputs, prefix + i, parts.get(i), false);
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private static ResponseTensor scalar(String name, String datatype, Object data) {
    return new ResponseTensor(name, datatype, List.of(1L), data);
  }

  private static @org.jspecify.annotations.Nullable Fault addTensor(
      List<ResponseTensor> outputs, String name, DenseTensor tensor) {
    if (tensor.isClosed()) {
      return tensor.closedFault();
    }
    DType dtype = tensor.dtype();
    Datatype datatype = Datatype.of(dtype);
    if (datatype == null) {
      return Fault.unsupported("the protocol has no datatype for " + dtype);
    }
    Object data =
        switch (dtype.kind()) {
          case BOOL, INTEGRAL -> HostTensors.toLongs(tensor);
          case FLOATING ->
              dtype == DType.FLOAT64 ? HostTensors.toDoubles(tensor) : HostTensors.toFloats(tensor);
          case COMPLEX -> throw new IllegalStateException("complex has no datatype");
        };
    Long[] shape = new Long[tensor.rank()];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = tensor.shape().size(i);
    }
    outputs.add(new ResponseTensor(name, datatype.name(), List.of(shape), data));
    return null;
  }

  /** {@code scores FP32[4, 1]}. */
  String describe() {
    return name + " " + datatype + shape;
  }

  /**
   * Those of {@code outputs} that are asked for, in the order in which they are; all if none is
   * asked for; or a fault that lists the names there are.
   */
  static Object chosen(List<ResponseTensor> outputs, List<String> names) {
    List<ResponseTensor> chosen = new ArrayList<>();
    for (String name : names) {
      ResponseTensor found =
          outputs.stream().filter(output -> output.name().equals(name)).findFirst().orElse(null);
      if (found == null) {
        String known = outputs.stream().map(ResponseTensor::name).collect(Collectors.joining(", "));
        return JsonWords.wrong(Message.of("the model has no output '%s'; it has %s", name, known))
            .withExpected("outputs (" + known + ")", name);
      }
      chosen.add(found);
    }
    return names.isEmpty() ? outputs : chosen;
  }

  void write(JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", name);
    json.writeStringProperty("datatype", datatype);
    json.writeArrayPropertyStart("shape");
    shape.forEach(json::writeNumber);
    json.writeEndArray();
    json.writeArrayPropertyStart("data");
    writeData(json);
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeData(JsonGenerator json) {
    switch (data) {
      case float[] values -> {
        for (float value : values) {
          json.writeNumber(value);
        }
      }
      case double[] values -> {
        for (double value : values) {
          json.writeNumber(value);
        }
      }
      case long[] values -> {
        for (long value : values) {
          if (datatype.equals("BOOL")) {
            json.writeBoolean(value != 0);
          } else {
            json.writeNumber(value);
          }
        }
      }
      case String[] values -> {
        for (String value : values) {
          json.writeString(value);
        }
      }
      default -> throw new IllegalStateException("no data of the protocol: " + data.getClass());
    }
  }
}
