package dev.staunch.peers;

import dev.staunch.eager.Tensor;

/** The same tensor here and in libtorch. */
record Twin(Tensor ours, org.bytedeco.pytorch.Tensor theirs) {
  /** As a {@link TwinSpec}: the dtype and the shape come first. */
  @Override
  public String toString() {
    return ours.dtype() + TwinSpec.describe(ours.value().layout()) + " " + ours;
  }
}
