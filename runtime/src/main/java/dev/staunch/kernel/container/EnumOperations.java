package dev.staunch.kernel.container;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.EnumMember;

/** Members of a script's enums: comparison, names and values. */
final class EnumOperations {
  private EnumOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::eq.enum(AnyEnumType a, AnyEnumType b) -> bool",
        call -> call.value(0).equals(call.value(1)));
    catalog.one(
        "aten::ne.enum(AnyEnumType a, AnyEnumType b) -> bool",
        call -> !call.value(0).equals(call.value(1)));
    catalog.one(
        "prim::EnumName(AnyEnumType enum) -> str", call -> ((EnumMember) call.value(0)).name());
    for (String type : new String[] {"int", "float", "str"}) {
      catalog.one(
          "prim::EnumValue." + type + "(AnyEnumType enum) -> " + type,
          call -> ((EnumMember) call.value(0)).value());
    }
  }
}
