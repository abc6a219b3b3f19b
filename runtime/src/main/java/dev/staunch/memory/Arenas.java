package dev.staunch.memory;

import java.lang.foreign.Arena;

/** Closes arenas that another thread may be using for input or output. */
final class Arenas {
  private Arenas() {}

  /** False if the arena is in use at the moment; it is still open then. */
  static boolean close(Arena arena) {
    try {
      arena.close();
      return true;
    } catch (IllegalStateException e) {
      return !arena.scope().isAlive();
    }
  }
}
