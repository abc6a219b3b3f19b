package dev.staunch.memory;

/** Where a storage's bytes come from, and go back to: the pool, or a mapped file. */
interface Source {
  /** Takes the bytes back; {@code generation} is the one under which they were given out. */
  void giveBack(int generation);
}
