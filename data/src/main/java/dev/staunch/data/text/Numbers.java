package dev.staunch.data.text;

import dev.staunch.data.decode.Place;
import dev.staunch.data.row.DenseColumn;
import dev.staunch.data.row.Field;
import dev.staunch.fault.Message;
import dev.staunch.type.DType;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Strictly parses numbers from strings. The whole text must be the number, apart from blanks around
 * it: {@code 5x} is not a number, {@code 010} is ten. A value that the dtype cannot hold is
 * rejected, such as {@code 1e400} for float32 and {@code 3.0} for int32. A value that the dtype can
 * hold only approximately is rounded.
 */
final class Numbers {
  private static final Pattern REAL =
      Pattern.compile("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?");
  private static final Pattern NAMED =
      Pattern.compile("[+-]?(?:nan|inf|infinity)", Pattern.CASE_INSENSITIVE);
  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d+");

  private Numbers() {}

  /** Whether a text is a number, or is empty, as for a missing number. */
  static boolean isNumber(String text) {
    String bare = text.strip();
    return bare.isEmpty() || REAL.matcher(bare).matches() || NAMED.matcher(bare).matches();
  }

  /** Describes the values of this dtype. */
  static String expected(DType dtype) {
    return switch (dtype.kind()) {
      case BOOL -> "0, 1, true or false";
      case INTEGRAL -> "an integer for " + dtype;
      case FLOATING, COMPLEX -> "a number for " + dtype;
    };
  }

  /**
   * Stores the number in {@code text}.
   *
   * @return what is wrong with it, or null
   */
  static @Nullable String store(String text, DenseColumn column, int row, int element) {
    DType dtype = column.field().dtype();
    String bare = text.strip();
    if (bare.isEmpty()) {
      return "the field is empty";
    }
    return switch (dtype.kind()) {
      case BOOL -> storeBool(bare, column, row, element);
      case INTEGRAL -> storeLong(bare, dtype, column, row, element);
      case FLOATING, COMPLEX -> storeReal(bare, dtype, column, row, element);
    };
  }

  /**
   * Stores {@code value} for an empty field.
   *
   * @return why the dtype does not hold it, or null
   */
  static @Nullable String storeForNone(double value, DenseColumn column, int row, int element) {
    Field field = column.field();
    if (!field.holds(value)) {
      return Message.of(
          "the field is empty, and the number for it, %s, is not %s", value, field.dtype());
    }
    column.putDouble(row, element, value);
    return null;
  }

  private static @Nullable String storeBool(String text, DenseColumn column, int row, int element) {
    boolean yes = text.equals("1") || text.equalsIgnoreCase("true");
    if (!yes && !text.equals("0") && !text.equalsIgnoreCase("false")) {
      return Message.of("`%s` is neither 0, 1, true nor false", Place.shown(text));
    }
    column.putLong(row, element, yes ? 1 : 0);
    return null;
  }

  private static @Nullable String storeLong(
      String text, DType dtype, DenseColumn column, int row, int element) {
    if (!INTEGER.matcher(text).matches()) {
      return Message.of("`%s` is not an integer", Place.shown(text));
    }
    try {
      long value = Long.parseLong(text);
      if (column.field().holds(value)) {
        column.putLong(row, element, value);
        return null;
      }
    } catch (NumberFormatException e) {
      // too large for a long; reported below
    }
    return Message.of("`%s` is out of the range of %s", Place.shown(text), dtype);
  }

  private static @Nullable String storeReal(
      String text, DType dtype, DenseColumn column, int row, int element) {
    if (NAMED.matcher(text).matches()) {
      column.putDouble(row, element, named(text));
      return null;
    }
    if (!REAL.matcher(text).matches()) {
      return Message.of("`%s` is not a number", Place.shown(text));
    }
    double value = dtype == DType.FLOAT32 ? Float.parseFloat(text) : Double.parseDouble(text);
    if (Double.isInfinite(value) || !column.field().holds(value)) {
      return Message.of("`%s` is out of the range of %s", Place.shown(text), dtype);
    }
    column.putDouble(row, element, value);
    return null;
  }

  private static double named(String text) {
    boolean minus = text.charAt(0) == '-';
    boolean nan = Character.toLowerCase(text.charAt(text.length() - 1)) == 'n';
    double value = nan ? Double.NaN : Double.POSITIVE_INFINITY;
    return minus ? -value : value;
  }
}
