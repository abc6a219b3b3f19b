package dev.staunch.execute;

import dev.staunch.fault.SourceLocation;
import org.jspecify.annotations.Nullable;

/**
 * What became of an operation when its function was made ready.
 *
 * @param name the qualified name
 * @param source the line that asked for it, if known
 * @param channelsLast whether its result lies with its channels last where the kernels like that
 *     better, as nobody can see it
 */
public record PlannedOperation(
    String name, @Nullable SourceLocation source, Making making, boolean channelsLast) {

  /** When an operation is computed. */
  public enum Making {
    /** In each request that comes to it. */
    EACH_TIME,

    /** In the first one: it hangs on nothing but the module's tensors. */
    ONCE,

    /**
     * Never by itself: it is folded into the weight of the operation before it, for operands whose
     * channels lie so that this can be.
     */
    FOLDED,

    /**
     * In each request that comes to it, part after part together with the pointwise operations
     * beside it, for rows of one shape.
     */
    JOINED,

    /**
     * In each request that comes to it, block after block by the kernel of the operation before it,
     * if what it combines lies as the result of that one does.
     */
    FINISHED,

    /** For all iterations of the loop in which it stands at once, before the first. */
    AHEAD
  }
}
