package dev.staunch.memory;

import java.util.function.BooleanSupplier;

/** Waits for the collector to find what a test dropped. */
final class Dropped {
  private static final int ROUNDS = 400;

  private Dropped() {}

  /** Collects until {@code done}; whether it came to that. */
  static boolean collectUntil(BooleanSupplier done) throws InterruptedException {
    Object monitor = new Object();
    for (int i = 0; i < ROUNDS && !done.getAsBoolean(); i++) {
      if (i % 20 == 0) {
        System.gc();
      }
      synchronized (monitor) {
        monitor.wait(5);
      }
    }
    return done.getAsBoolean();
  }
}
