package dev.staunch.execute;

import dev.staunch.fault.SourceLocation;
import org.jspecify.annotations.Nullable;

/**
 * What a call of a method may write that outlives the call. Derived from the program: a call may
 * write less, never more.
 *
 * @param state whether it may write what can be reached from its module
 * @param arguments whether it may write an argument, or what one holds
 * @param line a line that may do so, if known; preferably one that writes state rather than an
 *     argument
 */
public record StateUse(boolean state, boolean arguments, @Nullable SourceLocation line) {
  /** For a call that writes only what it creates. */
  public static final StateUse NONE = new StateUse(false, false, null);

  /** The same, for a call that may also write state. */
  public StateUse withState(@Nullable SourceLocation where) {
    return state ? this : new StateUse(true, arguments, where);
  }

  StateUse withArguments(@Nullable SourceLocation where) {
    return arguments ? this : new StateUse(state, true, state ? line : where);
  }

  /** What a call may write that does both. */
  public StateUse and(StateUse other) {
    StateUse both = other.state ? withState(other.line) : this;
    return other.arguments ? both.withArguments(other.line) : both;
  }
}
