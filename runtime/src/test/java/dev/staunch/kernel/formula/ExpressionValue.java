package dev.staunch.kernel.formula;

import dev.staunch.kernel.scalar.ErrorFunction;
import dev.staunch.kernel.scalar.InverseHyperbolic;
import dev.staunch.operation.Expression;
import dev.staunch.operation.Formula;
import dev.staunch.tensor.Elements;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Evaluates expressions as Java does: with longs unless an operand is a double. */
final class ExpressionValue {
  private static final Map<String, Class<?>> OWNERS =
      Map.of(
          "Math", Math.class,
          "Double", Double.class,
          "Long", Long.class,
          "Elements", Elements.class,
          "ErrorFunction", ErrorFunction.class,
          "InverseHyperbolic", InverseHyperbolic.class);

  private final Map<String, Object> names;

  private ExpressionValue(Map<String, Object> names) {
    this.names = names;
  }

  static Object of(Formula formula, Expression expression, Object... elements) {
    Map<String, Object> names = new HashMap<>(formula.constants());
    for (int k = 0; k < elements.length; k++) {
      names.put(formula.operands().get(k), elements[k]);
    }
    names.replaceAll((name, value) -> value instanceof Integer small ? (long) small : value);
    return new ExpressionValue(names).of(expression);
  }

  static double real(Object value) {
    return value instanceof Boolean flag ? (flag ? 1 : 0) : ((Number) value).doubleValue();
  }

  static long integer(Object value) {
    return value instanceof Boolean flag ? (flag ? 1 : 0) : ((Number) value).longValue();
  }

  private Object of(Expression expression) {
    return switch (expression) {
      case Expression.Literal literal -> literal.value();
      case Expression.Name name -> name(name.name());
      case Expression.Unary unary -> unary(unary.operator(), of(unary.operand()));
      case Expression.Choice choice ->
          (Boolean) of(choice.condition()) ? of(choice.yes()) : of(choice.no());
      case Expression.Binary binary -> binary(binary);
      case Expression.Function function ->
          function(function.name(), function.arguments().stream().map(this::of).toList());
    };
  }

  private Object name(String name) {
    if (names.containsKey(name)) {
      return names.get(name);
    }
    try {
      return name.equals("Math.PI")
          ? (Object) Math.PI
          : name.contains(".")
              ? Double.class.getField(name.substring("Double.".length())).get(null)
              : RealFunctions.class.getDeclaredField(name).get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  private static Object unary(String operator, Object value) {
    return switch (operator) {
      case "(double)" -> real(value);
      case "(long)" -> integer(value);
      case "~" -> ~integer(value);
      case "!" -> !(Boolean) value;
      default -> value instanceof Double real ? (Object) (-real) : (Object) (-integer(value));
    };
  }

  private Object binary(Expression.Binary binary) {
    Object left = of(binary.left());
    switch (binary.operator()) {
      case "&&" -> {
        return (Boolean) left && (Boolean) of(binary.right());
      }
      case "||" -> {
        return (Boolean) left || (Boolean) of(binary.right());
      }
      default -> {}
    }
    Object right = of(binary.right());
    if (left instanceof Boolean a && right instanceof Boolean b) {
      return truths(binary.operator(), a, b);
    }
    return left instanceof Double || right instanceof Double
        ? reals(binary.operator(), real(left), real(right))
        : integers(binary.operator(), integer(left), integer(right));
  }

  private static Object truths(String operator, boolean a, boolean b) {
    return switch (operator) {
      case "==" -> a == b;
      case "!=" -> a != b;
      case "&" -> a && b;
      case "|" -> a || b;
      default -> throw new IllegalArgumentException(operator);
    };
  }

  private static Object reals(String operator, double a, double b) {
    return switch (operator) {
      case "+" -> a + b;
      case "-" -> a - b;
      case "*" -> a * b;
      case "/" -> a / b;
      case "%" -> a % b;
      case "==" -> a == b;
      case "!=" -> a != b;
      case "<" -> a < b;
      case "<=" -> a <= b;
      case ">" -> a > b;
      case ">=" -> a >= b;
      default -> throw new IllegalArgumentException(operator);
    };
  }

  private static Object integers(String operator, long a, long b) {
    return switch (operator) {
      case "+" -> a + b;
      case "-" -> a - b;
      case "*" -> a * b;
      case "/" -> a / b;
      case "%" -> a % b;
      case "==" -> a == b;
      case "!=" -> a != b;
      case "<" -> a < b;
      case "<=" -> a <= b;
      case ">" -> a > b;
      case ">=" -> a >= b;
      case "&" -> a & b;
      case "|" -> a | b;
      case "^" -> a ^ b;
      case "<<" -> a << b;
      case ">>" -> a >> b;
      default -> throw new IllegalArgumentException(operator);
    };
  }

  private static Object function(String name, List<Object> arguments) {
    int dot = name.indexOf('.');
    List<Class<?>> owners =
        dot < 0
            ? List.of(RealFunctions.class, IntegerFunctions.class, Picks.class)
            : List.of(OWNERS.get(name.substring(0, dot)));
    for (Class<?> owner : owners) {
      for (Method method : owner.getDeclaredMethods()) {
        if (method.getName().equals(name.substring(dot + 1)) && fits(method, arguments)) {
          return called(method, arguments);
        }
      }
    }
    throw new IllegalArgumentException(name + arguments);
  }

  private static boolean fits(Method method, List<Object> arguments) {
    Class<?>[] types = method.getParameterTypes();
    boolean real = arguments.stream().anyMatch(Double.class::isInstance);
    boolean fits = types.length == arguments.size();
    for (int i = 0; fits && i < types.length; i++) {
      fits =
          switch (arguments.get(i)) {
            case Boolean flag -> types[i] == boolean.class;
            case Double number -> types[i] == double.class;
            case Long number -> types[i] == (real ? double.class : long.class);
            default -> types[i].isInstance(arguments.get(i));
          };
    }
    return fits;
  }

  private static Object called(Method method, List<Object> arguments) {
    Object[] values = arguments.toArray();
    for (int i = 0; i < values.length; i++) {
      boolean widens = method.getParameterTypes()[i] == double.class;
      values[i] = widens ? (Object) real(values[i]) : values[i];
    }
    try {
      Object result = method.invoke(null, values);
      return result instanceof Integer small ? (Object) (long) small : result;
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(method.getName(), e);
    }
  }
}
