package dev.staunch.engine;

import java.util.concurrent.CountDownLatch;

/** A program that ends while a task of its engine, which it has not closed, runs for ever. */
final class StuckProgram {
  private StuckProgram() {}

  /** Closes the engine before it ends if there is an argument. */
  public static void main(String[] arguments) {
    Engine engine = Engine.start(EngineOptions.threaded(2));
    EngineContext context = engine.open("program");
    CountDownLatch runs = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Variable variable = new Variable("x");
    context.push(
        Step.large(
            Uses.writing(variable),
            () -> {
              runs.countDown();
              Trial.await(never);
            }));
    for (int i = 0; i < 200; i++) {
      context.push(Step.large(Uses.updating(variable), () -> {}));
    }
    Trial.await(runs);
    if (arguments.length > 0) {
      engine.close();
    }
  }
}
