package dev.staunch.kernel.primitive;

import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/**
 * An operand that is the same at every call, and so can be packed once. The model owns the packed
 * form: its bytes count on the model's account and are freed with the model.
 */
public interface Constant {
  /** Its elements, which do not change as long as this {@link #isCurrent}. */
  DenseTensor tensor();

  /**
   * False once the elements were, or may have been, written; from then on it is no longer a
   * constant.
   */
  boolean isCurrent();

  /**
   * The elements in another form. The first request packs them; later requests with an equal {@code
   * format}, on any thread, get the same tensor.
   *
   * @param format identifies the form; it belongs to one kernel set, so its class should be the
   *     set's own
   * @return null if there is no memory for it
   */
  @Nullable DenseTensor packed(Object format, Packing packing);

  /** Whether a primitive prepared for {@code constant}, or for null, may run on {@code operand}. */
  static boolean isValidFor(@Nullable Constant constant, DenseTensor operand) {
    return constant == null || (constant.isCurrent() && operand.is(constant.tensor()));
  }

  /** Makes the packed form of a constant. */
  @FunctionalInterface
  interface Packing {
    /** A new tensor in {@code scope}, or a fault. */
    Object pack(DenseTensor constant, ResourceScope scope);
  }
}
