package dev.staunch.cli;

import dev.staunch.fault.Message;
import java.io.PrintWriter;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One line on standard error that says how far long work has come, for a person at a terminal:
 * first after half a second, then at most ten times a second, and gone at the end. Prints nothing
 * elsewhere. The well-known libraries for this bring native code, which this program does without.
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
   * @param total how many there are, or -1 if nobody knows
   */
  Progress(PrintWriter err, boolean shown, String noun, long total) {
    this(err, shown, noun, total, null, System::nanoTime);
  }

  /**
   * @param share how much of the work is done, from 0 to 1, where nobody knows the total; null if
   *     nobody knows that either
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

  /** One more is done, {@code failed} of all so far without success. */
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
        total < 0 ? Console.count(done, noun) : done + " of " + Console.count(total, noun);
    long perSecond = Math.round(done / (elapsed / 1e9));
    String rate = perSecond == 0 ? "" : ", " + perSecond + " a second";
    return count + share(elapsed) + rate + (failed == 0 ? "" : ", " + failed + " failed");
  }

  /** How much is done, and how long the rest takes at this rate. */
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

  /** Takes the line away, so that something else can be printed. */
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
