package dev.staunch.cli;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Pending;
import dev.staunch.engine.Workers;
import dev.staunch.fault.Fault;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Function;

/**
 * Answers several lines concurrently and delivers the answers in the order of the lines. A separate
 * thread reads ahead, so an answer is delivered as soon as it is ready, even if the client waits
 * for it before it sends its next request.
 */
final class AnswersInOrder {
  /** Receives each answer; whether another is ready decides when to flush. */
  @FunctionalInterface
  interface Sink {
    void accept(Object answer, boolean moreReady) throws IOException;
  }

  private final Pending end = new Pending();
  private final RequestLines lines;
  private final Function<RequestLines.Line, Object> answer;
  private final int threads;
  private final BlockingQueue<Pending> inFlight;
  private volatile boolean stopped;

  AnswersInOrder(RequestLines lines, int threads, Function<RequestLines.Line, Object> answer) {
    this.lines = lines;
    this.threads = threads;
    this.answer = answer;
    this.inFlight = new ArrayBlockingQueue<>(Math.min(threads, 1 << 16) * 4);
  }

  /**
   * Returns when every line has been answered.
   *
   * @throws IOException from {@code sink}; then nothing more is read or answered
   * @throws dev.staunch.fault.StaunchException if reading the lines fails
   */
  void forEach(Sink sink) throws IOException {
    try (Workers readers = Workers.of(1, "staunch-read");
        Workers workers = Workers.of(threads, "staunch-predict")) {
      Pending reading = readers.submit(() -> read(workers));
      try {
        for (Pending next = take(); next != end; next = take()) {
          sink.accept(next.await(CancelScope.open()), !inFlight.isEmpty());
        }
      } finally {
        stopped = true;
        inFlight.clear();
      }
      if (reading.await(CancelScope.open()) instanceof Fault fault) {
        throw fault.toException();
      }
    }
  }

  /** Submits each line; the end mark comes last, whatever happens. */
  private Object read(Workers workers) {
    Object outcome = true;
    try {
      RequestLines.Line line = lines.next();
      while (line != null && !stopped) {
        RequestLines.Line known = line;
        inFlight.put(workers.submit(() -> answer.apply(known)));
        line = lines.next();
      }
    } catch (IOException e) {
      String why = "the requests cannot be read on: " + Console.sentence(e);
      outcome = Fault.data("requests", why).withCause(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      put(end);
    }
    return outcome;
  }

  private void put(Pending pending) {
    try {
      inFlight.put(pending);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Pending take() {
    try {
      return inFlight.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return end;
    }
  }
}
