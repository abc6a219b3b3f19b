package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.kernel.TupleValue;
import dev.staunch.operation.None;
import dev.staunch.type.Type;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Assembles an argument from the inputs that are its parts. A part is named by its path in the
 * argument: {@code state.1} is the second element of a tuple or list, {@code state.h} a field of a
 * named tuple or an entry of a dict, and {@code states.0.h} is one level deeper. A list of tensors
 * may also be several inputs of its own name, in their order. A list of numbers or strings is
 * either one input or, as in an answer, one input for each element. Inside a dict it is always one
 * input, because keys may contain dots. Optional values may be omitted.
 *
 * @param fields the fields of the named tuples, by class name
 */
record ArgumentParts(Map<String, Map<String, Type>> fields) {

  static boolean isTensorList(Type type) {
    return type instanceof Type.ListOf list && list.element() == Type.Plain.TENSOR;
  }

  /** Whether the argument is made up of inputs with longer names than its own. */
  boolean hasParts(Type type) {
    return switch (type) {
      case Type.Optional optional -> hasParts(optional.element());
      case Type.ListOf list ->
          list.element() == Type.Plain.TENSOR || !(list.element() instanceof Type.Plain);
      case Type.Class named -> fields.containsKey(named.name());
      case Type.Tuple _, Type.Dict _ -> true;
      default -> false;
    };
  }

  /** Whether the argument may be one input, or one input for each element. */
  static boolean isPlainList(Type type) {
    return switch (type) {
      case Type.Optional optional -> isPlainList(optional.element());
      case Type.ListOf list ->
          list.element() instanceof Type.Plain && list.element() != Type.Plain.TENSOR;
      default -> false;
    };
  }

  /**
   * Returns the value of {@code type} that {@code inputs} make up, or a fault. The names of the
   * inputs begin with {@code path}.
   *
   * @param tensors converts an input to a tensor, or returns a fault
   */
  Object value(
      Type type, String path, List<RequestTensor> inputs, Function<RequestTensor, Object> tensors) {
    if (type instanceof Type.Optional optional) {
      return inputs.isEmpty() ? None.NONE : value(optional.element(), path, inputs, tensors);
    }
    if (inputs.isEmpty()) {
      return wrong("the request lacks the input '" + path + "'", path)
          .withExpected(path + ": " + type, "nothing");
    }
    if (isTensorList(type) && !areNumbered(path, inputs)) {
      return list(inputs, tensors);
    }
    boolean apart = isPlainList(type) && inputs.getFirst().name().startsWith(path + ".");
    return apart || hasParts(type)
        ? container(type, path, inputs, tensors)
        : single(type, path, inputs, tensors);
  }

  private static Object single(
      Type type, String path, List<RequestTensor> inputs, Function<RequestTensor, Object> tensors) {
    if (inputs.size() > 1) {
      return wrong("input '" + path + "' is given more than once", path);
    }
    RequestTensor input = inputs.getFirst();
    if (path.indexOf('.') >= 0 && !input.name().equals(path)) {
      return wrong(Message.of("'%s' is %s, which has no parts", path, type), input.name());
    }
    return input.value(type, tensors);
  }

  /** Whether inputs name elements of the list {@code path}, and do not just repeat its name. */
  private static boolean areNumbered(String path, List<RequestTensor> inputs) {
    for (RequestTensor input : inputs) {
      if (input.name().startsWith(path + ".")) {
        return true;
      }
    }
    return false;
  }

  /** The tensors in the order of the inputs. */
  private static Object list(List<RequestTensor> inputs, Function<RequestTensor, Object> tensors) {
    List<Object> values = new ArrayList<>();
    for (RequestTensor input : inputs) {
      Object tensor = input.value(Type.Plain.TENSOR, tensors);
      if (tensor instanceof Fault) {
        return tensor;
      }
      values.add(tensor);
    }
    return values;
  }

  private Object container(
      Type type, String path, List<RequestTensor> inputs, Function<RequestTensor, Object> tensors) {
    Map<String, List<RequestTensor>> given = new LinkedHashMap<>();
    for (RequestTensor input : inputs) {
      if (!input.name().startsWith(path + ".")) {
        String text = "input '%s' is a %s; name each of its parts, such as '%s.%s'";
        return wrong(Message.of(text, input.name(), type, path, anyPart(type)), input.name());
      }
      String part = part(type, input.name().substring(path.length() + 1));
      given.computeIfAbsent(part, key -> new ArrayList<>()).add(input);
    }
    return switch (type) {
      case Type.Dict dict -> dict(dict, path, given, tensors);
      case Type.ListOf list ->
          values(numbered(Collections.nCopies(given.size(), list.element())), path, given, tensors);
      case Type.Class named -> tuple(fields(named), path, given, tensors);
      default -> tuple(numbered(((Type.Tuple) type).elements()), path, given, tensors);
    };
  }

  /** The next part of the path. The keys of a dict at the deepest level may contain dots. */
  private String part(Type type, String rest) {
    boolean last = type instanceof Type.Dict dict && !hasParts(dict.value());
    int dot = last ? -1 : rest.indexOf('.');
    return dot < 0 ? rest : rest.substring(0, dot);
  }

  private String anyPart(Type type) {
    return switch (type) {
      case Type.Class named -> fields(named).keySet().iterator().next();
      case Type.Dict dict when dict.key() == Type.Plain.STRING -> "key";
      default -> "0";
    };
  }

  private Map<String, Type> fields(Type.Class named) {
    return fields.getOrDefault(named.name(), Map.of());
  }

  /** The parts of a tuple or list, named by their positions. */
  static Map<String, Type> numbered(List<Type> types) {
    Map<String, Type> numbered = new LinkedHashMap<>();
    types.forEach(type -> numbered.put(String.valueOf(numbered.size()), type));
    return numbered;
  }

  private Object tuple(
      Map<String, Type> parts,
      String path,
      Map<String, List<RequestTensor>> given,
      Function<RequestTensor, Object> tensors) {
    Object values = values(parts, path, given, tensors);
    return values instanceof List<?> list ? new TupleValue(new ArrayList<>(list)) : values;
  }

  private Object values(
      Map<String, Type> parts,
      String path,
      Map<String, List<RequestTensor>> given,
      Function<RequestTensor, Object> tensors) {
    for (Map.Entry<String, List<RequestTensor>> each : given.entrySet()) {
      if (!parts.containsKey(each.getKey())) {
        String text = "'%s' has no part '%s'; it has %s";
        String known = String.join(", ", parts.keySet());
        String input = each.getValue().getFirst().name();
        return wrong(Message.of(text, path, each.getKey(), known), input);
      }
    }
    List<Object> values = new ArrayList<>();
    for (Map.Entry<String, Type> part : parts.entrySet()) {
      List<RequestTensor> inputs = given.getOrDefault(part.getKey(), List.of());
      Object value = value(part.getValue(), path + "." + part.getKey(), inputs, tensors);
      if (value instanceof Fault) {
        return value;
      }
      values.add(value);
    }
    return values;
  }

  private Object dict(
      Type.Dict type,
      String path,
      Map<String, List<RequestTensor>> given,
      Function<RequestTensor, Object> tensors) {
    Map<Object, Object> entries = new LinkedHashMap<>();
    for (Map.Entry<String, List<RequestTensor>> part : given.entrySet()) {
      Object key = key(type.key(), part.getKey());
      if (key == null) {
        String text = "'%s' is not a key of '%s', which is a %s";
        String input = part.getValue().getFirst().name();
        return wrong(Message.of(text, part.getKey(), path, type), input);
      }
      Object value = value(type.value(), path + "." + part.getKey(), part.getValue(), tensors);
      if (value instanceof Fault) {
        return value;
      }
      entries.put(key, value);
    }
    return entries;
  }

  /** The key with that name, or null; no two names are of one key. */
  private static @Nullable Object key(Type type, String text) {
    if (type == Type.Plain.STRING) {
      return text;
    }
    if (type != Type.Plain.INT || !text.matches("-?[0-9]{1,19}")) {
      return null;
    }
    BigInteger key = new BigInteger(text);
    return key.bitLength() < Long.SIZE && key.toString().equals(text)
        ? (Object) key.longValue()
        : null;
  }

  private static Fault wrong(String message, String input) {
    return Fault.of(FaultType.REQUEST, message).withInput(input);
  }
}
