package dev.staunch.fault;

/** Who has to act on a fault; each category maps to one status on the wire. */
public enum FaultCategory {
  /** The caller asked for something that cannot be: mend the request. */
  CALLER,
  /** Data at rest (an archive, a file, a program text) is damaged or not what it claims to be. */
  BAD_DATA,
  /** A resource ran out: memory budget, queue, time. */
  EXHAUSTED,
  /** Somebody asked for the work to stop. */
  CANCELLED,
  /** A broken promise inside Staunch or inside a kernel. */
  INTERNAL
}
