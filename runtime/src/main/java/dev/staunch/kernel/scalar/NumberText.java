package dev.staunch.kernel.scalar;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.ComplexNumber;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers as C++ streams write and read them. */
public final class NumberText {
  private static final Pattern INT = Pattern.compile("[ \t\n\u000b\f\r]*([+-]?\\d+)");
  private static final Pattern FLOAT =
      Pattern.compile(
          "[ \t\n\u000b\f\r]*([+-]?(?:\\d+\\.?\\d*(?:[eE][+-]?\\d+)?|\\.\\d+(?:[eE][+-]?\\d+)?"
              + "|infinity|inf|nan))",
          Pattern.CASE_INSENSITIVE);
  private static final int ROUND_TRIP_DIGITS = 17;

  private NumberText() {}

  static Object parseInt(String text) {
    Fault wrong = Fault.value("the text '" + text + "' is not an int");
    Matcher matcher = INT.matcher(text);
    if (!matcher.matches()) {
      return wrong;
    }
    try {
      return Long.valueOf(matcher.group(1));
    } catch (NumberFormatException e) {
      return wrong; // beyond 64 bits
    }
  }

  static Object parseFloat(String text) {
    Fault wrong = Fault.value("the text '" + text + "' is not a float");
    Matcher matcher = FLOAT.matcher(text);
    if (!matcher.matches()) {
      return wrong;
    }
    String word = matcher.group(1).toLowerCase(Locale.ROOT);
    double sign = word.startsWith("-") ? -1 : 1;
    if (word.endsWith("nan")) {
      return Double.NaN;
    }
    if (word.contains("inf")) {
      return sign * Double.POSITIVE_INFINITY;
    }
    double value = Double.parseDouble(word);
    return Double.isInfinite(value) ? wrong : (Object) value;
  }

  /** A float as TorchScript's {@code str} writes it: {@code 1.}, {@code 0.10000000000000001}. */
  public static String ofFloat(double value) {
    boolean whole = Double.isFinite(value) && value >= -0x1p63 && value < 0x1p63;
    return whole && value == Math.rint(value)
        ? (long) value + "."
        : general(value, ROUND_TRIP_DIGITS);
  }

  /** Both parts as {@link #ofFloat} writes them: {@code 1.+2.j}. */
  public static String ofComplex(ComplexNumber value) {
    String im = ofFloat(value.im());
    return ofFloat(value.re()) + (im.startsWith("-") ? "" : "+") + im + "j";
  }

  /** A number with at most six significant digits, as C++ streams print it. */
  public static String brief(double value) {
    return general(value, 6);
  }

  /** C's {@code %.Ng}. */
  public static String general(double value, int digits) {
    if (!Double.isFinite(value)) {
      return special(value);
    }
    if (value == 0) {
      return sign(value) + "0";
    }
    if (value == (long) value && Math.abs(value) < 10 && digits > 0) {
      return Long.toString((long) value); // a single digit, whatever the precision
    }
    BigDecimal rounded =
        new BigDecimal(Math.abs(value)).round(new MathContext(digits, RoundingMode.HALF_EVEN));
    int exponent = rounded.precision() - rounded.scale() - 1;
    BigDecimal shortest = rounded.stripTrailingZeros();
    return exponent < -4 || exponent >= digits
        ? sign(value) + shortest.movePointLeft(exponent).toPlainString() + exponent(exponent)
        : sign(value) + shortest.toPlainString();
  }

  /** C's {@code %.Nf}. */
  public static String fixed(double value, int decimals) {
    return Double.isFinite(value)
        ? sign(value)
            + new BigDecimal(Math.abs(value))
                .setScale(decimals, RoundingMode.HALF_EVEN)
                .toPlainString()
        : special(value);
  }

  /** C's {@code %.Ne}. */
  public static String scientific(double value, int decimals) {
    if (!Double.isFinite(value)) {
      return special(value);
    }
    BigDecimal exact = new BigDecimal(Math.abs(value));
    MathContext context = new MathContext(decimals + 1, RoundingMode.HALF_EVEN);
    BigDecimal rounded = value == 0 ? exact : exact.round(context);
    int exponent = value == 0 ? 0 : rounded.precision() - rounded.scale() - 1;
    BigDecimal mantissa =
        rounded.movePointLeft(exponent).setScale(decimals, RoundingMode.UNNECESSARY);
    return sign(value) + mantissa.toPlainString() + exponent(exponent);
  }

  private static String exponent(int exponent) {
    int size = Math.abs(exponent);
    return (exponent < 0 ? "e-" : "e+") + (size < 10 ? "0" : "") + size;
  }

  private static String sign(double value) {
    return Math.copySign(1, value) < 0 ? "-" : "";
  }

  private static String special(double value) {
    return Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
}
