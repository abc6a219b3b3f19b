package dev.staunch.execute;

import dev.staunch.kernel.ObjectValue;
import dev.staunch.operation.None;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function, together with the objects that some of its arguments are known to be; it is compiled
 * for these.
 *
 * @param known an object or {@link #ANYTHING} for each parameter; empty if nothing is known
 */
record Variant(String function, List<Object> known) {
  /** Stands for an argument about which nothing is known. */
  private static final Object ANYTHING = new Object();

  Variant {
    known = List.copyOf(known);
  }

  /** The function for any arguments. */
  static Variant of(String function) {
    return new Variant(function, List.of());
  }

  /** The function for arguments of which the objects are known. */
  static Variant of(String function, List<?> arguments) {
    List<Object> known = new ArrayList<>();
    boolean any = false;
    for (Object argument : arguments) {
      any |= argument instanceof ObjectValue;
      known.add(argument instanceof ObjectValue ? argument : ANYTHING);
    }
    return any ? new Variant(function, known) : of(function);
  }

  /** As {@link #of(String, List)}, and also with the flags and None among {@code arguments}. */
  static Variant ofValues(String function, List<?> arguments) {
    List<Object> known = new ArrayList<>();
    for (Object argument : arguments) {
      boolean kept =
          argument instanceof ObjectValue || argument instanceof Boolean || argument == None.NONE;
      known.add(kept ? argument : ANYTHING);
    }
    return new Variant(function, known);
  }

  /**
   * The object that parameter {@code i} is; otherwise a value that is not an object of a script.
   */
  Object known(int i) {
    return i < known.size() ? known.get(i) : ANYTHING;
  }

  /** The known value of parameter {@code i}; otherwise null. */
  @SuppressWarnings("ReferenceEquality") // stands for itself
  @Nullable Object value(int i) {
    Object what = known(i);
    return what == ANYTHING ? null : what;
  }

  /**
   * Written by hand: the JVM's generated method for a record takes milliseconds on its first call.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Variant(String name, List<Object> objects)
        && function.equals(name)
        && known.equals(objects);
  }

  @Override
  public int hashCode() {
    return 31 * function.hashCode() + known.hashCode();
  }

  boolean isSpecial() {
    return !known.isEmpty();
  }
}
