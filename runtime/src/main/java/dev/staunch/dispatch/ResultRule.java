package dev.staunch.dispatch;

import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.CompoundTensor;
import dev.staunch.kernel.EnumMember;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Type;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which run-time values belong to a type: exact for scalars, by container for lists and dicts.
 *
 * @param exact the class of all values of the type, if there is a single one; else {@code Void}
 */
public record ResultRule(Type type, Predicate<Object> test, Class<?> exact) {
  /** How many elements of a list a message shows. */
  private static final int MOST_SHOWN = 8;

  /** How many lists inside each other a message shows; a list may be inside itself. */
  private static final int MOST_DEEP = 3;

  /** How many characters of a text a message shows. */
  private static final int LONGEST_SHOWN = 60;

  public static ResultRule of(Type type) {
    return new ResultRule(
        type, test(type, false), type instanceof Type.Plain it ? exact(it) : Void.class);
  }

  /** As {@link #of}, but also checks the elements of lists and dicts. */
  public static ResultRule whole(Type type) {
    return new ResultRule(type, test(type, true), of(type).exact());
  }

  /** Whether {@code value} has the one class that most values of the type have; a quick check. */
  public boolean isExactly(Object value) {
    return value.getClass() == exact;
  }

  private static Class<?> exact(Type.Plain type) {
    return switch (type) {
      case TENSOR -> DenseTensor.class;
      case INT -> Long.class;
      case FLOAT -> Double.class;
      case BOOL -> Boolean.class;
      case STRING -> String.class;
      default -> Void.class;
    };
  }

  public boolean accepts(Object value) {
    return test.test(value);
  }

  private static Predicate<Object> test(Type type, boolean whole) {
    return switch (type) {
      case Type.Plain plain -> plain(plain);
      case Type.ListOf list -> {
        Predicate<Object> element = whole ? test(list.element(), true) : any -> true;
        yield value -> value instanceof List<?> items && (!whole || all(items, element));
      }
      case Type.Dict dict -> {
        Predicate<Object> key = test(dict.key(), whole);
        Predicate<Object> element = test(dict.value(), whole);
        yield value ->
            value instanceof Map<?, ?> map
                && (!whole || (all(map.keySet(), key) && all(map.values(), element)));
      }
      case Type.Tuple tuple -> tuple(tuple, whole);
      case Type.Optional optional -> {
        Predicate<Object> inner = test(optional.element(), whole);
        yield value -> value == None.NONE || inner.test(value);
      }
      case Type.Union union -> {
        List<Predicate<Object>> members =
            union.members().stream().map(member -> test(member, whole)).toList();
        yield value -> members.stream().anyMatch(member -> member.test(value));
      }
      case Type.Class named ->
          value ->
              value instanceof ObjectValue
                  || value instanceof TupleValue
                  || value instanceof EnumMember;
      case Type.Future future -> whole ? test(future.element(), true) : value -> true;
      case Type.Variable variable -> value -> true;
      case Type.Named named -> named(named.name());
      case Type.TensorOf tensor -> value -> value instanceof DenseTensor it && fits(it, tensor);
    };
  }

  private static Predicate<Object> plain(Type.Plain plain) {
    return switch (plain) {
      case TENSOR -> value -> value instanceof DenseTensor || value instanceof CompoundTensor;
      case INT -> value -> value instanceof Long;
      case FLOAT -> value -> value instanceof Double;
      case BOOL -> value -> value instanceof Boolean;
      case STRING, DEVICE -> value -> value instanceof String;
      case COMPLEX -> value -> value instanceof ComplexNumber;
      case NUMBER ->
          value ->
              value instanceof Long
                  || value instanceof Double
                  || value instanceof Boolean
                  || value instanceof ComplexNumber;
      case NONE -> value -> value == None.NONE;
      case ANY_LIST -> value -> value instanceof List;
      case ANY_TUPLE -> value -> value instanceof TupleValue;
      case ANY_ENUM -> value -> value instanceof EnumMember;
      case ANY, GENERATOR, STORAGE, STREAM, QUANTIZER, ANY_CLASS -> value -> true;
    };
  }

  private static boolean fits(DenseTensor tensor, Type.TensorOf type) {
    List<Long> sizes = type.sizes();
    boolean fits =
        tensor.dtype() == type.dtype() && (sizes == null || sizes.size() == tensor.rank());
    for (int i = 0; fits && sizes != null && i < sizes.size(); i++) {
      fits = sizes.get(i) == Type.TensorOf.UNKNOWN || sizes.get(i) == tensor.shape().size(i);
    }
    return fits;
  }

  private static boolean all(Collection<?> values, Predicate<Object> test) {
    return values.stream().allMatch(value -> value != null && test.test(value));
  }

  private static Predicate<Object> tuple(Type.Tuple tuple, boolean whole) {
    List<Predicate<Object>> elements =
        tuple.elements().stream().map(element -> test(element, whole)).toList();
    return value -> {
      if (!(value instanceof TupleValue found) || found.elements().size() != elements.size()) {
        return false;
      }
      for (int i = 0; i < elements.size(); i++) {
        if (!elements.get(i).test(found.elements().get(i))) {
          return false;
        }
      }
      return true;
    };
  }

  private static Predicate<Object> named(String name) {
    return switch (name) {
      case "i1" -> value -> value instanceof Boolean;
      case "i32" -> value -> value instanceof Integer;
      case "i64" -> value -> value instanceof Long;
      case "f32" -> value -> value instanceof Float;
      case "f64" -> value -> value instanceof Double;
      default -> value -> true;
    };
  }

  /** The type name of a run-time value, for messages. */
  public static String nameOf(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case DenseTensor tensor -> "Tensor";
      case Long number -> "int";
      case Double number -> "float";
      case Integer number -> "i32";
      case Float number -> "f32";
      case Boolean flag -> "bool";
      case String text -> "str";
      case None none -> "None";
      case List<?> list -> "list";
      case Map<?, ?> map -> "dict";
      case TupleValue tuple -> "tuple";
      case ObjectValue object -> object.layout().name();
      case Object[] several -> several.length + " values";
      default -> value.getClass().getSimpleName();
    };
  }

  /** A short description of an operand: dtype and shape for a tensor, scalars in full. */
  public static String describe(Object value) {
    return describe(value, MOST_DEEP);
  }

  private static String describe(Object value, int deep) {
    // Not a switch over patterns: the first one in a process takes milliseconds.
    if (value instanceof DenseTensor tensor) {
      return tensor.describe();
    }
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    if (value instanceof List<?> list) {
      return list.size() <= MOST_SHOWN && deep > 0
          ? elements(list, deep)
          : "list of " + list.size();
    }
    if (value instanceof String text) {
      return text.length() <= LONGEST_SHOWN ? "'" + text + "'" : "str of " + text.length();
    }
    return value instanceof Map<?, ?> map ? "dict of " + map.size() : nameOf(value);
  }

  private static String elements(List<?> list, int deep) {
    StringBuilder text = new StringBuilder("[");
    for (Object element : list) {
      text.append(text.length() == 1 ? "" : ", ").append(describe(element, deep - 1));
    }
    return text.append(']').toString();
  }
}
