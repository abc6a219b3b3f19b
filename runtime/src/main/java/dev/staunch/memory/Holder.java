package dev.staunch.memory;

/**
 * Names whatever {@linkplain ResourceScope#hold holds} a scope, as its account shows it, such as
 * {@code aten::mm} for a running operation.
 */
@FunctionalInterface
public interface Holder {
  /** Called on any thread. */
  String name();
}
