package dev.staunch.eager;

import dev.staunch.kernel.TupleValue;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random arguments for any operation: recorded ones, or arguments that fit its schema. */
final class AnyArguments {
  private static final RecordedCalls RECORDED = RecordedCalls.read();
  private static final String[] TEXTS = {"", "mean", "a", "sum", "ij,jk->ik", "floor"};

  private final Draft draft;
  private final Random random;

  AnyArguments(Draft draft) {
    this.draft = draft;
    this.random = draft.random;
  }

  /** Arguments for {@code schema}, or null if none are known. */
  @Nullable List<Object> of(Schema schema) {
    List<Object> recorded =
        random.nextInt(8) > 0 ? RECORDED.any(schema.qualifiedName(), random) : null;
    if (recorded != null) {
      return recorded.stream().map(this::recorded).toList();
    }
    List<Object> arguments = new ArrayList<>();
    for (Schema.Parameter each : schema.parameters()) {
      Object standard = standard(each);
      arguments.add(
          standard != null && random.nextBoolean()
              ? standard
              : fitting(each.name(), each.type(), each.broadcastSize()));
    }
    return arguments.stream().anyMatch(Objects::isNull) ? null : arguments;
  }

  private Object recorded(Object value) {
    return switch (value) {
      case TensorSpec spec -> new Step.Ref(draft.like(spec));
      case List<?> list -> list.stream().map(this::recorded).toList();
      default -> value;
    };
  }

  /** The default of a parameter, if it has one. */
  static @Nullable Object standard(Schema.Parameter parameter) {
    Object value = parameter.defaultValue();
    boolean repeats = value instanceof Long && parameter.broadcastSize() > 0;
    return repeats ? Collections.nCopies(parameter.broadcastSize(), value) : value;
  }

  Object number() {
    return random.nextBoolean() ? (Object) integer() : (Object) (random.nextInt(9) / 4.0 - 1);
  }

  private long integer() {
    return random.nextLong(-2, 5);
  }

  private @Nullable Object fitting(String name, Type type, int length) {
    return switch (type) {
      case Type.Plain plain -> fitting(name, plain);
      case Type.Optional optional ->
          random.nextInt(5) < 3 ? None.NONE : fitting(name, optional.element(), length);
      case Type.ListOf list -> list(name, list.element(), length);
      case Type.Tuple tuple -> tuple(name, tuple.elements());
      case Type.Dict dict -> dict(name, dict);
      case Type.Named named -> named(named.name());
      case Type.Variable variable -> integer();
      default -> null;
    };
  }

  private @Nullable Object fitting(String name, Type.Plain type) {
    return switch (type) {
      case TENSOR -> new Step.Ref(draft.operand());
      case INT -> name.equals("dtype") ? (Object) (long) draft.dtype().code() : (Object) integer();
      case FLOAT -> random.nextInt(9) / 4.0;
      case BOOL -> random.nextBoolean();
      case STRING -> TEXTS[random.nextInt(TEXTS.length)];
      case NUMBER -> number();
      case DEVICE -> "cpu";
      case NONE -> None.NONE;
      case ANY -> integer();
      default -> null;
    };
  }

  private @Nullable Object list(String name, Type element, int length) {
    List<Object> values = new ArrayList<>();
    int count = length > 0 ? length : 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      values.add(fitting(name, element, 0));
    }
    return values.contains(null) ? null : values;
  }

  private @Nullable Object tuple(String name, List<Type> elements) {
    List<Object> values = new ArrayList<>();
    elements.forEach(each -> values.add(withoutTensors(name, each)));
    return values.contains(null) ? null : new TupleValue(values);
  }

  private @Nullable Object dict(String name, Type.Dict type) {
    Object key = withoutTensors(name, type.key());
    Object value = withoutTensors(name, type.value());
    if (key == null || value == null) {
      return null;
    }
    Map<Object, Object> values = new LinkedHashMap<>();
    values.put(key, value);
    return values;
  }

  /** Nothing would wait for a handle in a tuple or a dict. */
  private @Nullable Object withoutTensors(String name, Type type) {
    return type == Type.Plain.TENSOR ? null : fitting(name, type, 0);
  }

  private @Nullable Object named(String type) {
    return switch (type) {
      case "i1" -> random.nextBoolean();
      case "i32" -> random.nextInt(9) - 2;
      case "i64" -> integer();
      case "f32" -> random.nextInt(9) / 2f;
      case "f64" -> random.nextInt(9) / 2.0;
      default -> null;
    };
  }
}
