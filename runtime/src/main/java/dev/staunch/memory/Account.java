package dev.staunch.memory;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts off-heap bytes held, exactly (M4): accounts nest (process, model, request), and what one
 * holds its parents hold too. Thread-safe.
 */
public final class Account {
  private final String name;
  private final @Nullable Account parent;
  private final AtomicLong held = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();

  private Account(String name, @Nullable Account parent) {
    this.name = name;
    this.parent = parent;
  }

  public static Account root(String name) {
    return new Account(name, null);
  }

  public Account child(String childName) {
    return new Account(childName, this);
  }

  public String name() {
    return name;
  }

  /** Bytes held now; those of the tensors alone, without the pool's rounding. */
  public long bytes() {
    return held.get();
  }

  /** The most bytes held at once so far. */
  public long peakBytes() {
    return peak.get();
  }

  void add(long bytes) {
    for (Account account = this; account != null; account = account.parent) {
      long now = account.held.addAndGet(bytes);
      if (now > account.peak.get()) {
        account.peak.accumulateAndGet(now, Math::max);
      }
    }
  }

  void subtract(long bytes) {
    for (Account account = this; account != null; account = account.parent) {
      account.held.addAndGet(-bytes);
    }
  }

  @Override
  public String toString() {
    return name + ": " + bytes() + " bytes";
  }
}
