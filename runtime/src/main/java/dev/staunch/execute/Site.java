package dev.staunch.execute;

import dev.staunch.fault.SourceLocation;
import org.jspecify.annotations.Nullable;

/**
 * Where a step stands in the text of its function.
 *
 * @param number its place among the steps of the function: a step comes before those of its blocks
 * @param region the innermost branch or loop around it, or null
 */
record Site(int number, @Nullable SourceLocation source, @Nullable Region region) {

  /**
   * A block of a step at {@code owner}.
   *
   * @param label what its owner does here, for people
   * @param trip the register that tells in which iteration of a loop a frame is; negative if none
   */
  record Region(Site owner, String label, int trip) {
    boolean isLoop() {
      return trip >= 0;
    }
  }

  /** The line of the step, or of what is around it if its own is unknown. */
  @Nullable SourceLocation line() {
    return source == null && region != null ? region.owner.line() : source;
  }
}
