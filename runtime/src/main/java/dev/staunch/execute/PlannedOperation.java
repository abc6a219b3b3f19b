package dev.staunch.execute;

import dev.staunch.fault.SourceLocation;
import org.jspecify.annotations.Nullable;

/**
 * What an operation became when its function was compiled.
 *
 * @param name the qualified name
 * @param source the line that asked for it, if known
 * @param channelsLast whether its result is in channels-last order where the kernels prefer that,
 *     because the program cannot see it
 */
public record PlannedOperation(
    String name, @Nullable SourceLocation source, Evaluation evaluation, boolean channelsLast) {

  /** When an operation is computed. */
  public enum Evaluation {
    /** In each request that reaches it. */
    EACH_TIME,

    /** In the first request: it depends on nothing but the module's tensors. */
    ONCE,

    /**
     * Never by itself: it is folded into the weight of the operation before it, for operands whose
     * channels are laid out so that this is possible.
     */
    FOLDED,

    /**
     * In each request that reaches it, part by part together with the adjacent pointwise
     * operations, for rows of one shape.
     */
    FUSED,

    /**
     * In each request that reaches it, block by block in the kernel of the operation before it, if
     * its operands are laid out like that operation's result.
     */
    EPILOGUE,

    /** Once for all iterations of the enclosing loop, before the first. */
    HOISTED
  }
}
