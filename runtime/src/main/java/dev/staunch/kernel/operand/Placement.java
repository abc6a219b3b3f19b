package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.operation.Operands;
import org.jspecify.annotations.Nullable;

/**
 * The placement that a program requests for a tensor: a supported layout, on the CPU, in unpinned
 * memory.
 */
public final class Placement {
  private static final long STRIDED = 0;
  private static final long SPARSE = 1;

  private Placement() {}

  /**
   * The fault for a requested placement that is not supported; else null.
   *
   * @param layoutAt the index of the layout argument; device and pin_memory follow it
   */
  public static @Nullable Fault fault(Operands operands, int layoutAt) {
    return isOther(operands, layoutAt, STRIDED)
        ? Fault.unsupported("there is no layout but the strided one; give `layout` as None")
        : elsewhere(operands, layoutAt);
  }

  /** As {@link #fault}, for a tensor in coordinate format. */
  public static @Nullable Fault ofSparse(Operands operands, int layoutAt) {
    Fault fault = sparse(operands, layoutAt);
    return fault == null ? elsewhere(operands, layoutAt) : fault;
  }

  /** The fault for a sparse layout other than the coordinate format; else null. */
  public static @Nullable Fault sparse(Operands operands, int layoutAt) {
    return isOther(operands, layoutAt, SPARSE)
        ? Fault.unsupported("there is no sparse layout but torch.sparse_coo; give `layout` as None")
        : null;
  }

  private static boolean isOther(Operands operands, int layoutAt, long layout) {
    return !operands.isNone(layoutAt) && operands.integer(layoutAt) != layout;
  }

  private static @Nullable Fault elsewhere(Operands operands, int layoutAt) {
    if (!operands.isNone(layoutAt + 2) && operands.bool(layoutAt + 2)) {
      return Fault.unsupported("there is no memory to pin; give `pin_memory` as False");
    }
    return device(operands, layoutAt + 1);
  }

  /** The fault for a device other than the CPU; else null. */
  public static @Nullable Fault device(Operands operands, int i) {
    if (operands.isNone(i) || operands.string(i).startsWith("cpu")) {
      return null;
    }
    return Fault.unsupported(
            "there is no device '" + operands.string(i) + "'; give `device` as cpu")
        .withExpected("cpu", operands.string(i));
  }
}
