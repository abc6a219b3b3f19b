package dev.staunch.operation;

import dev.staunch.fault.Fault;
import dev.staunch.type.DType;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The dtype that an operation expected, as what a fault {@linkplain Fault#wanted() wanted}. The
 * step that fixes the fault follows from it, and from the dtype that was found.
 *
 * @param text what the user reads, such as {@code index of int64 or int32}
 * @param dtype the dtype to cast to, the first if there are several; null if that depends on what
 *     was found
 * @param parameter the name of the parameter, if the fault blames one
 */
public record ExpectedDType(
    String text, @Nullable DType dtype, Whose whose, @Nullable String parameter) {
  /** Any floating dtype. */
  public static final ExpectedDType FLOATING = worded("a floating dtype", DType.FLOAT32);

  /** As {@link #FLOATING}, in other words. */
  public static final ExpectedDType FLOATING_POINT =
      worded("a floating point dtype", DType.FLOAT32);

  /** Any integer dtype. */
  public static final ExpectedDType INTEGER = worded("an integer dtype", DType.INT64);

  /** Of what the dtype is expected. */
  public enum Whose {
    /** Of one operand. */
    ONE,
    /** Of all operands that have the dtype that was found. */
    ALL,
    /** Of several operands: they must have the same. */
    SAME,
    /** Of what is written in place: it must hold the dtype that was found. */
    STORED
  }

  /** One of these dtypes. */
  public static ExpectedDType of(DType first, DType... others) {
    int last = others.length - 1;
    String text =
        last < 0
            ? first.toString()
            : Arrays.stream(others, 0, last)
                    .map(other -> ", " + other)
                    .collect(Collectors.joining("", first.toString(), " or "))
                + others[last];
    return worded(text, first);
  }

  /** What {@code text} describes, of one operand. */
  public static ExpectedDType worded(String text, @Nullable DType dtype) {
    return new ExpectedDType(text, dtype, Whose.ONE, null);
  }

  /** The dtype of another operand. */
  public static ExpectedDType same(DType dtype) {
    return new ExpectedDType("the same dtype " + dtype, dtype, Whose.SAME, null);
  }

  /** A dtype that can be written into one of {@code dtype}. */
  public static ExpectedDType stored(DType dtype) {
    return new ExpectedDType("a result that fits " + dtype, dtype, Whose.STORED, null);
  }

  /** The same, of the parameter {@code name}. */
  public ExpectedDType in(String name) {
    return new ExpectedDType(name + " of " + text, dtype, whose, name);
  }

  /** The same, of all operands. */
  public ExpectedDType ofAll() {
    return new ExpectedDType("operands of " + text, dtype, Whose.ALL, null);
  }

  @Override
  public String toString() {
    return text;
  }
}
