package dev.staunch.kernel;

import dev.staunch.kernel.primitive.Constant;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel of one step has made ready for the next call: prepared primitives, for operands
 * of the form that it met last. Shared by all threads that run the step; what is kept is immutable,
 * and whoever finds something else than wanted prepares anew.
 */
public final class Preparation {
  private static final Object[] NOTHING = {};

  private final Function<DenseTensor, @Nullable Constant> constants;
  private volatile @Nullable Object[] kept = NOTHING;

  /**
   * @param constants gives the constant that a tensor is, or null if it is none
   */
  public Preparation(Function<DenseTensor, @Nullable Constant> constants) {
    this.constants = constants;
  }

  /** What was kept last under this number, or null. */
  public @Nullable Object at(int slot) {
    @Nullable Object[] known = kept;
    return slot < known.length ? known[slot] : null;
  }

  /**
   * Keeps something immutable for the next call.
   *
   * @param slot a small number; each primitive of the kernel has one of its own
   */
  public synchronized void keep(int slot, Object prepared) {
    @Nullable Object[] copy = Arrays.copyOf(kept, Math.max(kept.length, slot + 1));
    copy[slot] = prepared;
    kept = copy;
  }

  /** The constant that {@code tensor} is, or null if it may be another at the next call. */
  public @Nullable Constant constant(DenseTensor tensor) {
    return constants.apply(tensor);
  }
}
