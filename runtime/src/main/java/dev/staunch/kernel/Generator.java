package dev.staunch.kernel;

import dev.staunch.operation.Effects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Hands out the streams of random numbers of one seed, one for each random operation, in the order
 * of the calls. Thread-safe; which of two threads gets which stream is theirs to order.
 *
 * <p>An operation takes its stream after its arguments were checked, so that a call that fails
 * leaves the generator where it was. Which operations take one, {@link Effects#draws} says.
 */
public final class Generator {
  /** The seed of generators that were given none. */
  public static final long DEFAULT_SEED = 0;

  /** Where a generator stands: its seed, and the number of the stream it gives next. */
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

  /** Goes back, or on, to {@code saved}: what follows is as it was then. */
  public void restore(State saved) {
    state.set(saved);
  }
}
