package dev.staunch.torchscript;

import dev.staunch.fault.SourceLocation;
import org.jspecify.annotations.Nullable;

/**
 * Something that a method may reach and that does not run.
 *
 * @param what what is missing, as a sentence
 * @param source the line, if known
 * @param passable whether it is in a branch or loop, or behind a call through an interface, so that
 *     the method may bypass it
 */
public record Gap(String what, @Nullable SourceLocation source, boolean passable) {
  /** {@code there is no kernel for aten::foo; at model.py:12}. */
  @Override
  public String toString() {
    return source == null ? what : what + "; at " + source.place();
  }
}
