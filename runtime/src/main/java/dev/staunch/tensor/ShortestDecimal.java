package dev.staunch.tensor;

import dev.staunch.type.DType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** The shortest decimal that reads back as the same number of a floating dtype. */
final class ShortestDecimal {
  private ShortestDecimal() {}

  /** For a finite {@code value} that {@code dtype} holds; without trailing zeros. */
  static BigDecimal of(double value, DType dtype) {
    if (value == 0) {
      return BigDecimal.ZERO;
    }
    return switch (dtype) {
      case FLOAT64 -> leastDigits(new BigDecimal(Double.toString(value)), value, dtype);
      case FLOAT32 -> leastDigits(new BigDecimal(Float.toString((float) value)), value, dtype);
      default -> searched(value, dtype);
    };
  }

  /** Java prints two digits where the second brings the result closer; one may suffice. */
  private static BigDecimal leastDigits(BigDecimal printed, double value, DType dtype) {
    BigDecimal decimal = printed.stripTrailingZeros();
    if (decimal.precision() == 2) {
      BigDecimal single = new BigDecimal(value).round(new MathContext(1, RoundingMode.HALF_EVEN));
      return rounded(single, dtype) == value ? single.stripTrailingZeros() : decimal;
    }
    return decimal;
  }

  private static BigDecimal searched(double value, DType dtype) {
    BigDecimal exact = new BigDecimal(value);
    for (int digits = 1; digits < 6; digits++) {
      BigDecimal decimal = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      if (rounded(decimal, dtype) == value) {
        return decimal.stripTrailingZeros();
      }
    }
    return exact.stripTrailingZeros();
  }

  private static double rounded(BigDecimal decimal, DType dtype) {
    return dtype == DType.FLOAT64
        ? decimal.doubleValue()
        : Elements.rounded(dtype, decimal.floatValue());
  }
}
