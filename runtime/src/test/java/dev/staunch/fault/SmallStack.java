package dev.staunch.fault;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.function.IntConsumer;

/** Endless recursion, on stacks of a few hundred KiB. */
public final class SmallStack {
  private static final int BYTES = 256 << 10;

  private final IntConsumer turn;
  private Throwable thrown;
  private int depth;

  private SmallStack(IntConsumer turn) {
    this.turn = turn;
  }

  /**
   * Calls {@code turn} with 0, 1, 2 and so on, each deeper than the one before, until the stack
   * overflows; returns how many calls returned.
   */
  public static int overflow(IntConsumer turn) throws InterruptedException {
    SmallStack stack = new SmallStack(turn);
    Thread thread = new Thread(null, stack::fill, "deep", BYTES);
    thread.start();
    thread.join();
    assertInstanceOf(StackOverflowError.class, stack.thrown);
    return stack.depth;
  }

  /**
   * Runs {@code ask} at the end of a stack of {@code bytes}: while the recursion unwinds, once at
   * each of the {@code depths} deepest levels. It may overflow the stack there.
   */
  public static void atTheEnd(long bytes, int depths, Runnable ask) throws InterruptedException {
    int[] left = {depths, 0};
    Thread thread = new Thread(null, () -> askOnTheWayBack(ask, left), "deep", bytes);
    thread.start();
    thread.join();
  }

  @SuppressWarnings("InfiniteRecursion") // the stack ends
  private static void askOnTheWayBack(Runnable ask, int[] left) {
    try {
      askOnTheWayBack(ask, left);
    } catch (StackOverflowError e) {
      left[1]++;
    }
    if (left[0]-- > 0) {
      try {
        ask.run();
      } catch (StackOverflowError e) {
        left[1]++;
      }
    }
  }

  private void fill() {
    try {
      recur(1, 2, 3, 4, 5, 6, 7, 8);
    } catch (RuntimeException | Error e) {
      thrown = e;
    }
  }

  /**
   * The values that it keeps for its way back give it a frame of a usual size, even when compiled.
   */
  @SuppressWarnings("InfiniteRecursion") // the point
  private long recur(long a, long b, long c, long d, long e, long f, long g, long h) {
    turn.accept(depth);
    depth++;
    return recur(b, c, d, e, f, g, h, a) + (a ^ b ^ c ^ d ^ e ^ f ^ g ^ h) * (a - h);
  }
}
