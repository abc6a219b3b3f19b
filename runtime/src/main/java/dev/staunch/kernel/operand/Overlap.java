package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/** Refuses to write where one write would change what another element reads. */
public final class Overlap {
  private Overlap() {}

  /** The fault of writing a tensor whose elements share memory, or null. */
  public static @Nullable Fault within(DenseTensor self) {
    for (int i = 0; i < self.rank(); i++) {
      if (self.layout().stride(i) == 0 && self.shape().size(i) > 1) {
        return Fault.value(
            "unsupported operation: more than one element of the written-to tensor refers to a"
                + " single memory location. Please clone() the tensor before performing the"
                + " operation.");
      }
    }
    return null;
  }

  /** The fault of writing {@code self} while reading a tensor that covers part of it, or null. */
  public static @Nullable Fault between(DenseTensor self, Object operand) {
    if (!(operand instanceof DenseTensor other)
        || other.storage() != self.storage()
        || !self.isContiguous()
        || !other.isContiguous()) {
      return null;
    }
    Layout a = self.layout();
    Layout b = other.layout();
    boolean apart = a.extent() <= b.offset() || b.extent() <= a.offset();
    boolean same = a.offset() == b.offset() && a.extent() == b.extent();
    if (apart || same || self.elements() == 0 || other.elements() == 0) {
      return null;
    }
    return Fault.value(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer"
            + " to a single memory location. Please clone() the tensor before performing the"
            + " operation.");
  }
}
