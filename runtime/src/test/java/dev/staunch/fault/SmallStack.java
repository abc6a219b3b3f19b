package dev.staunch.fault;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.function.IntConsumer;

/** A recursion without an end, on a stack of 256 KiB. */
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
   * overflows; returns how many calls came back.
   */
  public static int overflow(IntConsumer turn) throws InterruptedException {
    SmallStack stack = new SmallStack(turn);
    Thread thread = new Thread(null, stack::fill, "deep", BYTES);
    thread.start();
    thread.join();
    assertInstanceOf(StackOverflowError.class, stack.thrown);
    return stack.depth;
  }

  private void fill() {
    try {
      recur(1, 2, 3, 4, 5, 6, 7, 8);
    } catch (RuntimeException | Error e) {
      thrown = e;
    }
  }

  /** What it keeps for its way back makes a frame of a usual size of it: compiled, too. */
  @SuppressWarnings("InfiniteRecursion") // the point
  private long recur(long a, long b, long c, long d, long e, long f, long g, long h) {
    turn.accept(depth);
    depth++;
    return recur(b, c, d, e, f, g, h, a) + (a ^ b ^ c ^ d ^ e ^ f ^ g ^ h) * (a - h);
  }
}
