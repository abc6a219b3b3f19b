package dev.staunch.inference;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.engine.Pending;
import dev.staunch.execute.StateJournal;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Admits requests to a model: many concurrent readers of its state, or one request alone that may
 * write it. Waiting requests enter in order of arrival, and wait no longer than their cancellation,
 * deadline or interrupt allows (E4). The gate knows the threads inside, so that no thread waits for
 * itself. Once closed it admits nobody; closing takes effect when the last request has left.
 *
 * <p>Thread-safe. A reader takes no lock while nobody wants exclusive access: it registers itself
 * and then checks {@link #gated}. A request that wants exclusive access sets {@link #gated} and
 * then checks for registered readers.
 */
final class Gate {
  private static final Object GRANTED = "granted";
  private static final Object ENDED = "ended";

  /** How long a request may still take to stop after it was asked to. */
  private static final Duration STOPPING = Duration.ofSeconds(1);

  /** The stay of one request inside the gate. */
  static final class Visit {
    final boolean alone;
    final CancelScope cancel;

    /** Records the changes that the request makes to the state; null if it may make none. */
    final @Nullable StateJournal journal;

    /**
     * @param cancel ends the wait; cancelled if the request is still inside when closing runs out
     *     of patience
     */
    Visit(CancelScope cancel, @Nullable StateJournal journal) {
      this.alone = journal != null;
      this.cancel = cancel;
      this.journal = journal;
    }
  }

  private record Waiting(Thread thread, Visit visit, Pending turn) {}

  private final String name;
  private final Runnable end;
  private final Map<Thread, Visit> inside = new ConcurrentHashMap<>();
  private final Pending ended = new Pending();

  /**
   * Whether arriving requests must queue: one is inside alone or wants to be, or the gate is
   * closed.
   */
  private volatile boolean gated;

  /**
   * Guarded by this, like the fields below. A linked queue stays intact if adding an element fails.
   */
  private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();

  private boolean alone;
  private boolean closed;
  private boolean ending;

  /**
   * @param name the model's name, for messages
   * @param end runs once, when the gate is closed and nobody is inside any more
   */
  Gate(String name, Runnable end) {
    this.name = name;
    this.end = end;
  }

  /** The visit that the calling thread is part of, or null. */
  @Nullable Visit current() {
    return inside.get(Thread.currentThread());
  }

  /**
   * Waits until the calling thread, which must be outside, is inside. Returns the fault that kept
   * it out, or null.
   */
  @Nullable Fault enter(Visit visit) {
    Guard.requireRoom(); // whoever enters must be able to leave
    Thread me = Thread.currentThread();
    if (!visit.alone) {
      boolean in = false;
      try {
        inside.put(me, visit);
        in = !gated;
      } finally {
        if (!in) {
          leave(visit); // a request that wants exclusive access may have seen the registration
        }
      }
      if (in) {
        return null;
      }
    }
    Waiting waiting = new Waiting(me, visit, new Pending());
    boolean granted = false;
    try {
      Object outcome = outcome(waiting);
      granted = GRANTED.equals(outcome);
      return switch (outcome) {
        case Fault fault -> fault;
        case OutOfMemoryError error -> Fault.thrown(error);
        default -> null;
      };
    } finally {
      if (!granted) {
        giveUp(waiting);
      }
    }
  }

  private Object outcome(Waiting waiting) {
    boolean last;
    synchronized (this) {
      if (closed) {
        return closedFault();
      }
      queue.add(waiting);
      last = next();
    }
    endIf(last);
    return waiting.turn.await(waiting.visit.cancel);
  }

  private void giveUp(Waiting waiting) {
    boolean last;
    synchronized (this) {
      queue.remove(waiting);
      if (GRANTED.equals(waiting.turn.peek())) {
        alone &= !waiting.visit.alone; // it was granted at that moment
        inside.remove(waiting.thread);
      }
      last = next();
    }
    endIf(last);
  }

  /** Ends the visit of the calling thread, which must have entered. */
  void leave(Visit visit) {
    try {
      inside.remove(Thread.currentThread());
    } finally {
      if (gated) {
        boolean last;
        synchronized (this) {
          alone &= !visit.alone;
          last = next();
        }
        endIf(last);
      }
    }
  }

  /**
   * Admits nobody any more, gives those inside {@code patience} to finish, and then cancels them
   * with reason shutdown. A call from inside does not wait.
   *
   * @return whether all have left and {@code end} has run
   */
  boolean close(Duration patience) {
    boolean last;
    synchronized (this) {
      if (!queue.isEmpty()) {
        refuse(closedFault());
      }
      closed = true;
      last = next();
    }
    endIf(last);
    if (current() == null) {
      ended.await(CancelScope.withDeadline(patience));
      if (ended.peek() == null) {
        String why = "the model " + name + " is closing and waits no longer";
        inside.values().forEach(visit -> visit.cancel.cancel(CancelReason.SHUTDOWN, why));
        ended.await(CancelScope.withDeadline(STOPPING));
      }
    }
    return ended.peek() != null;
  }

  private void refuse(Fault fault) {
    for (Waiting out = queue.poll(); out != null; out = queue.poll()) {
      out.turn.settle(fault);
    }
  }

  private Fault closedFault() {
    return Fault.of(FaultType.CLOSED, "the model " + name + " was closed");
  }

  /**
   * Admits the requests that may enter after a change. The caller holds the lock.
   *
   * @return whether the last request has left a closed gate, so that the caller must call {@link
   *     #endIf}
   */
  private boolean next() {
    gated = true;
    admit();
    boolean last = closed && !ending && isEmpty();
    ending |= last;
    return last;
  }

  private void endIf(boolean last) {
    if (last) {
      try {
        end.run();
      } finally {
        ended.settle(ENDED);
      }
    }
  }

  private void admit() {
    Waiting first = queue.peek();
    while (first != null && !alone) {
      Object outcome = admitted(first);
      if (outcome == null) {
        break;
      }
      queue.remove();
      alone = first.visit.alone && GRANTED.equals(outcome);
      first.turn.settle(outcome);
      first = queue.peek();
    }
    gated = alone || closed || !queue.isEmpty();
  }

  /**
   * Returns {@link #GRANTED} once registered, null if the request must wait, or the error if the
   * heap has no room to register it.
   */
  private @Nullable Object admitted(Waiting first) {
    try {
      if (first.visit.alone && !isEmpty()) {
        return null;
      }
      inside.put(first.thread, first.visit);
      return GRANTED;
    } catch (OutOfMemoryError e) {
      inside.remove(first.thread); // the map may have added it and then failed to count it
      return e;
    }
  }

  /** Sees every thread that registered before this call; the map's size might not count it yet. */
  private boolean isEmpty() {
    return !inside.keySet().iterator().hasNext();
  }
}
