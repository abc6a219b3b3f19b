package dev.staunch.ir;

import dev.staunch.type.Type;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Numbers in MLIR's notation, parsed strictly: a number out of range or with trailing text is
 * rejected.
 */
final class Literal {
  private static final Pattern REAL = Pattern.compile("-?[0-9]+(\\.[0-9]*([eE][-+]?[0-9]+)?)?");
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");

  /** The bits of a real number, MLIR's notation for values without digits. */
  private static final Pattern BITS = Pattern.compile("0x[0-9a-fA-F]{1,16}");

  private Literal() {}

  /** Whether there are number constants of {@code type}. */
  static boolean isOf(String type) {
    return switch (type) {
      case "i1", "i32", "i64", "f32", "f64" -> true;
      default -> false;
    };
  }

  /** The type of a number without an explicit type. */
  static String typeOf(String text) {
    if (text.equals("true") || text.equals("false")) {
      return "i1";
    }
    return INTEGER.matcher(text).matches() ? "i64" : "f64";
  }

  /** The number in {@code text}, or null if it is not one of {@code type}. */
  static @Nullable Attribute read(Type type, String text) {
    return switch (type.toString()) {
      case "i1" ->
          switch (text) {
            case "1", "true" -> new Attribute.Bool(true);
            case "0", "false" -> new Attribute.Bool(false);
            default -> null;
          };
      case "i32", "i64", "int" -> integer(type, text);
      default -> real(type, text);
    };
  }

  private static @Nullable Attribute integer(Type type, String text) {
    if (!INTEGER.matcher(text).matches()) {
      return null;
    }
    try {
      long value = Long.parseLong(text);
      boolean fits = !type.toString().equals("i32") || (int) value == value;
      return fits ? new Attribute.Int(value, type) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Attribute real(Type type, String text) {
    boolean single = type.toString().equals("f32");
    if (BITS.matcher(text).matches()) {
      long bits = Long.parseUnsignedLong(text, 2, text.length(), 16);
      return new Attribute.Real(
          single ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits), type);
    }
    if (!REAL.matcher(text).matches()) {
      return null;
    }
    double value = single ? Float.parseFloat(text) : Double.parseDouble(text);
    return Double.isInfinite(value) ? null : new Attribute.Real(value, type);
  }

  /** {@code number} in the form that {@link #read} accepts. */
  static String write(Attribute.Real number) {
    double value = number.value();
    boolean single = number.type().toString().equals("f32");
    if (Double.isFinite(value)) {
      return single ? Float.toString((float) value) : Double.toString(value);
    }
    return single
        ? "0x" + Integer.toHexString(Float.floatToRawIntBits((float) value))
        : "0x" + Long.toHexString(Double.doubleToRawLongBits(value));
  }
}
