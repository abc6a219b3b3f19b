package dev.staunch.execute;

import dev.staunch.fault.SourceLocation;
import org.jspecify.annotations.Nullable;

/**
 * What a call of a method may write, of what outlives it. Found in the text: a call may write less,
 * never more.
 *
 * @param state whether it may write what can be reached from its module
 * @param arguments whether it may write an argument, or what one holds
 * @param line a line that may do so, if it is known; of the state rather than of an argument
 */
public record StateUse(boolean state, boolean arguments, @Nullable SourceLocation line) {
  /** That of a call that writes nothing but what it makes. */
  public static final StateUse NONE = new StateUse(false, false, null);

  /** The same, of a call that may write state, too. */
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
