package dev.staunch.torchscript;

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
import java.util.Objects;

/** The types of run-time values, as narrow as the value alone determines. */
final class ValueTypes {
  private ValueTypes() {}

  static Type of(Object value) {
    return switch (value) {
      case DenseTensor tensor -> Type.Plain.TENSOR;
      case CompoundTensor tensor -> Type.Plain.TENSOR;
      case Long number -> Type.Plain.INT;
      case Double number -> Type.Plain.FLOAT;
      case Boolean flag -> Type.Plain.BOOL;
      case String text -> Type.Plain.STRING;
      case ComplexNumber number -> Type.Plain.COMPLEX;
      case None none -> Type.Plain.NONE;
      case EnumMember member -> new Type.Class(member.type());
      case ObjectValue object -> new Type.Class(object.layout().name());
      case TupleValue tuple ->
          new Type.Tuple(tuple.elements().stream().map(ValueTypes::of).toList());
      case List<?> list -> new Type.ListOf(common(list));
      case Map<?, ?> map -> new Type.Dict(common(map.keySet()), common(map.values()));
      default -> Type.Plain.ANY;
    };
  }

  /** The type of the first value that is not None, optional if some value is None. */
  private static Type common(Collection<?> values) {
    for (Object value : values) {
      if (!None.NONE.equals(value)) {
        Type type = of(Objects.requireNonNull(value));
        return values.contains(None.NONE) ? new Type.Optional(type) : type;
      }
    }
    return values.isEmpty() ? Type.Plain.ANY : Type.Plain.NONE;
  }
}
