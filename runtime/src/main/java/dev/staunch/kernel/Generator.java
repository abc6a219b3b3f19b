package dev.staunch.kernel;

import dev.staunch.operation.Effects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Hands out the random streams of one seed, one for each random operation, in call order.
 * Thread-safe; if threads need a particular stream each, they must order their calls.
 *
 * <p>An operation takes its stream after its arguments have been checked, so a call that fails
 * leaves the generator unchanged. {@link Effects#drawsRandom} says which operations take one.
 */
public final class Generator {
  /** The seed of generators that were not given one. */
  public static final long DEFAULT_SEED = 0;

  /** A generator's state: its seed, and the number of the stream it hands out next. */
  public record State(long seed, long next) {}

  private final AtomicReference<State> state;

  private Generator(State state) {
    this.state = new AtomicReference<>(state);
  }

  /** A generator at the first stream of {@code seed}. */
  public static Generator ofSeed(long seed) {
    return new Generator(new State(seed, 0));
  }

  /** The next stream. */
  public RandomStream next() {
    State taken = state.getAndUpdate(now -> new State(now.seed(), now.next() + 1));
    return new RandomStream(taken.seed(), taken.next());
  }

  /** Goes to the first stream of {@code seed}. */
  public void seed(long seed) {
    state.set(new State(seed, 0));
  }

  public State state() {
    return state.get();
  }

  /**
   * Returns to {@code saved}, in either direction: the streams that follow are those that followed
   * then.
   */
  public void restore(State saved) {
    state.set(saved);
  }
}
