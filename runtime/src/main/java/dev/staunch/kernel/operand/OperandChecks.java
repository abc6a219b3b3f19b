package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks that operations make of their operands. */
public final class OperandChecks {
  private OperandChecks() {}

  /**
   * A fault unless the dtype is one that the kernel computes with: float32 or float64. libtorch
   * refuses integers and bools too, so the fault blames the caller, not the runtime; where libtorch
   * accepts integers, use {@link #implemented}. Before this check, {@linkplain #sameDType compare}
   * an input that must have the dtype of weights with them: that fault says which dtype to pass.
   */
  public static @Nullable Fault floating(String operation, DType dtype) {
    return dtype.kind() == DType.Kind.INTEGRAL || dtype.kind() == DType.Kind.BOOL
        ? Fault.dtype(Message.of("%s is not implemented for %s", operation, dtype))
            .withExpected(ExpectedDType.of(DType.FLOAT32, DType.FLOAT64), dtype)
        : implemented(operation, dtype);
  }

  /**
   * As {@link #floating}, for operations that libtorch also computes with integers; the fault says
   * that the runtime does not support them.
   */
  public static @Nullable Fault implemented(String operation, DType dtype) {
    return dtype == DType.FLOAT32 || dtype == DType.FLOAT64
        ? null
        : Fault.unsupported(Message.of("%s is not implemented for %s", operation, dtype))
            .withExpected(ExpectedDType.of(DType.FLOAT32, DType.FLOAT64), dtype);
  }

  /** As {@link #implemented} for {@code integers}, and as {@link #floating} for other dtypes. */
  public static @Nullable Fault floatingBut(Set<DType> integers, String operation, DType dtype) {
    return integers.contains(dtype) ? implemented(operation, dtype) : floating(operation, dtype);
  }

  /** A fault unless the parameter, if present, has the input's dtype. */
  public static @Nullable Fault sameDType(
      String operation, DType input, String name, @Nullable DType parameter) {
    if (parameter == null || parameter == input) {
      return null;
    }
    String text = "the input and `%s` of %s must have one dtype, but are %s and %s";
    return Fault.dtype(Message.of(text, name, operation, input, parameter))
        .withExpected(ExpectedDType.same(parameter), input);
  }

  /**
   * A fault if no element of {@code dtype} can hold {@code number}: a finite number beyond the
   * greatest of a floating dtype, an integer beyond those of an integer dtype, where a negative int
   * wraps around in an unsigned dtype, as in C. Null for bools, and if {@code number} is not a
   * number.
   */
  public static @Nullable Fault fits(Object number, DType dtype) {
    if (number instanceof ComplexNumber parts) {
      Fault fault = fits(parts.re(), dtype);
      return fault == null ? fits(parts.im(), dtype) : fault;
    }
    if (dtype.kind() != DType.Kind.INTEGRAL) {
      return number instanceof Number real && dtype.kind() != DType.Kind.BOOL
          ? fitsReals(real, dtype.parts())
          : null;
    }
    boolean signed = dtype != DType.UINT8;
    long most = signed ? -1L >>> (Long.SIZE + 1 - Byte.SIZE * dtype.bytes()) : 0xff;
    long least = signed ? -most - 1 : 0;
    boolean fits =
        switch (number) {
          case Double real -> real >= least && real <= most && real != 0x1p63;
          case Long integer -> integer >= (signed ? least : -most) && integer <= most;
          default -> true;
        };
    String text = "the number %s does not fit %s; give one from %d to %d";
    return fits
        ? null
        : Fault.value(Message.of(text, number, dtype, least, most))
            .withExpected(Message.of("%d to %d", least, most), number.toString());
  }

  /** As {@link #fits}, of all numbers among the operands but the first {@code from} ones. */
  public static @Nullable Fault factorsFit(Operands operands, int from, DType dtype) {
    Fault fault = null;
    for (int i = from; i < operands.size() && fault == null; i++) {
      fault = fits(operands.value(i), dtype);
    }
    return fault;
  }

  private static @Nullable Fault fitsReals(Number number, DType dtype) {
    double greatest = greatest(dtype);
    double size = Math.abs(number.doubleValue());
    String text = "the number %s does not fit %s; give one from %s to %s, or an infinite one";
    return !(size > greatest) || Double.isInfinite(size)
        ? null
        : Fault.value(Message.of(text, number, dtype, -greatest, greatest))
            .withExpected(Message.of("%s to %s", -greatest, greatest), number.toString());
  }

  /** The greatest finite number of a floating dtype. */
  public static double greatest(DType dtype) {
    return switch (dtype) {
      case FLOAT16 -> 65504;
      case BFLOAT16 -> Float.intBitsToFloat(0x7f7f0000);
      case FLOAT32 -> Float.MAX_VALUE;
      default -> Double.MAX_VALUE;
    };
  }

  /** A shape fault that says what was expected. */
  public static Fault shape(String message, String expected, Shape actual) {
    return Fault.shape(message).withExpected(expected, actual.toString());
  }

  /** A fault unless the parameter, if present, has the expected number of elements. */
  public static @Nullable Fault elements(
      String name, long expected, @Nullable TensorForm parameter) {
    if (parameter == null || parameter.shape().elements() == expected) {
      return null;
    }
    return shape(
        Message.of(
            "`%s` must have %s, but has %d",
            name, Message.count(expected, "element"), parameter.shape().elements()),
        name + " [" + expected + "]",
        parameter.shape());
  }

  /** A fault if a tensor to be written is expanded: all elements of a dimension are one place. */
  public static @Nullable Fault writable(Layout self) {
    Shape shape = self.shape();
    for (int i = 0; i < shape.rank() && shape.elements() > 0; i++) {
      if (self.stride(i) == 0 && shape.size(i) > 1) {
        return overlapping();
      }
    }
    return null;
  }

  /** The fault of a tensor that cannot be written, because it may hold one place twice. */
  static Fault overlapping() {
    return Fault.value(
        "an expanded or overlapping tensor cannot be written, because several of its elements are"
            + " one place in memory; `copy()` it before");
  }

  /** The first of several checks that failed. */
  public static @Nullable Fault first(@Nullable Fault... faults) {
    for (Fault fault : faults) {
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }
}
