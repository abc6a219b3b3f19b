package dev.staunch.memory;

/**
 * What an account calls one who {@linkplain ResourceScope#hold holds} its scope, such as {@code
 * aten::mm} for an operation under way.
 */
@FunctionalInterface
public interface Holder {
  /** Asked on any thread. */
  String name();
}
