package dev.staunch.torchscript.lower;

import dev.staunch.ir.Attribute;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.EnumMember;
import dev.staunch.kernel.TupleValue;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.tensor.HostTensors;
import dev.staunch.torchscript.schema.TypeRelations;
import dev.staunch.torchscript.source.Expression;
import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Run-time values of literals, and the types of run-time values. */
final class Constants {
  private Constants() {}

  /** The value of a literal, or of a list of literals; null if it is neither. */
  static @Nullable Object literal(Expression expression) {
    return switch (expression) {
      case Expression.IntLiteral number -> number.value();
      case Expression.FloatLiteral number -> number.value();
      case Expression.ComplexLiteral number -> new ComplexNumber(number.re(), number.im());
      case Expression.StringLiteral text -> text.value();
      case Expression.BoolLiteral flag -> flag.value();
      case Expression.NoneLiteral none -> None.NONE;
      case Expression.ListLiteral list -> list(list.elements());
      case Expression.TupleLiteral tuple ->
          list(tuple.elements()) instanceof List<?> values
              ? new TupleValue(List.copyOf(values))
              : null;
      case Expression.DictLiteral _, Expression.Name _, Expression.Attribute _ -> null;
      case Expression.Subscript _, Expression.TypeExpression _ -> null;
      case Expression.Call call -> called(call);
    };
  }

  /** The place of the constant that a name such as {@code CONSTANTS.c3} means; -1 for others. */
  static int place(String chain) {
    return chain.matches("CONSTANTS\\.c\\d{1,6}")
        ? Integer.parseInt(chain.substring("CONSTANTS.c".length()))
        : -1;
  }

  /** The number that a tensor without dimensions holds; null for a bool and any other value. */
  static @Nullable Object number(Object value) {
    if (!(value instanceof DenseTensor tensor) || tensor.rank() > 0) {
      return null;
    }
    return switch (tensor.dtype().kind()) {
      case FLOATING -> (Object) HostTensors.toDoubles(tensor)[0];
      case INTEGRAL -> (Object) HostTensors.toLongs(tensor)[0];
      case COMPLEX -> {
        DType part = tensor.dtype() == DType.COMPLEX64 ? DType.FLOAT32 : DType.FLOAT64;
        long at = 2 * tensor.layout().offset();
        yield new ComplexNumber(
            Elements.asDouble(tensor.segment(), part, at),
            Elements.asDouble(tensor.segment(), part, at + 1));
      }
      case BOOL -> null;
    };
  }

  private static @Nullable Object called(Expression.Call call) {
    int valueAt =
        switch (call.callee().chain()) {
          case "annotate" -> 1;
          case "torch.device" -> 0;
          case null, default -> -1;
        };
    return valueAt >= 0 && call.arguments().size() == valueAt + 1
        ? literal(call.arguments().get(valueAt))
        : null;
  }

  private static @Nullable Object list(List<Expression> elements) {
    List<Object> values = new ArrayList<>();
    for (Expression element : elements) {
      Object value = literal(element);
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return List.copyOf(values);
  }

  /** A run-time value as an attribute of the IR. */
  static Attribute attribute(Object value) {
    return switch (value) {
      case Long number -> new Attribute.Int(number, Type.Plain.INT);
      case Double number -> new Attribute.Real(number, Type.Plain.FLOAT);
      case Boolean flag -> new Attribute.Bool(flag);
      case String text -> new Attribute.Text(text);
      case None none -> new Attribute.None();
      case ComplexNumber number -> new Attribute.Complex(number.re(), number.im());
      case EnumMember member ->
          new Attribute.Member(member.type(), member.name(), attribute(member.value()));
      case List<?> list -> new Attribute.Array(attributes(list));
      case TupleValue tuple -> new Attribute.Tuple(attributes(tuple.elements()));
      case DenseTensor tensor -> new Attribute.Dense(tensor);
      default -> new Attribute.Loaded(value);
    };
  }

  private static List<Attribute> attributes(List<?> values) {
    List<Attribute> attributes = new ArrayList<>(values.size());
    values.forEach(value -> attributes.add(attribute(value)));
    return attributes;
  }

  /** The type of a scalar constant, or of a schema's default value. */
  static Type typeOf(Object value, Type declared) {
    return switch (value) {
      case Long number -> Type.Plain.INT;
      case Double number -> Type.Plain.FLOAT;
      case Boolean flag -> Type.Plain.BOOL;
      case String text -> Type.Plain.STRING;
      case ComplexNumber number -> Type.Plain.COMPLEX;
      case None none -> Type.Plain.NONE;
      case List<?> list when list.isEmpty() -> TypeRelations.EMPTY_LIST;
      case List<?> list -> new Type.ListOf(typeOf(list.get(0), declared));
      default -> declared;
    };
  }
}
