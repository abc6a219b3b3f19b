package dev.staunch.kernel;

import dev.staunch.kernel.primitive.Constant;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel of one step has prepared for its next call: prepared primitives, for the operand
 * forms that it met most recently. There are several forms if the step belongs to a function that
 * many modules share. All threads that run the step share it. Kept objects are immutable; a thread
 * that does not find what it needs prepares it again.
 */
public final class Preparation {
  /** The number of forms that a slot keeps; beyond that, the oldest is dropped. */
  private static final int MOST = 16;

  private static final Object[] NOTHING = {};

  private final Function<DenseTensor, @Nullable Constant> constants;
  private volatile Object[][] kept = {};

  /**
   * @param constants returns the constant that a tensor is, or null if it is none
   */
  public Preparation(Function<DenseTensor, @Nullable Constant> constants) {
    this.constants = constants;
  }

  /**
   * The primitive for {@code request}: the one that the call's step has kept for an equal request,
   * else what {@code prepare} makes, which is then kept.
   */
  @SuppressWarnings("unchecked") // only the kernel that keeps something in a slot reads that slot
  public static <R, P> P of(
      @Nullable Preparation known, int slot, R request, Function<R, P> prepare) {
    if (known != null) {
      for (Object each : known.at(slot)) {
        if (each instanceof Prepared found && found.request().equals(request)) {
          return (P) found.primitive();
        }
      }
    }
    P fresh = prepare.apply(request);
    if (known != null) {
      known.keep(slot, new Prepared(request, fresh));
    }
    return fresh;
  }

  private record Prepared(Object request, Object primitive) {}

  /** What is kept in this slot; callers must not change it. */
  public Object[] at(int slot) {
    Object[][] known = kept;
    return slot < known.length ? known[slot] : NOTHING;
  }

  /**
   * Keeps an immutable object for later calls.
   *
   * @param slot a small number; each primitive of the kernel has its own
   */
  public synchronized void keep(int slot, Object prepared) {
    Object[][] copy = Arrays.copyOf(kept, Math.max(kept.length, slot + 1));
    for (int i = kept.length; i < copy.length; i++) {
      copy[i] = NOTHING;
    }
    Object[] old = copy[slot];
    int first = old.length < MOST ? 0 : 1;
    Object[] more = Arrays.copyOfRange(old, first, old.length + 1);
    more[more.length - 1] = prepared;
    copy[slot] = more;
    kept = copy;
  }

  /** The constant that {@code tensor} is; null if it may be another tensor at the next call. */
  public @Nullable Constant constant(DenseTensor tensor) {
    return constants.apply(tensor);
  }
}
