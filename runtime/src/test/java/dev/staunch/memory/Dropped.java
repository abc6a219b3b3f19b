package dev.staunch.memory;

import java.util.function.BooleanSupplier;

/** Waits for the garbage collector to find what a test dropped. */
final class Dropped {
  /** A minute, however slow the machine, counted by how long this thread waits. */
  private static final int ROUNDS = 12_000;

  private Dropped() {}

  /** Collects until {@code done}; returns whether that happened. */
  static boolean collectUntil(BooleanSupplier done) throws InterruptedException {
    Object monitor = new Object();
    boolean isDone = done.getAsBoolean();
    for (int i = 0; i < ROUNDS && !isDone; i++) {
      if (i % 20 == 0) {
        System.gc();
      }
      synchronized (monitor) {
        monitor.wait(5);
      }
      isDone = done.getAsBoolean();
    }
    return isDone;
  }
}
