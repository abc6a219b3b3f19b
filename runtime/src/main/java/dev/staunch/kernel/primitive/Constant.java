package dev.staunch.kernel.primitive;

import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/**
 * An operand that is the same at every call, and so may be packed once. What is packed belongs to
 * the model: its bytes are on the model's account and go with it.
 */
public interface Constant {
  /** Its elements, which do not change as long as this {@link #isCurrent}. */
  DenseTensor tensor();

  /** False once the elements were, or may have been, written: then it is no constant any more. */
  boolean isCurrent();

  /**
   * The elements in another form: packed at the first request, afterwards the same for all who ask
   * with an equal {@code format}, on any thread.
   *
   * @param format names the form; for one kernel set, so its class should be the set's own
   * @return null if there is no memory for it
   */
  @Nullable DenseTensor packed(Object format, Packing packing);

  /** Whether what was prepared for {@code constant}, or for none, may be run on {@code operand}. */
  static boolean isStill(@Nullable Constant constant, DenseTensor operand) {
    return constant == null || (constant.isCurrent() && operand.is(constant.tensor()));
  }

  /** Makes the packed form of a constant. */
  @FunctionalInterface
  interface Packing {
    /** A new tensor in {@code scope}, or a fault. */
    Object pack(DenseTensor constant, ResourceScope scope);
  }
}
