package dev.staunch.kernel;

import dev.staunch.type.Type;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Hands out the streams of random numbers of one seed, one for each random operation, in the order
 * of the calls. Thread-safe; which of two threads gets which stream is theirs to order.
 *
 * <p>An operation takes its stream after its arguments were checked, so that a call that fails
 * leaves the generator where it was.
 */
public final class Generator {
  /** The seed of generators that were given none. */
  public static final long DEFAULT_SEED = 0;

  /** Where a generator stands: its seed, and the number of the stream it gives next. */
  public record State(long seed, long next) {}

  private static final Set<String> WITHOUT_PARAMETER =
      Set.of(
          "aten::rand",
          "aten::rand_like",
          "aten::randn",
          "aten::randn_like",
          "aten::randint",
          "aten::randint_like",
          "aten::randperm",
          "aten::dropout",
          "aten::dropout_",
          "aten::alpha_dropout",
          "aten::alpha_dropout_",
          "aten::feature_dropout",
          "aten::feature_dropout_",
          "aten::feature_alpha_dropout",
          "aten::feature_alpha_dropout_");

  private final AtomicReference<State> state;

  private Generator(State state) {
    this.state = new AtomicReference<>(state);
  }

  /** A generator at the first stream of {@code seed}. */
  public static Generator ofSeed(long seed) {
    return new Generator(new State(seed, 0));
  }

  /**
   * Whether an operation may take a stream, so that its place among the others of a program counts;
   * who runs operations out of order has to keep these in order.
   */
  public static boolean feeds(Schema schema) {
    return WITHOUT_PARAMETER.contains(schema.name()) || takesGenerator(schema);
  }

  private static boolean takesGenerator(Schema schema) {
    Type optional = new Type.Optional(Type.Plain.GENERATOR);
    return schema.parameters().stream().anyMatch(parameter -> parameter.type().equals(optional));
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
