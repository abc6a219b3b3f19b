package dev.staunch.memory;

/**
 * The part of a {@link Resource} that outlives it: what there is to give back. It must not refer to
 * the resource, or that would never become unreachable.
 */
@FunctionalInterface
public interface Releasable {
  /**
   * Gives back what is held. Called once, by whichever thread ended the resource, which gets what
   * this throws; a scope that closes releases all others before.
   */
  void release();
}
