package dev.staunch.kernel.create;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.type.DType;

/**
 * Queries about dtypes: the result of an operation on several operands, and the casts that keep the
 * kind of number.
 */
final class TypeQueries {
  private TypeQueries() {}

  static void addTo(Catalog.Builder catalog) {
    String[] operands = {
      "Tensor(Tensor tensor, Tensor other)",
      "Scalar(Tensor tensor, Scalar other)",
      "Scalar_Tensor(Scalar scalar, Tensor tensor)",
      "Scalar_Scalar(Scalar scalar1, Scalar scalar2)"
    };
    for (String each : operands) {
      catalog.one(
          "aten::result_type." + each + " -> ScalarType",
          call -> code(Promotion.of(call.value(0), call.value(1)).result()));
    }
    catalog.one(
        "aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType",
        call -> {
          DType first = DType.ofCode(call.integer(0));
          DType second = DType.ofCode(call.integer(1));
          return first == null || second == null
              ? unknown(first == null ? call.integer(0) : call.integer(1))
              : code(DType.promote(first, second));
        });
    catalog.one(
        "aten::can_cast(ScalarType from_, ScalarType to) -> bool",
        call -> {
          DType from = DType.ofCode(call.integer(0));
          DType to = DType.ofCode(call.integer(1));
          return from == null || to == null
              ? unknown(from == null ? call.integer(0) : call.integer(1))
              : (Object) canCast(from, to);
        });
  }

  private static Object code(DType dtype) {
    return (long) dtype.code();
  }

  private static Fault unknown(long code) {
    return Fault.unsupported("there is no dtype of code " + code + " here");
  }

  private static boolean canCast(DType from, DType to) {
    return from.kind().compareTo(to.kind()) <= 0;
  }
}
