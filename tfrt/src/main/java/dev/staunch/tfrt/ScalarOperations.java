package dev.staunch.tfrt;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Chain;
import dev.staunch.kernel.Kernel;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/** Scalars and chains, and how operations of MLIR programs are defined. */
final class ScalarOperations {
  static final String CHAIN = Chain.TYPE;

  private ScalarOperations() {}

  static void addTo(Catalog.Builder catalog) {
    define(catalog, "tfrt.new.chain", List.of(), List.of(CHAIN), one(call -> Chain.READY));
    Schema merge =
        new Schema(
            "tfrt::merge",
            "chains",
            List.of(),
            List.of(new Schema.Result(new Type.Named(CHAIN), null, false, null)),
            true,
            false);
    catalog.define(merge, one(call -> Chain.READY));
    for (String type : List.of("i32", "i64", "f32", "f64")) {
      arithmetic(catalog, type);
      print(catalog, type);
    }
    print(catalog, "i1");
  }

  static Kernel one(Kernel.One kernel) {
    return kernel;
  }

  static Kernel many(Kernel.Many kernel) {
    return kernel;
  }

  /** Defines {@code tfrt.add.i32} as {@code tfrt::add.i32}, with MLIR types. */
  static void define(
      Catalog.Builder catalog,
      String name,
      List<String> operands,
      List<String> results,
      Kernel kernel) {
    List<Schema.Parameter> parameters = new ArrayList<>();
    for (int i = 0; i < operands.size(); i++) {
      parameters.add(parameter("operand" + i, new Type.Named(operands.get(i)), false));
    }
    catalog.define(schema(name, parameters, results), kernel);
  }

  static Schema.Parameter parameter(String name, Type type, boolean attribute) {
    return new Schema.Parameter(name, type, 0, null, attribute, false, null);
  }

  static Schema schema(String name, List<Schema.Parameter> parameters, List<String> results) {
    String[] parts = name.split("\\.", 3);
    return new Schema(
        parts[0] + "::" + parts[1],
        parts.length == 3 ? parts[2] : "",
        parameters,
        results.stream()
            .map(type -> new Schema.Result(new Type.Named(type), null, false, null))
            .toList(),
        false,
        false);
  }

  private static void arithmetic(Catalog.Builder catalog, String type) {
    boolean real = type.startsWith("f");
    binary(catalog, "add", type, Long::sum, Double::sum);
    binary(catalog, real ? "multiply" : "mul", type, (a, b) -> a * b, (a, b) -> a * b);
    if (real) {
      binary(catalog, "minimum", type, Math::min, Math::min);
      binary(catalog, "div", type, (a, b) -> 0, (a, b) -> a / b);
      return;
    }
    binary(catalog, "minus", type, (a, b) -> a - b, (a, b) -> a - b);
    define(
        catalog,
        "tfrt.div." + type,
        List.of(type, type),
        List.of(type, type),
        many(call -> divide(call, type)));
    compare(catalog, "equal", type, true);
    compare(catalog, "lessequal", type, false);
  }

  private static void compare(Catalog.Builder catalog, String name, String type, boolean equal) {
    define(
        catalog,
        "tfrt." + name + "." + type,
        List.of(type, type),
        List.of("i1"),
        one(call -> {
          long a = ((Number) call.value(0)).longValue();
          long b = ((Number) call.value(1)).longValue();
          return equal ? a == b : a <= b;
        }));
  }

  private static void binary(
      Catalog.Builder catalog,
      String name,
      String type,
      LongBinaryOperator integers,
      DoubleBinaryOperator reals) {
    define(
        catalog,
        "tfrt." + name + "." + type,
        List.of(type, type),
        List.of(type),
        one(call -> {
          Number a = (Number) call.value(0);
          Number b = (Number) call.value(1);
          return type.startsWith("f")
              ? boxed(type, reals.applyAsDouble(a.doubleValue(), b.doubleValue()))
              : boxed(type, integers.applyAsLong(a.longValue(), b.longValue()));
        }));
  }

  private static Object divide(Call call, String type) {
    long a = ((Number) call.value(0)).longValue();
    long b = ((Number) call.value(1)).longValue();
    return b == 0
        ? Fault.value("Divide by zero")
        : new Object[] {boxed(type, a / b), boxed(type, a % b)};
  }

  static Object boxed(String type, Number value) {
    return switch (type) {
      case "i32" -> (Object) value.intValue();
      case "i64" -> (Object) value.longValue();
      case "f32" -> (Object) value.floatValue();
      default -> (Object) value.doubleValue();
    };
  }

  private static void print(Catalog.Builder catalog, String type) {
    define(
        catalog.with(Trait.HAS_SIDE_EFFECTS),
        "tfrt.print." + type,
        List.of(type, CHAIN),
        List.of(CHAIN),
        one(call -> {
          call.environment().print(printed(type, call.value(0)));
          return Chain.READY;
        }));
  }

  private static String printed(String type, Object value) {
    return switch (value) {
      case Boolean flag -> "int1 = " + (flag ? 1 : 0);
      case Float number -> String.format(Locale.ROOT, "f32 = %f", number);
      case Double number -> String.format(Locale.ROOT, "f64 = %f", number);
      default -> "int" + type.substring(1) + " = " + value;
    };
  }
}
