package dev.staunch.eager;

import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import java.util.concurrent.CountDownLatch;

/** A write of a tensor that leaves it as it is, and completes when a latch is released. */
final class StuckWrite extends Task {
  private final CountDownLatch done;

  StuckWrite(Tensor target, CountDownLatch done) {
    super(Uses.updating(target.data()));
    this.done = done;
  }

  @Override
  protected Object run() {
    try {
      done.await();
      return DONE;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
