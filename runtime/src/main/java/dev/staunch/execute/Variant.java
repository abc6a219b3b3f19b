package dev.staunch.execute;

import dev.staunch.kernel.ObjectValue;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function, together with what some of its arguments are known to be: objects, and a module's
 * tensors, flags and None with them. It is compiled for these.
 *
 * @param known a value or {@link #ANYTHING} for each parameter; empty if nothing is known
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

  /** The function for arguments of which some are known; for any, if those are flags and None. */
  static Variant of(String function, List<?> arguments) {
    List<Object> known = new ArrayList<>();
    boolean any = false;
    for (Object argument : arguments) {
      boolean special = argument instanceof ObjectValue || argument instanceof DenseTensor;
      any |= special;
      known.add(special || isPlain(argument) ? argument : ANYTHING);
    }
    return any ? new Variant(function, known) : of(function);
  }

  /** The function for the objects, the flags and None among {@code arguments}. */
  static Variant ofValues(String function, List<?> arguments) {
    List<Object> known = new ArrayList<>();
    for (Object argument : arguments) {
      boolean kept = argument instanceof ObjectValue || isPlain(argument);
      known.add(kept ? argument : ANYTHING);
    }
    return new Variant(function, known);
  }

  private static boolean isPlain(@Nullable Object argument) {
    return argument instanceof Boolean || argument == None.NONE;
  }

  /** The known value of parameter {@code i}; otherwise null. */
  @SuppressWarnings("ReferenceEquality") // stands for itself
  @Nullable Object value(int i) {
    Object what = i < known.size() ? known.get(i) : ANYTHING;
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
