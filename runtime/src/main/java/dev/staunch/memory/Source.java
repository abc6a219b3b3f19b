package dev.staunch.memory;

import dev.staunch.fault.Fault;
import java.lang.foreign.MemorySegment;

/** Where a storage's bytes come from and return to: the pool, or a mapped file. */
interface Source {
  /** Takes the bytes back; {@code generation} is the one under which they were given out. */
  void giveBack(int generation);

  /** A writable copy of {@code bytes}, which are read-only, or a fault; called once. */
  default Object copy(MemorySegment bytes) {
    return Fault.value(
        "the tensor lies in a file that was mapped for reading alone; clone it before writing");
  }
}
