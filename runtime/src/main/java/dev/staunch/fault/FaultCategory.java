package dev.staunch.fault;

/** Who has to act on a fault; each category maps to one status on the wire. */
public enum FaultCategory {
  /** The caller asked for something impossible: fix the request. */
  CALLER,
  /** Stored data (an archive, a file, a program text) is damaged or not what it claims to be. */
  BAD_DATA,
  /** A resource ran out: the memory budget, the heap or a queue. */
  EXHAUSTED,
  /** The work was cancelled, or its deadline passed. */
  CANCELLED,
  /** Staunch itself, or a kernel, broke its contract. */
  INTERNAL
}
