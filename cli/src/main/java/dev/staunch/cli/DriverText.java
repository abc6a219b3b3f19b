package dev.staunch.cli;

import dev.staunch.fault.Fault;
import dev.staunch.type.Type;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Formats results like the driver of TensorFlow Runtime: numbers as in C. */
final class DriverText {
  private static final MathContext SEVEN_DIGITS = new MathContext(7, RoundingMode.HALF_EVEN);

  private DriverText() {}

  /**
   * @param codes whether to print a fault's code after its message
   */
  static String result(Object value, Type type, boolean codes) {
    return switch (value) {
      case Fault fault ->
          "<<error: " + fault.message() + (codes ? ", code: " + code(fault) : "") + ">>";
      case Boolean flag -> flag ? "1" : "0";
      case Integer number -> number.toString();
      case Long number -> number.toString();
      case Float number -> real(number);
      case Double number -> real(number);
      default -> type + " value";
    };
  }

  /** The driver's name for the status of a fault. */
  private static String code(Fault fault) {
    return switch (fault.type()) {
      case SHAPE, DTYPE, VALUE, REQUEST -> "INVALID_ARGUMENT";
      case INDEX -> "OUT_OF_RANGE";
      case CLOSED -> "FAILED_PRECONDITION";
      case DATA_FORMAT -> "DATA_LOSS";
      case UNKNOWN_OPERATION, UNSUPPORTED -> "UNIMPLEMENTED";
      case OUT_OF_MEMORY, OVERLOADED -> "RESOURCE_EXHAUSTED";
      case DEADLINE_EXCEEDED -> "DEADLINE_EXCEEDED";
      case CANCELLED -> "CANCELLED";
      case SCRIPT_RAISED, INTERNAL -> "INTERNAL";
    };
  }

  /** C's {@code %e}. */
  private static String real(double value) {
    if (Double.isNaN(value)) {
      return Double.doubleToRawLongBits(value) < 0 ? "-nan" : "nan";
    }
    if (Double.isInfinite(value)) {
      return value < 0 ? "-inf" : "inf";
    }
    if (value == 0) {
      return 1 / value < 0 ? "-0.000000e+00" : "0.000000e+00";
    }
    return String.format(Locale.ROOT, "%e", new BigDecimal(value).round(SEVEN_DIGITS));
  }
}
