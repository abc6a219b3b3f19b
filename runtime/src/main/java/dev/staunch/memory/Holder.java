package dev.staunch.memory;

/**
 * One who may touch what a scope owns until it says that it is through: a running operation, a
 * request on its way. See {@link ResourceScope#hold}.
 */
public interface Holder {
  /** How accounts name it, as {@code aten::mm}; asked on any thread. */
  String name();

  /**
   * Whether it may use any member of the scope, as a request uses its model's weights, so that also
   * a member that is closed by itself keeps its bytes meanwhile. Otherwise those who close single
   * members are taken to know that nobody uses them.
   */
  default boolean usesMembers() {
    return false;
  }
}
