package dev.staunch.eager.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Each operator calls the operation of its name, and hands over its arguments as the schema asks.
 */
class OperatorCallsTest {
  private static final List<Class<?>> GROUPS =
      List.of(
          ActivationFunctions.class,
          Arithmetic.class,
          Comparisons.class,
          Conversions.class,
          InPlace.class,
          Layers.class,
          LinearAlgebra.class,
          MathFunctions.class,
          RandomFills.class,
          Reductions.class,
          Shaping.class,
          Sorting.class);

  /** Operations that have another name than their operator. */
  private static final Map<String, String> OTHER_NAMES =
      Map.ofEntries(
          Map.entry("copy", "clone"),
          Map.entry("crossEntropy", "cross_entropy_loss"),
          Map.entry("isClose", "isclose"),
          Map.entry("isFinite", "isfinite"),
          Map.entry("isInf", "isinf"),
          Map.entry("isNan", "isnan"),
          Map.entry("minus", "sub"),
          Map.entry("pad", "constant_pad_nd"),
          Map.entry("plus", "add"),
          Map.entry("rem", "remainder"),
          Map.entry("T", "numpy_T"),
          Map.entry("times", "mul"),
          Map.entry("unaryMinus", "neg"),
          Map.entry("unique", "_unique2"),
          Map.entry("uniqueCounts", "_unique2"));

  private record Call(String operation, int results, List<Object> arguments) {}

  /** Notes what is called instead of calling it. */
  private static final class Noted
      implements ActivationFunctions<Noted>,
          Arithmetic<Noted>,
          Comparisons<Noted>,
          Conversions<Noted>,
          InPlace<Noted>,
          Layers<Noted>,
          LinearAlgebra<Noted>,
          MathFunctions<Noted>,
          RandomFills<Noted>,
          Reductions<Noted>,
          Shaping<Noted>,
          Sorting<Noted> {
    private final List<Call> calls;

    Noted(List<Call> calls) {
      this.calls = calls;
    }

    private Noted note(String operation, int results, Object... arguments) {
      calls.add(new Call(operation, results, List.of(arguments)));
      return new Noted(calls);
    }

    @Override
    public Noted apply(String operation, Object... arguments) {
      return note(operation, 1, arguments);
    }

    @Override
    public Noted[] applyMany(String operation, int results, Object... arguments) {
      Noted[] several = new Noted[results];
      Arrays.fill(several, note(operation, results, arguments));
      return several;
    }

    @Override
    public Noted[] applyList(String operation, Object... arguments) {
      return new Noted[] {note(operation, 1, arguments)};
    }

    @Override
    public Noted applyInPlace(String operation, Object... arguments) {
      assertTrue(operation.contains("_"), operation);
      return note(operation, 1, arguments);
    }
  }

  @TestFactory
  Stream<DynamicTest> anOperatorCallsItsOperation() {
    return GROUPS.stream()
        .flatMap(group -> Stream.of(group.getDeclaredMethods()))
        .filter(method -> method.isDefault() && !method.isSynthetic())
        .filter(method -> !Modifier.isPrivate(method.getModifiers()))
        .map(method -> DynamicTest.dynamicTest(described(method), () -> check(method)));
  }

  private static String described(Method method) {
    return method.getDeclaringClass().getSimpleName()
        + "."
        + method.getName()
        + Arrays.toString(method.getParameterTypes());
  }

  private static void check(Method method) throws ReflectiveOperationException {
    List<Call> calls = new ArrayList<>();
    Object[] arguments =
        Stream.of(method.getParameterTypes()).map(type -> argument(type, calls)).toArray();
    method.invoke(new Noted(calls), arguments);
    Call call = calls.getLast();
    String base = call.operation.substring(call.operation.indexOf("::") + 2).split("\\.", 2)[0];
    String name = method.getName();
    assertEquals(OTHER_NAMES.getOrDefault(name, snake(name)), base);
    CatalogEntry entry = StandardOperations.catalog().find(call.operation);
    assertNotNull(entry, call.operation);
    Schema schema = entry.schema();
    assertEquals(schema.parameters().size(), call.arguments.size(), () -> schema.toString());
    assertEquals(schema.results().size(), call.results, () -> schema.toString());
    for (int i = 0; i < call.arguments.size(); i++) {
      Object argument = call.arguments.get(i);
      Type type = schema.parameters().get(i).type();
      assertTrue(fits(argument, type), () -> argument + " is no " + type + " of " + schema);
    }
  }

  /** {@code max_pool1d} for {@code maxPool1d}; an underscore at the end stays. */
  private static String snake(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static Object argument(Class<?> type, List<Call> calls) {
    if (type.isArray()) {
      Class<?> element =
          type.getComponentType() == Object.class ? Noted.class : type.getComponentType();
      Object array = Array.newInstance(element, 2);
      for (int i = 0; i < 2; i++) {
        Array.set(array, i, argument(type.getComponentType(), calls));
      }
      return array;
    }
    return switch (type.getName()) {
      case "long" -> 1L;
      case "double" -> 0.5;
      case "boolean" -> true;
      case "java.lang.String" -> "mean";
      default ->
          type == DType.class
              ? DType.FLOAT32
              : type == Shape.class ? Shape.of(2, 3) : new Noted(calls);
    };
  }

  private static boolean fits(Object value, Type type) {
    return switch (type) {
      case Type.Optional optional -> value == None.NONE || fits(value, optional.element());
      case Type.ListOf list ->
          value instanceof List<?> several
              && several.stream().allMatch(each -> fits(each, list.element()));
      case Type.Plain plain ->
          switch (plain) {
            case TENSOR -> value instanceof Noted;
            case INT -> value instanceof Long;
            case FLOAT -> value instanceof Double;
            case BOOL -> value instanceof Boolean;
            case STRING -> value instanceof String;
            case NUMBER -> value instanceof Number;
            default -> false;
          };
      default -> false;
    };
  }
}
