package dev.staunch.eager;

import dev.staunch.dispatch.ResultRule;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Generator;
import dev.staunch.kernel.TupleValue;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.type.Type;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a schema demands of the arguments of an eager call: their number, and that each is a handle
 * or a run-time value of its parameter's type, including the elements of lists. Created once for
 * each operation.
 */
final class ArgumentRules {
  private static final int MOST_TEXT = 40;

  /** A message that would be longer leaves the schema out. */
  private static final int LONGEST = 300;

  private final Schema schema;
  private final List<Predicate<@Nullable Object>> rules;

  private ArgumentRules(Schema schema) {
    this.schema = schema;
    this.rules = schema.parameters().stream().map(each -> rule(each.type())).toList();
  }

  static ArgumentRules of(Schema schema) {
    return new ArgumentRules(schema);
  }

  /** The value fault that names the first argument that {@code arguments} gets wrong, or null. */
  @Nullable Fault check(@Nullable Object[] arguments) {
    int count = rules.size();
    if (arguments.length < count || (arguments.length > count && !schema.variadic())) {
      return wrongCount(arguments.length);
    }
    for (int i = 0; i < arguments.length; i++) {
      if (i < count ? !rules.get(i).test(arguments[i]) : !isUsable(arguments[i], 0)) {
        return wrongType(i, arguments[i]);
      }
    }
    return null;
  }

  /** How many of {@code arguments}, counted from the first, have their parameters' types. */
  int fitting(@Nullable Object[] arguments) {
    int most = Math.min(arguments.length, rules.size());
    int fit = 0;
    while (fit < most && rules.get(fit).test(arguments[fit])) {
      fit++;
    }
    return fit;
  }

  private Fault wrongCount(int given) {
    int count = rules.size();
    String text = Message.of("takes %s, got %d", Message.count(count, "argument"), given);
    return misuse(
        given < count
            ? text + ": `" + schema.parameters().get(given).name() + "` is missing"
            : text);
  }

  private Fault wrongType(int i, @Nullable Object given) {
    boolean named = i < rules.size();
    Type type = named ? schema.parameters().get(i).type() : Type.Plain.ANY;
    String name = named ? "`" + schema.parameters().get(i).name() + "`" : "argument " + i;
    String found = found(given, type);
    return misuse("takes " + wanted(type) + " for " + name + ", got " + found)
        .withExpected(wanted(type), found);
  }

  private Fault misuse(String text) {
    String name = schema.qualifiedName();
    String message = name + " " + text;
    String whole = message + "; its schema is " + schema;
    return Fault.value(whole.length() <= LONGEST ? whole : message).withOperation(name, List.of());
  }

  private static Predicate<@Nullable Object> rule(Type type) {
    return switch (type) {
      case Type.Plain plain -> plainRule(plain);
      case Type.Optional optional -> {
        Predicate<@Nullable Object> element = rule(optional.element());
        yield value -> value == None.NONE || element.test(value);
      }
      case Type.ListOf list -> {
        Predicate<@Nullable Object> element = rule(list.element());
        yield value -> value instanceof List<?> it && firstUnfit(it, element) < 0;
      }
      default -> usable(type);
    };
  }

  private static Predicate<@Nullable Object> plainRule(Type.Plain type) {
    return switch (type) {
      case TENSOR -> {
        ResultRule concrete = ResultRule.of(type);
        yield value -> value instanceof Handle || (value != null && concrete.accepts(value));
      }
      case NUMBER, COMPLEX, STRING, DEVICE, NONE -> {
        ResultRule concrete = ResultRule.of(type);
        yield value -> value != null && concrete.accepts(value);
      }
      case FLOAT -> value -> value instanceof Double || value instanceof Long;
      case INT -> value -> value instanceof Long;
      case BOOL -> value -> value instanceof Boolean;
      case GENERATOR -> value -> value instanceof Generator;
      default -> usable(type);
    };
  }

  private static Predicate<@Nullable Object> usable(Type type) {
    ResultRule rule = ResultRule.of(type);
    return value -> value != null && rule.accepts(value) && isUsable(value, 0);
  }

  private static int firstUnfit(List<?> list, Predicate<@Nullable Object> element) {
    for (int i = 0; i < list.size(); i++) {
      if (!element.test(list.get(i))) {
        return i;
      }
    }
    return -1;
  }

  /** Whether {@code value} contains no null, and no handle where no task would wait for it. */
  private static boolean isUsable(@Nullable Object value, int depth) {
    if (value instanceof List<?> list) {
      return depth < Nesting.MOST && firstUnfit(list, each -> isUsable(each, depth + 1)) < 0;
    }
    return value != null && !holdsHandle(value, depth);
  }

  /** A value nested too deeply counts as a handle. */
  private static boolean holdsHandle(@Nullable Object value, int depth) {
    if (value instanceof TupleValue tuple) {
      return isOrHoldsHandle(tuple.elements(), depth);
    }
    return value instanceof Map<?, ?> map
        && (isOrHoldsHandle(map.keySet(), depth) || isOrHoldsHandle(map.values(), depth));
  }

  private static boolean isOrHoldsHandle(@Nullable Object value, int depth) {
    return value instanceof Handle
        || depth >= Nesting.MOST
        || (value instanceof Collection<?> some
            && some.stream().anyMatch(each -> isOrHoldsHandle(each, depth + 1)))
        || holdsHandle(value, depth + 1);
  }

  /** The type, with the Java class of its values if the type is not plain. */
  private static String wanted(Type type) {
    return switch (type) {
      case Type.Plain.INT -> "int (a Java Long)";
      case Type.Plain.FLOAT -> "float (a Java Double)";
      case Type.Plain.BOOL -> "bool (a Java Boolean)";
      default -> type.toString();
    };
  }

  private static String found(@Nullable Object given, Type type) {
    Type bare = type instanceof Type.Optional optional ? optional.element() : type;
    if (given instanceof List<?> list) {
      if (Nesting.isTooDeep(list)) {
        return Nesting.describe();
      }
      int at =
          firstUnfit(
              list,
              bare instanceof Type.ListOf of ? rule(of.element()) : each -> isUsable(each, 0));
      return at < 0 ? "a list" : "a list with " + text(list.get(at)) + " at " + at;
    }
    return holdsHandle(given, 0)
        ? "a " + ResultRule.nameOf(given) + " that holds a Tensor"
        : text(given);
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case String text -> "str '" + shortened(text) + "'";
      case Integer number -> "Integer " + number;
      case Float number -> "Float " + number;
      case Number number -> ResultRule.nameOf(number) + " " + number;
      case Boolean flag -> "bool " + flag;
      case Enum<?> member when !ResultRule.nameOf(member).equals("None") ->
          ResultRule.nameOf(member) + " " + member;
      case null, default -> ResultRule.nameOf(value);
    };
  }

  private static String shortened(String text) {
    return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + "...";
  }
}
