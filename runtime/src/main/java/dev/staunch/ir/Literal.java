package dev.staunch.ir;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Numbers as MLIR writes them, strictly: what is out of range or has anything behind it is none.
 */
final class Literal {
  private static final Pattern REAL = Pattern.compile("-?[0-9]+(\\.[0-9]*([eE][-+]?[0-9]+)?)?");
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");

  private Literal() {}

  /** Whether there are constants of {@code type}. */
  static boolean isOf(String type) {
    return switch (type) {
      case "i1", "i32", "i64", "f32", "f64" -> true;
      default -> false;
    };
  }

  /** The type of a number that stands alone. */
  static String typeOf(String text) {
    if (text.equals("true") || text.equals("false")) {
      return "i1";
    }
    return INTEGER.matcher(text).matches() ? "i64" : "f64";
  }

  /** The run-time value of {@code text}, or null if it is no number of {@code type}. */
  static @Nullable Object read(String type, String text) {
    if (type.equals("i1")) {
      return switch (text) {
        case "1", "true" -> true;
        case "0", "false" -> false;
        default -> null;
      };
    }
    boolean real = type.startsWith("f");
    if (!(real ? REAL : INTEGER).matcher(text).matches()) {
      return null;
    }
    try {
      return switch (type) {
        case "i32" -> Integer.valueOf(text);
        case "i64" -> Long.valueOf(text);
        case "f32" -> Float.isInfinite(Float.parseFloat(text)) ? null : Float.valueOf(text);
        default -> Double.isInfinite(Double.parseDouble(text)) ? null : Double.valueOf(text);
      };
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
