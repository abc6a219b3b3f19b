package dev.staunch.kernel;

import dev.staunch.kernel.primitive.Constant;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel of one step has made ready for the next call: prepared primitives, for operands
 * of the forms that it met last, of which there are several if the step is part of a function that
 * many modules share. Shared by all threads that run the step; what is kept is immutable, and
 * whoever does not find what is wanted prepares anew.
 */
public final class Preparation {
  /** As many forms are kept in a slot; then the oldest goes. */
  private static final int MOST = 16;

  private static final Object[] NOTHING = {};

  private final Function<DenseTensor, @Nullable Constant> constants;
  private volatile Object[][] kept = {};

  /**
   * @param constants gives the constant that a tensor is, or null if it is none
   */
  public Preparation(Function<DenseTensor, @Nullable Constant> constants) {
    this.constants = constants;
  }

  /**
   * The primitive for {@code request}: the one that the call's step has kept, if it was prepared
   * for an equal request; else what {@code prepare} makes, which is kept.
   */
  @SuppressWarnings("unchecked") // who keeps something in a slot is who finds it there
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

  /** What is kept under this number; not to be changed. */
  public Object[] at(int slot) {
    Object[][] known = kept;
    return slot < known.length ? known[slot] : NOTHING;
  }

  /**
   * Keeps something immutable for the next calls.
   *
   * @param slot a small number; each primitive of the kernel has one of its own
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

  /** The constant that {@code tensor} is, or null if it may be another at the next call. */
  public @Nullable Constant constant(DenseTensor tensor) {
    return constants.apply(tensor);
  }
}
