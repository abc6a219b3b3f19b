package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.fault.Fault;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A task that was given up keeps its place until those before it have finished (C3): a wait behind
 * it finds a cycle beyond it, and none if there is none (E3).
 */
class GivenUpCycleTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";
  private static final Duration LONG = Duration.ofSeconds(20);

  /**
   * What a task that holds {@code held} finds when it waits for {@code x}, behind a given-up task
   * of {@code lost} that follows one of {@code before}.
   */
  private static Fault found(
      EngineOptions options, Variable held, Variable x, Uses before, Uses lost) {
    AtomicReference<Fault> found = new AtomicReference<>();
    try (Trial trial = new Trial(options)) {
      EngineContext context = trial.context;
      Runnable work =
          () -> {
            CancelScope scope = CancelScope.open();
            context.push(Step.large(before, () -> {}).called("before"));
            context.push(Step.large(lost, () -> {}).called("lost").in(scope));
            scope.cancel("not wanted");
            found.set(context.await(x, CancelScope.withDeadline(LONG)));
          };
      context.push(Step.large(Uses.writing(held), work).called("holder"));
      context.awaitPushed();
    }
    return Objects.requireNonNull(found.get());
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aCycleIsFoundBeyondAWriteThatWasGivenUp(EngineOptions options) {
    Variable held = new Variable("held");
    Variable x = new Variable("x");
    Fault fault = found(options, held, x, Uses.reading(x, held), Uses.writing(x));
    assertEquals(
        "this wait can never end, for it closes a cycle: a read of x, which waits for before, which"
            + " waits for holder, which waits here",
        fault.message());
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatAGivenUpTaskWaitsForElsewhereKeepsNobody(EngineOptions options) {
    Variable held = new Variable("held");
    Variable x = new Variable("x");
    Fault fault = found(options, held, x, Uses.reading(x), Uses.writing(x, held));
    assertEquals("not wanted", fault.message());
  }
}
