package dev.staunch.vector;

import dev.staunch.kernel.standard.StandardOperations;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * A program for a JVM without the Vector API: opens the catalog, prints the messages that are
 * logged about it, and ends.
 */
final class WithoutVectors {
  private WithoutVectors() {}

  /** Waits for one message. */
  private static final class First extends Handler {
    private final CountDownLatch told = new CountDownLatch(1);

    @Override
    public void publish(LogRecord record) {
      System.out.println(record.getLevel() + " " + record.getMessage());
      told.countDown();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** Waits for the message if there are arguments; otherwise ends at once. */
  public static void main(String[] arguments) throws InterruptedException {
    Logger logger = Logger.getLogger(VectorKernelsProvider.class.getName());
    logger.setUseParentHandlers(false);
    First first = new First();
    logger.addHandler(first);
    System.out.println(StandardOperations.catalog().kernels().name());
    if (arguments.length > 0) {
      first.told.await();
    }
  }
}
