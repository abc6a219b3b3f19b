package dev.staunch.kernel;

import dev.staunch.kernel.RecordedCalls.Recorded;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;

/** A call, with simple arguments, of an operation for which none was recorded. */
final class InventedCall {
  private InventedCall() {}

  /** Whether there are arguments for all types that the operation takes. */
  static boolean isPossible(Schema schema) {
    return !schema.variadic()
        && schema.parameters().stream()
            .allMatch(
                parameter -> parameter.defaultValue() != null || isPossible(parameter.type()));
  }

  private static boolean isPossible(Type type) {
    return switch (type) {
      case Type.Plain plain ->
          switch (plain) {
            case TENSOR, INT, FLOAT, BOOL, NUMBER, STRING -> true;
            default -> false;
          };
      case Type.Optional optional -> true;
      case Type.ListOf list ->
          list.element() == Type.Plain.TENSOR || list.element() == Type.Plain.INT;
      default -> false;
    };
  }

  static Recorded of(Schema schema) {
    return of(schema, false);
  }

  /** With tensors of integers, for operations that take no others. */
  static Recorded ofIntegers(Schema schema) {
    return of(schema, true);
  }

  private static Recorded of(Schema schema, boolean whole) {
    return new Recorded(
        "invented",
        schema.qualifiedName(),
        scope -> {
          List<Object> arguments = new ArrayList<>();
          for (Schema.Parameter parameter : schema.parameters()) {
            Object standard = parameter.defaultValue();
            arguments.add(standard == null ? value(scope, parameter.type(), whole) : standard);
          }
          return arguments;
        });
  }

  private static Object value(ResourceScope scope, Type type, boolean whole) {
    if (type instanceof Type.ListOf list) {
      return new ArrayList<>(
          List.of(value(scope, list.element(), whole), value(scope, list.element(), whole)));
    }
    if (!(type instanceof Type.Plain plain)) {
      return None.NONE;
    }
    return switch (plain) {
      case TENSOR ->
          whole
              ? HostTensors.longs(scope, Shape.of(2, 2), 0, 1, 1, 0)
              : HostTensors.floats(scope, Shape.of(2, 2), 0.25f, 0.5f, 0.75f, 0.5f);
      case INT -> whole ? 1L : 2L;
      case NUMBER -> whole ? (Object) 1L : 0.5;
      case FLOAT -> 0.5;
      case BOOL -> true;
      default -> "text";
    };
  }
}
