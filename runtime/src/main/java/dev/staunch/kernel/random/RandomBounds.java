package dev.staunch.kernel.random;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.scalar.NumberText;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** Checks the parameters and dtypes of distributions, with libtorch's messages. */
final class RandomBounds {
  private RandomBounds() {}

  static @Nullable Fault floating(String kernel, DType dtype) {
    if (dtype.kind() == DType.Kind.COMPLEX) {
      return complex(dtype);
    }
    return dtype.isFloating() ? null : Pointwise.refusal(kernel, dtype);
  }

  static Fault complex(DType dtype) {
    return Fault.unsupported("there are no random numbers of " + dtype)
        .withExpected(ExpectedDType.FLOATING, dtype);
  }

  static @Nullable Fault normal(DType dtype, double std) {
    if (!(std >= 0)) {
      return Fault.value("`std` of normal must not be negative, but it is " + NumberText.brief(std))
          .withExpected("std >= 0", NumberText.brief(std));
    }
    return floating("normal", dtype);
  }

  static @Nullable Fault uniform(DType dtype, double from, double to) {
    Fault fault = floating("uniform", dtype);
    if (fault != null) {
      return fault;
    }
    double max = OperandChecks.greatest(dtype);
    if (!(Math.abs(from) <= max) || !(Math.abs(to) <= max)) {
      return outside(Math.abs(from) <= max ? "to" : "from", dtype);
    }
    if (from > to) {
      String text = "`from` of uniform_ must not exceed `to`, but they are %s and %s";
      return Fault.value(Message.of(text, NumberText.brief(from), NumberText.brief(to)))
          .withExpected("from <= to", NumberText.brief(from) + " > " + NumberText.brief(to));
    }
    String text = "the way from %s to %s is longer than the largest %s; take nearer bounds";
    return to - from <= max
        ? null
        : Fault.value(Message.of(text, NumberText.brief(from), NumberText.brief(to), dtype));
  }

  static @Nullable Fault probability(String name, double p) {
    return p >= 0 && p <= 1
        ? null
        : Fault.value("`p` of " + name + " must be from 0 to 1, but it is " + NumberText.brief(p))
            .withExpected("a probability from 0 to 1", NumberText.brief(p));
  }

  /** A fault unless all integers from {@code from} to {@code last}, inclusive, fit the dtype. */
  static @Nullable Fault integers(DType dtype, long from, long last) {
    if (dtype.kind() == DType.Kind.COMPLEX) {
      return Fault.dtype("there are no random integers of " + dtype);
    }
    if (!holds(dtype, from)) {
      return outside("from", dtype);
    }
    return holds(dtype, last) ? null : outside("to - 1", dtype);
  }

  /** A fault unless {@code from < to}. */
  static @Nullable Fault rising(long from, long to) {
    String text =
        "the low bound of random integers must be below the high one, but they are %d and %d";
    return from < to
        ? null
        : Fault.value(Message.of(text, from, to)).withExpected("from < to", from + " >= " + to);
  }

  private static boolean holds(DType dtype, long value) {
    return switch (dtype) {
      case BOOL -> value == 0 || value == 1;
      case UINT8 -> value >= 0 && value <= 255;
      case INT8 -> value == (byte) value;
      case INT16 -> value == (short) value;
      case INT32 -> value == (int) value;
      default -> !dtype.isFloating() || Math.abs((double) value) <= OperandChecks.greatest(dtype);
    };
  }

  /** The greatest integer that {@code random_} draws without bounds. */
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

  private static Fault outside(String bound, DType dtype) {
    return Fault.value("`" + bound + "` does not fit " + dtype)
        .withExpected("a bound that " + dtype + " holds", bound);
  }
}
