package dev.staunch.tensor;

import dev.staunch.type.DType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;

/**
 * Prints reals of one dtype with aligned decimal points, as NumPy does: the shortest digits that
 * identify the number, those before the point exact, at most eight after the point. Exponents are
 * used if a magnitude is 1e8 or more, or below 1e-4, or if magnitudes differ by a factor of more
 * than 1000.
 */
final class FloatColumn {
  private static final int PRECISION = 8;

  /** The parts of a number: sign and digits before the point, those after it, and the exponent. */
  private record Parts(String whole, String fraction, String exponent) {}

  private final DType dtype;
  private final boolean plus;
  private final boolean scientific;
  private final int left;
  private final int right;
  private final int exponentWidth;

  /** A column wide enough for {@code sample}; {@code plus} prints the sign of positive numbers. */
  FloatColumn(double[] sample, DType dtype, boolean plus) {
    this.dtype = dtype;
    this.plus = plus;
    double[] finite = Arrays.stream(sample).filter(Double::isFinite).toArray();
    this.scientific = wantsExponents(finite);
    Parts[] parts = Arrays.stream(finite).mapToObj(value -> parts(value, 0)).toArray(Parts[]::new);
    int whole = Arrays.stream(parts).mapToInt(part -> part.whole().length()).max().orElse(0);
    this.right = Arrays.stream(parts).mapToInt(part -> part.fraction().length()).max().orElse(0);
    this.exponentWidth =
        Arrays.stream(parts).mapToInt(part -> part.exponent().length()).max().orElse(0);
    this.left = Math.max(whole, special(sample));
  }

  /** The width that NaN and infinities need before the point. */
  private int special(double[] sample) {
    int tail = right + exponentPart() + 1;
    int widest = 0;
    boolean negative =
        plus || Arrays.stream(sample).anyMatch(value -> value == Double.NEGATIVE_INFINITY);
    for (double value : sample) {
      if (!Double.isFinite(value)) {
        widest = Math.max(widest, 3 + (negative ? 1 : 0) - tail);
      }
    }
    return widest;
  }

  private int exponentPart() {
    return scientific ? exponentWidth + 1 : 0;
  }

  private boolean wantsExponents(double[] finite) {
    double[] magnitudes = Arrays.stream(finite).map(Math::abs).filter(x -> x != 0).toArray();
    if (magnitudes.length == 0) {
      return false;
    }
    double max = Arrays.stream(magnitudes).max().orElse(1);
    double min = Arrays.stream(magnitudes).min().orElse(1);
    double ratio = dtype == DType.FLOAT64 ? max / min : (float) max / (float) min;
    return max >= 1e8 || min < 1e-4 || ratio > 1000;
  }

  String format(double value) {
    int width = left + 1 + right + exponentPart();
    if (!Double.isFinite(value)) {
      String sign = value < 0 ? "-" : plus ? "+" : "";
      return pad(sign + (Double.isNaN(value) ? "nan" : "inf"), width);
    }
    Parts parts = parts(value, right);
    String whole = pad(parts.whole(), left) + ".";
    if (scientific) {
      char sign = parts.exponent().charAt(0);
      String digits = parts.exponent().substring(1);
      String zeros = "0".repeat(exponentWidth - parts.exponent().length());
      String fraction = parts.fraction() + "0".repeat(right - parts.fraction().length());
      return whole + fraction + "e" + sign + zeros + digits;
    }
    return whole + parts.fraction() + " ".repeat(Math.max(0, right - parts.fraction().length()));
  }

  private static String pad(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }

  /** With at least {@code fraction} digits after the point if there are exponents. */
  private Parts parts(double value, int fraction) {
    boolean negative = value < 0 || (value == 0 && 1 / value < 0);
    String sign = negative ? "-" : plus ? "+" : "";
    BigDecimal magnitude = ShortestDecimal.of(Math.abs(value), dtype);
    return scientific
        ? scientific(sign, magnitude, Math.abs(value), fraction)
        : positional(sign, magnitude, Math.abs(value));
  }

  /** Digits before the point are exact, even if fewer would identify the number. */
  private static Parts positional(String sign, BigDecimal shortest, double exact) {
    BigDecimal cut = shortest.scale() > 0 ? shortest : new BigDecimal(exact);
    if (cut.scale() > PRECISION) {
      cut = new BigDecimal(exact).setScale(PRECISION, RoundingMode.HALF_EVEN).stripTrailingZeros();
    }
    String text = cut.toPlainString();
    int point = text.indexOf('.');
    return point < 0
        ? new Parts(sign + text, "", "")
        : new Parts(sign + text.substring(0, point), text.substring(point + 1), "");
  }

  private static Parts scientific(String sign, BigDecimal shortest, double exact, int fraction) {
    BigDecimal cut = shortest;
    if (cut.precision() > PRECISION + 1) {
      cut = round(exact, PRECISION + 1).stripTrailingZeros();
    }
    if (cut.precision() < fraction + 1 && exact != 0) {
      cut = round(exact, fraction + 1);
    }
    String digits = cut.unscaledValue().toString();
    int exponent = digits.length() - 1 - cut.scale();
    return new Parts(sign + digits.charAt(0), digits.substring(1), power(exponent));
  }

  /** A sign and at least two digits. */
  private static String power(int exponent) {
    int size = Math.abs(exponent);
    return (exponent < 0 ? "-" : "+") + (size < 10 ? "0" : "") + size;
  }

  private static BigDecimal round(double exact, int digits) {
    return new BigDecimal(exact).round(new MathContext(digits, RoundingMode.HALF_EVEN));
  }

  /** A number on its own, as NumPy prints scalars: {@code 3.0}, {@code 1e-05}, {@code inf}. */
  static String alone(double value, DType dtype) {
    if (!Double.isFinite(value)) {
      return Double.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
    }
    double magnitude = Math.abs(value);
    String sign = value < 0 || (value == 0 && 1 / value < 0) ? "-" : "";
    BigDecimal shortest = ShortestDecimal.of(magnitude, dtype);
    if (magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16)) {
      String text = shortest.toPlainString();
      return sign + text + (text.indexOf('.') < 0 ? ".0" : "");
    }
    String digits = shortest.unscaledValue().toString();
    int exponent = digits.length() - 1 - shortest.scale();
    String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
    return sign + digits.charAt(0) + fraction + "e" + power(exponent);
  }
}
