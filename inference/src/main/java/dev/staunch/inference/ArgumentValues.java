package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Makes run-time values of the type a parameter declares from the tensors of a request. */
final class ArgumentValues {
  private ArgumentValues() {}

  static boolean isTensorList(Type type) {
    return type instanceof Type.ListOf list && list.element() == Type.Plain.TENSOR;
  }

  static boolean isTensorDict(Type type) {
    return type instanceof Type.Dict dict
        && dict.key() == Type.Plain.STRING
        && dict.value() == Type.Plain.TENSOR;
  }

  /** Whether several inputs, named {@code parameter.part}, make up one argument of the type. */
  static boolean hasParts(Type type) {
    return isTensorList(type) || isTensorDict(type);
  }

  /** The argument that {@code inputs}, at least one, are the parts of; or a fault. */
  static Object ofParts(
      Binding.Parameter parameter,
      List<RequestTensor> inputs,
      Function<RequestTensor, Object> tensors) {
    return isTensorList(parameter.type())
        ? list(inputs, tensors)
        : entries(parameter.name(), inputs, tensors);
  }

  /** A dict whose keys are what stands behind {@code name.} in the names of the inputs. */
  private static Object entries(
      String name, List<RequestTensor> inputs, Function<RequestTensor, Object> tensors) {
    Map<Object, Object> entries = new LinkedHashMap<>();
    for (RequestTensor input : inputs) {
      if (!input.name().startsWith(name + ".")) {
        String text = "input '%s' is a dict of tensors; name each of its entries, such as '%s.key'";
        return fault(input, Message.of(text, input.name(), name));
      }
      Object tensor = tensors.apply(input);
      if (tensor instanceof Fault fault) {
        return fault;
      }
      if (entries.put(input.name().substring(name.length() + 1), tensor) != null) {
        return fault(input, "input '" + input.name() + "' is given more than once");
      }
    }
    return entries;
  }

  private static Fault fault(RequestTensor input, String text) {
    return Fault.of(FaultType.REQUEST, text).withInput(input.name());
  }

  private static Object list(List<RequestTensor> inputs, Function<RequestTensor, Object> tensors) {
    List<Object> values = new ArrayList<>();
    for (RequestTensor input : inputs) {
      Object tensor = tensors.apply(input);
      if (tensor instanceof Fault fault) {
        return fault;
      }
      values.add(tensor);
    }
    return values;
  }

  static Object of(
      Binding.Parameter parameter, RequestTensor input, Function<RequestTensor, Object> tensors) {
    Type type = parameter.type();
    return of(type instanceof Type.Optional optional ? optional.element() : type, input, tensors);
  }

  private static Object of(
      Type type, RequestTensor input, Function<RequestTensor, Object> tensors) {
    if (type == Type.Plain.TENSOR) {
      return tensors.apply(input);
    }
    if (type instanceof Type.ListOf list) {
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < input.shape().elements(); i++) {
        Object value = scalar(list.element(), input, i);
        if (value instanceof Fault fault) {
          return fault;
        }
        values.add(value);
      }
      return values;
    }
    return input.shape().elements() == 1
        ? scalar(type, input, 0)
        : mismatch(type, input, "one value");
  }

  private static Object scalar(Type type, RequestTensor input, int i) {
    boolean text = input.datatype() == Datatype.BYTES;
    if (type == Type.Plain.STRING && text) {
      return input.texts().get(i);
    }
    if (text) {
      return mismatch(type, input, type.toString());
    }
    if (type == Type.Plain.FLOAT) {
      return input.values().real(i);
    }
    if (type == Type.Plain.INT
        && input.datatype().isInteger()
        && input.datatype() != Datatype.BOOL) {
      return input.values().integer(i);
    }
    if (type == Type.Plain.BOOL && input.datatype() == Datatype.BOOL) {
      return input.values().integer(i) != 0;
    }
    return mismatch(type, input, type.toString());
  }

  private static Fault mismatch(Type type, RequestTensor input, String wanted) {
    String text = "input '%s' is %s of shape %s, where the model takes %s";
    return Fault.of(
            FaultType.REQUEST,
            Message.of(text, input.name(), input.datatype(), input.shape(), type))
        .withInput(input.name())
        .withExpected(wanted, input.datatype() + input.shape().toString());
  }
}
