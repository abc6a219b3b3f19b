package dev.staunch.architecture;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * A program whose virtual thread waits under a compiled {@code catch} and gets the program's first
 * fault. The program names no subclass of {@link StaunchException} and does not fail earlier.
 */
final class ParkedCatch {
  /** After this many calls, C2 has compiled the method. */
  private static final int CALLS = 100_000;

  private static volatile boolean caught;

  private ParkedCatch() {}

  /**
   * Exits with status 0 if the fault was caught.
   *
   * @param arguments the class that the program loads first
   */
  public static void main(String[] arguments) throws Exception {
    Class.forName(arguments[0]);
    List<Supplier<String>> answers = List.of(() -> "a", () -> "b", () -> "c");
    for (int i = 0; i < CALLS; i++) {
      request(answers.get(i % answers.size()));
    }
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch fails = new CountDownLatch(1);
    Thread client = Thread.ofVirtual().start(() -> request(() -> failure(waits, fails)));
    waits.await();
    while (client.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    fails.countDown();
    client.join();
    System.exit(caught ? 0 : 1);
  }

  private static String request(Supplier<String> work) {
    try {
      return answer(work);
    } catch (StaunchException e) {
      caught = true;
      return e.getMessage();
    }
  }

  /** Gets inlined, so that the compiled {@link #request} itself compares the classes. */
  private static String answer(Supplier<String> work) {
    return work.get();
  }

  private static String failure(CountDownLatch waits, CountDownLatch fails) {
    waits.countDown();
    try {
      fails.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    throw Fault.shape("the first of this program").toException();
  }
}
