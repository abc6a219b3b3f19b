package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** What operations demand of their operands. */
public final class OperandChecks {
  private OperandChecks() {}

  /**
   * The fault unless the kernel computes with this dtype: float32 and float64. Integers and bools
   * libtorch refuses, too, so whoever gave them is to blame, and not the runtime; where it takes
   * integers, see {@link #implemented}. An input that must have the dtype of weights is {@linkplain
   * #sameDType compared} with them before: that says which dtype to send.
   */
  public static @Nullable Fault floating(String operation, DType dtype) {
    return dtype.kind() == DType.Kind.INTEGRAL || dtype.kind() == DType.Kind.BOOL
        ? Fault.dtype(Message.of("%s is not implemented for %s", operation, dtype))
            .withExpected("float32 or float64", dtype.toString())
        : implemented(operation, dtype);
  }

  /** As {@link #floating}, of what libtorch computes with integers, too: nobody's mistake. */
  public static @Nullable Fault implemented(String operation, DType dtype) {
    return dtype == DType.FLOAT32 || dtype == DType.FLOAT64
        ? null
        : Fault.unsupported(Message.of("%s is not implemented for %s", operation, dtype))
            .withExpected("float32 or float64", dtype.toString());
  }

  /** The fault unless the parameter, if it is there, has the input's dtype. */
  public static @Nullable Fault sameDType(
      String operation, DType input, String name, @Nullable DType parameter) {
    if (parameter == null || parameter == input) {
      return null;
    }
    String text = "the input and `%s` of %s must have one dtype, but are %s and %s";
    return Fault.dtype(Message.of(text, name, operation, input, parameter))
        .withExpected("the same dtype " + parameter, input.toString());
  }

  /**
   * The fault of a number that no element of an integer {@code dtype} can be; an int below 0 wraps
   * in an unsigned one, as in C. Null for all other dtypes, and for what is no real number.
   */
  public static @Nullable Fault fits(Object number, DType dtype) {
    if (dtype.kind() != DType.Kind.INTEGRAL) {
      return null;
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

  /** A shape fault that says what was expected. */
  public static Fault shape(String message, String expected, Shape actual) {
    return Fault.shape(message).withExpected(expected, actual.toString());
  }

  /** The fault unless a parameter, if it is there, has the expected number of elements. */
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

  /** The fault unless each element of a tensor that is to be written has a place of its own. */
  public static @Nullable Fault writable(DenseTensor self) {
    return writable(self.layout());
  }

  /** As {@link #writable(DenseTensor)}, of one that lies so. */
  public static @Nullable Fault writable(Layout self) {
    Shape shape = self.shape();
    for (int i = 0; i < shape.rank() && shape.elements() > 0; i++) {
      if (self.stride(i) == 0 && shape.size(i) > 1) {
        return Fault.value(
            "an expanded tensor cannot be written, because several of its elements are one place"
                + " in memory; `copy()` it before");
      }
    }
    return null;
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
