package dev.staunch.inference;

import dev.staunch.engine.CancelScope;
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
 * Who is in a model: many requests at once that read its state, or one alone that may write it. Who
 * has to wait comes in in the order in which they came, and waits no longer than its cancellation,
 * its deadline or an interrupt allows (E4). Knows the threads that are inside, so that nobody waits
 * for itself. Closing lets nobody in any more; it takes effect when the last one has left.
 *
 * <p>Thread-safe. Who only reads takes no lock while nobody wants to be alone: it notes itself and
 * then looks at {@link #gated}; who wants to be alone sets that and then looks for notes.
 */
final class Gate {
  private static final Object GRANTED = "granted";
  private static final Object ENDED = "ended";

  /** What a request that was asked to stop may still take until it has. */
  private static final Duration STOPPING = Duration.ofSeconds(1);

  /** One request's stay. */
  static final class Visit {
    final boolean alone;
    final CancelScope cancel;

    /** What the request does to the state; null if it may do nothing to it. */
    final @Nullable StateJournal journal;

    /**
     * @param cancel ends waiting; cancelled when the gate has closed for too long
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

  /** Whether who comes has to ask: somebody is alone or wants to be, or this is closed. */
  private volatile boolean gated;

  /** Guarded by this, as what follows. Of this kind because it stays whole if it cannot grow. */
  private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();

  private boolean alone;
  private boolean closed;
  private boolean ending;

  /**
   * @param name of the model, for messages
   * @param end runs once, when this was closed and nobody is inside any more
   */
  Gate(String name, Runnable end) {
    this.name = name;
    this.end = end;
  }

  /** The stay that the calling thread is part of, or null. */
  @Nullable Visit current() {
    return inside.get(Thread.currentThread());
  }

  /** Waits until the calling thread, which is outside, is in; or the fault that kept it out. */
  @Nullable Fault enter(Visit visit) {
    Thread me = Thread.currentThread();
    if (!visit.alone) {
      boolean in = false;
      try {
        inside.put(me, visit);
        in = !gated;
      } finally {
        if (!in) {
          leave(visit); // who wants to be alone may have seen the note
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
        alone &= !waiting.visit.alone; // it came just then
        inside.remove(waiting.thread);
      }
      last = next();
    }
    endIf(last);
  }

  /** The calling thread, which entered, is through. */
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
   * Lets nobody in any more, lets those inside end, for {@code patience}, and then cancels them
   * with reason shutdown. Called from inside, it waits for nothing.
   *
   * @return whether all have left and what ends with this has ended
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
   * Lets in who may come in after a change. The caller holds the lock.
   *
   * @return whether the last one has left a closed model, which {@link #endIf} is to end then
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

  /** That it is noted, null if it has to wait, or the error of a heap without room for a note. */
  private @Nullable Object admitted(Waiting first) {
    try {
      if (first.visit.alone && !isEmpty()) {
        return null;
      }
      inside.put(first.thread, first.visit);
      return GRANTED;
    } catch (OutOfMemoryError e) {
      inside.remove(first.thread); // the map may find no room for its count after it took this
      return e;
    }
  }

  /** Sees each thread that noted itself before this began; a count might not. */
  private boolean isEmpty() {
    return !inside.keySet().iterator().hasNext();
  }
}
