package dev.staunch.eager;

import dev.staunch.fault.Fault;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A call that was written as one would in Java or Python, with the arguments that the schema
 * requires: an {@code int} for an int, null for None, an array for a list, a {@link DType} for its
 * number, defaults left out, the operation's name without namespace and overload. Tried only when
 * the call as written is invalid, so valid calls cost nothing extra.
 */
record Spelling(Signature signature, Object[] arguments) {

  /** Returns what is wrong with a call of a signature with arguments, or null. */
  interface Check extends BiFunction<Signature, Object[], @Nullable Fault> {}

  /** The first of {@code candidates} that accepts {@code given} after conversion, or null. */
  static @Nullable Spelling of(List<Signature> candidates, @Nullable Object[] given, Check check) {
    for (Signature candidate : candidates) {
      Object[] meant = meant(candidate.door.definition().schema(), given);
      if (check.apply(candidate, meant) == null) {
        return new Spelling(candidate, meant);
      }
    }
    return null;
  }

  /** What is wrong with a call of {@code candidate}, even after conversion; or null. */
  static @Nullable Fault misuse(Signature candidate, @Nullable Object[] given, Check check) {
    return check.apply(candidate, meant(candidate.door.definition().schema(), given));
  }

  /** How many arguments, counted from the first, {@code candidate} accepts after conversion. */
  static int fitting(Signature candidate, @Nullable Object[] given) {
    return candidate.fitting(meant(candidate.door.definition().schema(), given));
  }

  private static Object[] meant(Schema schema, @Nullable Object[] given) {
    List<Object> meant = new ArrayList<>();
    for (Object argument : given) {
      meant.add(meant(argument));
    }
    for (int i = given.length; i < schema.parameters().size(); i++) {
      Object standard = schema.parameters().get(i).defaultValue();
      if (standard == null) {
        break;
      }
      meant.add(standard);
    }
    return meant.toArray();
  }

  private static Object meant(@Nullable Object argument) {
    return switch (argument) {
      case null -> None.NONE;
      case Integer number -> (long) number;
      case Short number -> (long) number;
      case Byte number -> (long) number;
      case Float number -> (double) number;
      case DType dtype -> (long) dtype.code();
      case int[] numbers -> Arrays.stream(numbers).asLongStream().boxed().toList();
      case long[] numbers -> Arrays.stream(numbers).boxed().toList();
      case double[] numbers -> Arrays.stream(numbers).boxed().toList();
      case Object[] array -> elements(Arrays.asList(array));
      case List<?> list -> elements(list);
      default -> argument;
    };
  }

  /** A null element stays, and is refused later. */
  private static List<Object> elements(List<?> given) {
    List<Object> elements = new ArrayList<>(given.size());
    for (Object each : given) {
      elements.add(each == null || each instanceof Handle ? each : meant(each));
    }
    return elements;
  }
}
