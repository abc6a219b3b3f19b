package dev.staunch.memory;

/**
 * The part of a {@link Resource} that outlives it: what there is to release. It must not refer to
 * the resource, which would then never become unreachable.
 */
@FunctionalInterface
public interface Releasable {
  /**
   * Releases what is held. Called once, by the thread that ended the resource, which receives what
   * this throws. A scope that closes releases all its other members first.
   */
  void release();
}
