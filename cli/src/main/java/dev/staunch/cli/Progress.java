package dev.staunch.cli;

import dev.staunch.fault.Message;
import java.io.PrintWriter;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One line on standard error that shows the progress of long work, for a person at a terminal. It
 * appears after half a second, is updated at most ten times a second, and is erased at the end.
 * Without a terminal, nothing is printed. The well-known libraries for this contain native code,
 * which this program avoids.
 *
 * <p>Not thread-safe.
 */
final class Progress implements AutoCloseable {
  private static final long FIRST_NANOS = 500_000_000;
  private static final long NEXT_NANOS = 100_000_000;
  private static final String ERASE = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean shown;
  private final String noun;
  private final long total;
  private final @Nullable DoubleSupplier share;
  private final LongSupplier nanoTime;
  private final long start;
  private long next;
  private long done;
  private boolean drawn;

  /**
   * @param noun what is counted, in the singular
   * @param total how many there are, or -1 if unknown
   */
  Progress(PrintWriter err, boolean shown, String noun, long total) {
    this(err, shown, noun, total, null, System::nanoTime);
  }

  /**
   * @param share supplies how much of the work is done, from 0 to 1, if the total is unknown; null
   *     if that is unknown, too
   */
  Progress(
      PrintWriter err,
      boolean shown,
      String noun,
      long total,
      @Nullable DoubleSupplier share,
      LongSupplier nanoTime) {
    this.err = err;
    this.shown = shown;
    this.noun = noun;
    this.total = total;
    this.share = share;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
    this.next = FIRST_NANOS;
  }

  /** Counts one more as done; {@code failed} is how many have failed so far. */
  void step(long failed) {
    done++;
    if (!shown) {
      return;
    }
    long elapsed = nanoTime.getAsLong() - start;
    if (elapsed < next) {
      return;
    }
    next = elapsed + NEXT_NANOS;
    drawn = true;
    err.print(ERASE + line(failed, elapsed));
    err.flush();
  }

  private String line(long failed, long elapsed) {
    String count =
        total < 0 ? Message.count(done, noun) : done + " of " + Message.count(total, noun);
    long perSecond = Math.round(done / (elapsed / 1e9));
    String rate = perSecond == 0 ? "" : ", " + perSecond + " a second";
    return count + share(elapsed) + rate + (failed == 0 ? "" : ", " + failed + " failed");
  }

  /** How much is done, and how long the rest will take at this rate. */
  private String share(long elapsed) {
    double part = total > 0 ? (double) done / total : share == null ? 0 : share.getAsDouble();
    if (part <= 0 || part > 1) {
      return "";
    }
    long left = Math.round(elapsed / 1e9 * (1 - part) / part);
    return Message.of(" (%d %%, %s left)", (long) (part * 100), duration(left));
  }

  private static String duration(long seconds) {
    return seconds < 120
        ? seconds + " s"
        : seconds < 7200 ? seconds / 60 + " min" : seconds / 3600 + " h";
  }

  /** Erases the line, so that something else can be printed. */
  void clear() {
    if (drawn) {
      err.print(ERASE);
      err.flush();
      drawn = false;
    }
  }

  @Override
  public void close() {
    clear();
  }
}
