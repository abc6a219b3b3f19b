package dev.staunch.kernel.create;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** What operations share that make tensors from nothing but numbers. */
public final class NewTensors {
  /** The trailing parameters in the schema of each operation that makes a tensor. */
  public static final String TAIL =
      "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?"
          + " pin_memory=None) -> Tensor";

  private NewTensors() {}

  /** The dtype of a tensor made from a Python number. */
  static DType ofScalar(Object scalar) {
    return switch (scalar) {
      case Boolean flag -> DType.BOOL;
      case Long integer -> DType.INT64;
      case Double real -> DType.FLOAT32;
      default -> DType.COMPLEX64;
    };
  }

  /** The fault for a series of complex numbers, or with complex bounds; else null. */
  static @Nullable Fault complex(String operation, DType dtype, Object... bounds) {
    Fault fault = Promotion.unsupported(operation, dtype);
    for (Object bound : bounds) {
      boolean complex = fault == null && Scalars.isComplex(bound);
      fault = complex ? Promotion.unsupported(operation, DType.COMPLEX64) : fault;
    }
    return fault;
  }

  /** The fault for an impossible size; for operations that make ranges. */
  public static Fault tooLong(Object count) {
    return Fault.of(
        FaultType.OUT_OF_MEMORY, "a range of " + count + " elements does not fit the memory");
  }
}
