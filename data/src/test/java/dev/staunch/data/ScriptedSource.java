package dev.staunch.data;

import dev.staunch.fault.Fault;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Counts batches from 0, and follows a script at chosen places. */
final class ScriptedSource implements Source<NumberBatch> {
  /** The behaviour at a place. */
  interface Step {
    Item<NumberBatch> run() throws IOException, InterruptedException;
  }

  /** The behaviour of a reset. */
  interface Reset {
    @Nullable Fault run() throws IOException, InterruptedException;
  }

  final CountDownLatch closed = new CountDownLatch(1);
  volatile boolean interruptedAtClose;
  private final Trial trial;
  private final int count;
  private final Map<Long, Step> steps = new HashMap<>();
  private final ConcurrentLinkedQueue<Reset> resets = new ConcurrentLinkedQueue<>();
  private volatile long bytes = 64;
  private long epoch;
  private long next;

  ScriptedSource(Trial trial, int count) {
    this.trial = trial;
    this.count = count;
  }

  /** Replaces the batch at {@code place}, in every epoch. */
  ScriptedSource at(long place, Step step) {
    steps.put(place, step);
    return this;
  }

  ScriptedSource faultAt(long place) {
    return at(
        place, () -> new Item.Bad<>(Fault.data("line " + (place + 1), "no number at " + place)));
  }

  ScriptedSource bytes(long each) {
    bytes = each;
    return this;
  }

  /** Scripts the next reset that has no script yet. */
  ScriptedSource atReset(Reset reset) {
    resets.add(reset);
    return this;
  }

  NumberBatch batch(long number) {
    return trial.batch(epoch, number, bytes);
  }

  @Override
  public String name() {
    return "numbers";
  }

  @Override
  public Item<NumberBatch> next() throws IOException, InterruptedException {
    if (next >= count) {
      return new Item.End<>();
    }
    long place = next++;
    Step step = steps.get(place);
    return step == null ? new Item.Good<>(batch(place)) : step.run();
  }

  @Override
  public @Nullable Fault reset() throws IOException, InterruptedException {
    Reset reset = resets.poll();
    Fault fault = reset == null ? null : reset.run();
    if (fault == null) {
      next = 0;
      epoch++;
    }
    return fault;
  }

  @Override
  public void close() {
    interruptedAtClose = Thread.currentThread().isInterrupted();
    closed.countDown();
  }
}
