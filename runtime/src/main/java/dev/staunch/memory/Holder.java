package dev.staunch.memory;

/**
 * What an account calls one who {@linkplain ResourceScope#hold holds} its scope, such as {@code
 * aten::mm} for an operation under way. Stays known until another takes the same place, so it
 * should be something that lives long anyway, an operation's definition for one.
 */
@FunctionalInterface
public interface Holder {
  /** Asked on any thread. */
  String name();
}
