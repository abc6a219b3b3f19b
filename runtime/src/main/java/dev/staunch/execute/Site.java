package dev.staunch.execute;

import dev.staunch.fault.SourceLocation;
import org.jspecify.annotations.Nullable;

/**
 * Where a step stands in the text of its function.
 *
 * @param number its position among the steps of the function: a step comes before those of its
 *     blocks
 * @param region the innermost branch or loop around it in its own function, or null
 * @param inlined the call that it was inlined for; null for a step of the function itself
 */
record Site(
    int number,
    @Nullable SourceLocation source,
    @Nullable Region region,
    @Nullable Inlined inlined) {

  /**
   * A call at {@code site} that was replaced by the steps of {@code function}.
   *
   * @param depth how many such calls are nested, including this one
   */
  record Inlined(Site site, String function, int depth) {
    static Inlined of(Site site, String function) {
      return new Inlined(site, function, site.depth() + 1);
    }
  }

  /** The number of nested inlined calls. */
  int depth() {
    return inlined == null ? 0 : inlined.depth;
  }

  /**
   * A block of a step at {@code owner}.
   *
   * @param label what its owner does here, for people
   * @param trip the register with the iteration of a loop; negative if none
   */
  record Region(Site owner, String label, int trip) {
    boolean isLoop() {
      return trip >= 0;
    }
  }

  /** The line of the step, or of what encloses it if its own is unknown. */
  @Nullable SourceLocation line() {
    return source == null && region != null ? region.owner.line() : source;
  }
}
