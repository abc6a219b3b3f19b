package dev.staunch.bench.strategy;

import dev.staunch.memory.Account;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Records every few milliseconds how much an account holds, until it is closed. */
final class HeldBytes implements AutoCloseable {
  private static final long EVERY_NANOS = 4_000_000;

  /**
   * One reading of the account.
   *
   * @param seconds the time since the first reading
   */
  record Sample(double seconds, long bytes) {}

  private final Account account;
  private final List<Sample> samples = new ArrayList<>(); // owned by the thread until it ends
  private final Thread thread;
  private volatile boolean open = true;

  HeldBytes(Account account) {
    this.account = account;
    this.thread = Thread.ofPlatform().daemon().name("bench-held-bytes").start(this::look);
  }

  private void look() {
    long started = System.nanoTime();
    while (open) {
      samples.add(new Sample((System.nanoTime() - started) / 1e9, account.bytes()));
      LockSupport.parkNanos(EVERY_NANOS);
    }
  }

  /** Writes the readings to {@code file}; only after this was closed. */
  void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(
        file, samples.stream().map(sample -> sample.seconds() + "," + sample.bytes()).toList());
  }

  /**
   * Reads the written readings up to the time {@code end}: the lowest and the highest of each of
   * {@code points / 2} spans.
   */
  static List<Sample> read(Path file, double end, int points) throws IOException {
    List<Sample> all = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      int comma = line.indexOf(',');
      double seconds = Double.parseDouble(line.substring(0, comma));
      if (seconds <= end) {
        all.add(new Sample(seconds, Math.max(1, Long.parseLong(line.substring(comma + 1)))));
      }
    }
    int span = Math.max(2, (2 * all.size() + points - 1) / points);
    List<Sample> some = new ArrayList<>();
    for (int i = 0; i < all.size(); i += span) {
      List<Sample> part = all.subList(i, Math.min(all.size(), i + span));
      Sample low = Collections.min(part, Comparator.comparingLong(Sample::bytes));
      Sample high = Collections.max(part, Comparator.comparingLong(Sample::bytes));
      some.add(low.seconds() <= high.seconds() ? low : high);
      some.add(low.seconds() <= high.seconds() ? high : low);
    }
    return some;
  }

  @Override
  public void close() {
    open = false;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
