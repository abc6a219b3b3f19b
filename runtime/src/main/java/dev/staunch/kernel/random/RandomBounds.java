package dev.staunch.kernel.random;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.scalar.NumberText;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** What distributions demand of their parameters and dtypes, in libtorch's words. */
final class RandomBounds {
  private RandomBounds() {}

  static @Nullable Fault floating(String kernel, DType dtype) {
    if (dtype.kind() == DType.Kind.COMPLEX) {
      return Fault.unsupported("random complex numbers are not implemented");
    }
    return dtype.isFloating() ? null : Pointwise.refusal(kernel, dtype);
  }

  static @Nullable Fault normal(DType dtype, double std) {
    if (!(std >= 0)) {
      return Fault.value("normal expects std >= 0.0, but found std " + NumberText.brief(std))
          .withExpected("std >= 0", NumberText.brief(std));
    }
    return floating("normal", dtype);
  }

  static @Nullable Fault uniform(DType dtype, double from, double to) {
    Fault fault = floating("uniform", dtype);
    if (fault != null) {
      return fault;
    }
    double max = max(dtype);
    if (!(Math.abs(from) <= max) || !(Math.abs(to) <= max)) {
      return outside(Math.abs(from) <= max ? "to" : "from", dtype);
    }
    if (from > to) {
      String text = "uniform_ expects to return a [from, to) range, but found from=%s > to=%s";
      return Fault.value(text.formatted(NumberText.brief(from), NumberText.brief(to)))
          .withExpected("from <= to", NumberText.brief(from) + " > " + NumberText.brief(to));
    }
    String text =
        "uniform_ expects to-from <= std::numeric_limits<%s>::max(), but found to=%s and from=%s"
            + " which result in to-from to exceed the limit";
    return to - from <= max
        ? null
        : Fault.value(text.formatted(dtype, NumberText.brief(to), NumberText.brief(from)));
  }

  static @Nullable Fault probability(String name, double p) {
    return p >= 0 && p <= 1
        ? null
        : Fault.value(name + " expects p to be in [0, 1], but got p=" + NumberText.brief(p))
            .withExpected("a probability from 0 to 1", NumberText.brief(p));
  }

  /** The fault unless integers from {@code from} to {@code last}, both included, fit the dtype. */
  static @Nullable Fault integers(DType dtype, long from, long last) {
    if (dtype.kind() == DType.Kind.COMPLEX) {
      return Fault.dtype(
          "check_random_bounds handles only integral, floating-point and boolean types");
    }
    if (!holds(dtype, from)) {
      return outside("from", dtype);
    }
    return holds(dtype, last) ? null : outside("to - 1", dtype);
  }

  /** The fault unless {@code from < to}. */
  static @Nullable Fault rising(long from, long to) {
    String text = "random_ expects 'from' to be less than 'to', but got from=%d >= to=%d";
    return from < to
        ? null
        : Fault.value(text.formatted(from, to)).withExpected("from < to", from + " >= " + to);
  }

  private static boolean holds(DType dtype, long value) {
    return switch (dtype) {
      case BOOL -> value == 0 || value == 1;
      case UINT8 -> value >= 0 && value <= 255;
      case INT8 -> value == (byte) value;
      case INT16 -> value == (short) value;
      case INT32 -> value == (int) value;
      default -> !dtype.isFloating() || Math.abs((double) value) <= max(dtype);
    };
  }

  /** The greatest integer that {@code random_} gives without bounds. */
  static long greatest(DType dtype) {
    return switch (dtype) {
      case BOOL -> 1;
      case UINT8 -> 255;
      case INT8 -> Byte.MAX_VALUE;
      case INT16 -> Short.MAX_VALUE;
      case INT32 -> Integer.MAX_VALUE;
      case INT64 -> Long.MAX_VALUE;
      default -> 1L << Draw.digits(dtype);
    };
  }

  private static double max(DType dtype) {
    return switch (dtype) {
      case FLOAT16 -> 65504;
      case BFLOAT16 -> Float.intBitsToFloat(0x7f7f0000);
      case FLOAT32 -> Float.MAX_VALUE;
      default -> Double.MAX_VALUE;
    };
  }

  private static Fault outside(String bound, DType dtype) {
    return Fault.value(bound + " is out of bounds for " + nativeName(dtype))
        .withExpected("a bound that " + dtype + " holds", bound);
  }

  private static String nativeName(DType dtype) {
    return switch (dtype) {
      case BOOL -> "bool";
      case UINT8 -> "unsigned char";
      case INT8 -> "signed char";
      case INT16 -> "short";
      case INT32 -> "int";
      case INT64 -> "long";
      case FLOAT16 -> "c10::Half";
      case BFLOAT16 -> "c10::BFloat16";
      case FLOAT32 -> "float";
      default -> "double";
    };
  }
}
