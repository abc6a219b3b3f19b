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
      recur();
    } catch (RuntimeException | Error e) {
      thrown = e;
    }
  }

  @SuppressWarnings("InfiniteRecursion") // the point
  private int recur() {
    turn.accept(depth);
    depth++;
    return recur() + 1;
  }
}
