package dev.staunch.eager.operators;

import dev.staunch.operation.None;
import dev.staunch.type.DType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Converts Java values to the run-time values that schemas require, for calls by name. */
public final class Arguments {
  private Arguments() {}

  /** An {@code int[]}. */
  public static List<Object> longs(long... values) {
    Object[] boxed = new Object[values.length];
    for (int i = 0; i < boxed.length; i++) {
      boxed[i] = values[i];
    }
    return List.of(boxed);
  }

  /** As {@link #longs(long...)}, for the user's argument {@code name}. */
  public static List<Object> longs(String name, long[] values) {
    return longs(Objects.requireNonNull(values, name));
  }

  /** The user's tensors for the argument {@code name}. */
  public static <T> List<Object> tensors(String name, T[] tensors) {
    return List.of((Object[]) present(name, tensors));
  }

  /** The user's {@code values} for the argument {@code name}, none of which is null. */
  public static <T> T[] present(String name, T[] values) {
    Objects.requireNonNull(values, name);
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        throw new NullPointerException(name + "[" + i + "]");
      }
    }
    return values;
  }

  /** The number that stands for {@code dtype}. */
  public static Object code(DType dtype) {
    return (long) Objects.requireNonNull(dtype, "dtype").code();
  }

  /** {@code value}, or None for null. */
  public static Object optional(@Nullable Object value) {
    return value == null ? None.NONE : value;
  }
}
