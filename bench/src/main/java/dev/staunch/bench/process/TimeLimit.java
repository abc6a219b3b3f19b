package dev.staunch.bench.process;

import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;

/** Ends something if it takes too long; closing this reports that it did not. */
public final class TimeLimit implements AutoCloseable {
  private static final long AGAIN_MILLIS = 1_000;

  private final Timer timer = new Timer("bench-limit", true);

  /**
   * @param after the time until {@code end} is called
   * @param end called on a thread of the limit, and again each second until this is closed
   */
  public TimeLimit(Duration after, Runnable end) {
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            end.run();
          }
        },
        after.toMillis(),
        AGAIN_MILLIS);
  }

  @Override
  public void close() {
    timer.cancel();
  }
}
