package dev.staunch.execute;

import dev.staunch.ir.Attribute;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.EnumMember;
import dev.staunch.kernel.TupleValue;
import dev.staunch.operation.None;
import dev.staunch.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The run-time values of attributes, and which values can be attributes. */
final class Constants {
  private Constants() {}

  static Object valueOf(Attribute attribute) {
    return switch (attribute) {
      case Attribute.None none -> None.NONE;
      case Attribute.Bool flag -> flag.value();
      case Attribute.Int number -> integer(number);
      case Attribute.Real number -> real(number);
      case Attribute.Complex number -> new ComplexNumber(number.re(), number.im());
      case Attribute.Text text -> text.value();
      case Attribute.Symbol symbol -> symbol.name();
      case Attribute.OfType type -> type.value();
      case Attribute.Array array -> values(array.elements());
      case Attribute.Tuple tuple -> new TupleValue(values(tuple.elements()));
      case Attribute.Member member ->
          new EnumMember(member.owner(), member.name(), valueOf(member.value()));
      case Attribute.Dense dense -> dense.tensor();
      case Attribute.Loaded loaded -> loaded.value();
    };
  }

  private static List<Object> values(List<Attribute> attributes) {
    return attributes.stream().map(Constants::valueOf).toList();
  }

  private static Object integer(Attribute.Int number) {
    boolean narrow = number.type() instanceof Type.Named named && named.name().equals("i32");
    return narrow ? (Object) (int) number.value() : (Object) number.value();
  }

  private static Object real(Attribute.Real number) {
    boolean single = number.type() instanceof Type.Named named && named.name().equals("f32");
    return single ? (Object) (float) number.value() : (Object) number.value();
  }

  /** Whether a value is immutable. */
  static boolean isImmutable(@Nullable Object value) {
    return value == None.NONE
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof String;
  }
}
