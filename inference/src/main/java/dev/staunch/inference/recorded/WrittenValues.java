package dev.staunch.inference.recorded;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.EnumMember;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts run-time values to JSON, in the form that {@link RecordedValues} reads. Of a tensor with
 * more elements than wanted, only every n-th is kept; {@code "every"} holds n. A list or dict
 * inside itself has no content there.
 */
final class WrittenValues {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final long most;

  /**
   * @param most how many elements of a tensor are kept at most
   */
  WrittenValues(long most) {
    this.most = most;
  }

  ObjectNode of(Object value) {
    return of(value, Collections.newSetFromMap(new IdentityHashMap<>(0)));
  }

  /**
   * @param open the lists and dicts around {@code value}
   */
  private ObjectNode of(Object value, Set<Object> open) {
    return switch (value) {
      case None none -> kind("None");
      case Boolean flag -> kind("bool").put("v", flag);
      case Long number -> kind("int").put("v", number);
      case Double number -> {
        ObjectNode node = kind("float");
        node.set("v", real(JSON.arrayNode(), number).path(0));
        yield node;
      }
      case ComplexNumber number -> {
        ObjectNode node = kind("complex");
        real(real(node.putArray("v"), number.re()), number.im());
        yield node;
      }
      case String text -> kind("str").put("v", text.replaceAll("[\\uD800-\\uDFFF]", "\uFFFD"));
      case DenseTensor tensor -> tensor(tensor);
      case TupleValue tuple -> items("Tuple", tuple.elements(), open);
      case List<?> list when open.add(list) -> {
        ObjectNode node = items("List", list, open);
        open.remove(list);
        yield node;
      }
      case Map<?, ?> map when open.add(map) -> {
        ObjectNode node = kind("Dict");
        ArrayNode items = node.putArray("items");
        map.forEach((key, entry) -> items.addArray().add(of(key, open)).add(of(entry, open)));
        open.remove(map);
        yield node;
      }
      case List<?> outer -> kind("Other").put("v", "[...]");
      case Map<?, ?> outer -> kind("Other").put("v", "{...}");
      case EnumMember member -> kind("Enum").put("name", member.toString());
      case ObjectValue object -> kind("Object").put("class", object.layout().name());
      case Fault fault -> kind("Fault").put("v", fault.toString());
      default -> kind("Other").put("v", value.getClass().getSimpleName());
    };
  }

  private static ObjectNode kind(String name) {
    return JSON.objectNode().put("t", name);
  }

  private ObjectNode items(String kind, Collection<?> values, Set<Object> open) {
    ObjectNode node = kind(kind);
    ArrayNode items = node.putArray("items");
    values.forEach(value -> items.add(of(value, open)));
    return node;
  }

  private ObjectNode tensor(DenseTensor tensor) {
    ObjectNode node = kind("Tensor").put("dtype", tensor.dtype().toString());
    ArrayNode shape = node.putArray("shape");
    for (long size : tensor.shape().toArray()) {
      shape.add(size);
    }
    if (tensor.isClosed() || tensor.dtype().kind() == DType.Kind.COMPLEX) {
      return node;
    }
    int every = (int) Math.max(1, Math.ceilDiv(tensor.elements(), most));
    if (every > 1) {
      node.put("every", every);
    }
    ArrayNode data = node.putArray("data");
    if (tensor.dtype().isFloating()) {
      double[] values = HostTensors.toDoubles(tensor);
      for (int i = 0; i < values.length; i += every) {
        real(data, values[i]);
      }
    } else {
      long[] values = HostTensors.toLongs(tensor);
      boolean flags = tensor.dtype() == DType.BOOL;
      for (int i = 0; i < values.length; i += every) {
        if (flags) {
          data.add(values[i] != 0);
        } else {
          data.add(values[i]);
        }
      }
    }
    return node;
  }

  /** JSON has no infinities and no NaN, so they are written as words. */
  private static ArrayNode real(ArrayNode to, double value) {
    return Double.isNaN(value)
        ? to.add("NaN")
        : Double.isInfinite(value) ? to.add(value > 0 ? "Infinity" : "-Infinity") : to.add(value);
  }
}
