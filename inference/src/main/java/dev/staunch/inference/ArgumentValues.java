package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Makes a run-time value of a declared type from one input of a request. */
final class ArgumentValues {
  private ArgumentValues() {}

  static boolean isTensorList(Type type) {
    return type instanceof Type.ListOf list && list.element() == Type.Plain.TENSOR;
  }

  /**
   * The value of {@code type} that one input is: a tensor, a number, a text or a list of those; or
   * a fault that names the input.
   */
  static Object of(Type type, RequestTensor input, Function<RequestTensor, Object> tensors) {
    Object value = value(type, input, tensors);
    return value instanceof Fault fault && fault.input() == null
        ? fault.withInput(input.name())
        : value;
  }

  private static Object value(
      Type type, RequestTensor input, Function<RequestTensor, Object> tensors) {
    if (type instanceof Type.Optional optional) {
      return value(optional.element(), input, tensors);
    }
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
