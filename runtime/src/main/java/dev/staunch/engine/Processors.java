package dev.staunch.engine;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The processors that work inside single operations shares: as many threads are at it at once as
 * there are processors, whoever asks. The caller always takes pieces itself and never waits for a
 * thread to come; others help while there are processors free. A helper that has nothing left to do
 * looks out for a few microseconds before it sleeps, as the next work of a request mostly comes
 * sooner than a thread wakes up; it leaves at once when callers want its processor, or when it ran
 * in its caller's place because other programs have the rest. Where every processor had a caller
 * just now, nobody is woken up. Thread-safe.
 *
 * <p>Which pieces there are depends on the work alone, so results do not depend on who helped.
 */
public final class Processors {
  /** Longer than a caller mostly takes from one request to the next. */
  private static final long CROWD_NANOS = 1_000_000;

  private static final Processors OF_PROCESS =
      new Processors(Runtime.getRuntime().availableProcessors(), CROWD_NANOS);

  /** What an attempt gives that met no fault. */
  private static final Object DONE = "done";

  private static final Processors OF_CALLER = new Processors(1, 0);

  /** How long a thread looks out for others before it sleeps: what it takes to wake one up. */
  static final long LOOK_OUT_NANOS = 50_000;

  /** A part of a range of work. */
  @FunctionalInterface
  public interface Piece {
    /** Does what lies from {@code first} to before {@code end}; null, or the fault that it met. */
    @Nullable Fault run(long first, long end);
  }

  private final int count;
  private final long crowdNanos;
  private final long lookOutNanos;
  private final Executor helpers;

  /** Threads that have a processor now: callers, helpers at work and those that look out. */
  private final AtomicInteger busy = new AtomicInteger();

  /** Those of them that have work of their own: where these are as many, nobody can help. */
  private final AtomicInteger callers = new AtomicInteger();

  /** When there were last as many of them as processors. */
  private volatile long crowded;

  /** Helpers that look out for work. */
  private final AtomicInteger lookingOut = new AtomicInteger();

  /** The work that helpers who look out take part in: the latest, while it goes on. */
  private final AtomicReference<@Nullable Share> open = new AtomicReference<>();

  /**
   * {@code count} processors, of which one is the caller's.
   *
   * @param crowdNanos how long nobody helps once each had a caller of its own
   */
  Processors(int count, long crowdNanos) {
    this(count, crowdNanos, LOOK_OUT_NANOS, threads());
  }

  /**
   * As the other.
   *
   * @param lookOutNanos how long a helper looks out for others before it sleeps
   * @param helpers runs what helpers do, each call on a thread of its own
   */
  Processors(int count, long crowdNanos, long lookOutNanos, Executor helpers) {
    this.count = count;
    this.crowdNanos = crowdNanos;
    this.lookOutNanos = lookOutNanos;
    this.crowded = System.nanoTime() - crowdNanos;
    this.helpers = helpers;
  }

  private static Executor threads() {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        10,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        work -> {
          Thread thread = new Thread(work, "staunch-helper-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Those of the machine, or of what the container may use of it: one budget for all. */
  public static Processors ofProcess() {
    return OF_PROCESS;
  }

  /** The calling thread alone, which takes all pieces in turn. */
  public static Processors ofCaller() {
    return OF_CALLER;
  }

  /**
   * Somebody who comes again and again with work to share, like the requests of a plan: from the
   * first such work on until it leaves it counts as a thread at work, so that no other caller's
   * helper takes its processor in between; from the beginning if it had such work the last time.
   * For one thread at a time.
   */
  public final class Caller {
    private boolean counts;
    private boolean shares;
    private boolean shared;

    private Caller() {}

    /** Takes its processor if it had work to share the last time. */
    public void come() {
      if (shared && !counts) {
        Guard.ROOM.require(); // whoever arrived has to be able to leave
        counts = true;
        arrive();
      }
    }

    /** As {@link Processors#run}. */
    public @Nullable Fault run(long range, long grain, Piece work) {
      int pieces = pieces(range, grain);
      if (pieces <= 1 || count == 1) {
        return inTurn(0, range, grain, work);
      }
      Guard.ROOM.require();
      shares = true;
      if (!counts) {
        counts = true;
        arrive();
      }
      return share(range, grain, pieces, work);
    }

    /** Gives its processor to others, until it comes or has work to share again. */
    public void leave() {
      shared = shares;
      shares = false;
      if (counts) {
        counts = false;
        depart();
      }
    }
  }

  /** A caller that keeps its processor from one work to the next. */
  public Caller caller() {
    return new Caller();
  }

  /**
   * Runs {@code work} on pieces of {@code grain} from 0 to {@code range}; returns when none is
   * running any more.
   *
   * @return the fault of the first piece that met one, in order; pieces behind it may not have run
   */
  public @Nullable Fault run(long range, long grain, Piece work) {
    int pieces = pieces(range, grain);
    if (pieces <= 1 || count == 1) {
      return inTurn(0, range, grain, work);
    }
    Guard.ROOM.require();
    arrive();
    try {
      return share(range, grain, pieces, work);
    } finally {
      depart();
    }
  }

  private void arrive() {
    callers.incrementAndGet();
    busy.incrementAndGet();
  }

  private void depart() {
    busy.decrementAndGet();
    if (callers.getAndDecrement() >= count) {
      crowded = System.nanoTime();
    }
  }

  private static int pieces(long range, long grain) {
    return Math.toIntExact(Math.ceilDiv(range, grain));
  }

  /** For a caller that is counted. */
  private @Nullable Fault share(long range, long grain, int pieces, Piece work) {
    int done = 0;
    while (isCrowd() && done < pieces) { // the crowd may go before a long work ends
      long first = done * grain;
      Fault fault = work.run(first, Math.min(range, first + grain));
      if (fault != null) {
        return fault;
      }
      done++;
    }
    if (pieces - done <= 1) {
      return inTurn(done * grain, range, grain, work);
    }
    Share share = new Share(range, grain, done, pieces, work);
    // Before anybody is invited: a helper that stops looking out sees it, or its processor is free.
    open.set(share);
    try {
      share.invite(pieces - done - 1);
      share.take(Integer.MAX_VALUE);
    } finally {
      open.compareAndSet(share, null);
      share.awaitHelpers();
    }
    return share.outcome();
  }

  /** Whether each processor has a caller of its own, or had one just now. */
  private boolean isCrowd() {
    return callers.get() >= count || System.nanoTime() - crowded < crowdNanos;
  }

  private static @Nullable Fault inTurn(long begin, long range, long grain, Piece work) {
    for (long first = begin; first < range; first += grain) {
      Fault fault = work.run(first, Math.min(range, first + grain));
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  /** Takes a processor if one is free. */
  private boolean join() {
    int now = busy.get();
    while (now < count) {
      if (busy.compareAndSet(now, now + 1)) {
        return true;
      }
      now = busy.get();
    }
    return false;
  }

  /** Work for a helper that has ended its own; null once it gave its processor back. */
  private @Nullable Share lookOut() {
    lookingOut.incrementAndGet();
    long start = System.nanoTime();
    Share found = null;
    while (found == null && busy.get() <= count && System.nanoTime() - start < lookOutNanos) {
      Thread.onSpinWait();
      found = openWork();
    }
    lookingOut.decrementAndGet();
    return found != null ? found : giveBack();
  }

  /** Gives a helper's processor back, but for work that began before it was free. */
  private @Nullable Share giveBack() {
    busy.decrementAndGet();
    Share late = openWork();
    return late != null && join() ? late : null;
  }

  private @Nullable Share openWork() {
    Share share = open.get();
    return share != null && share.hasMore() ? share : null;
  }

  /** One operation's pieces, taken in order by whoever is free. */
  private final class Share implements Runnable {
    private final long grain;
    private final int pieces;
    private final Guard.Work<Long> attempt;
    private final Thread caller = Thread.currentThread();
    private final AtomicInteger next = new AtomicInteger();

    /** Helpers at work; {@link #CLOSED} is added once nobody may begin any more. */
    private final AtomicInteger inside = new AtomicInteger();

    private static final int CLOSED = 1 << 30;

    private @Nullable Fault fault; // guarded by this
    private int faulty = Integer.MAX_VALUE; // guarded by this
    private volatile boolean heapIsFull;

    /** Whether the caller is about to wake somebody up. */
    private volatile boolean inviting;

    /** The pieces from number {@code begin} to before {@code pieces}. */
    Share(long range, long grain, int begin, int pieces, Piece work) {
      this.grain = grain;
      this.pieces = pieces;
      next.set(begin);
      this.attempt =
          first -> {
            Fault met = work.run(first, Math.min(range, first + grain));
            return met == null ? DONE : met;
          };
    }

    void invite(int most) {
      inviting = true;
      wakeUp(most);
      inviting = false;
    }

    private void wakeUp(int most) {
      for (int i = lookingOut.get(); i < most && hasMore() && join(); i++) {
        try {
          helpers.execute(this);
        } catch (RejectedExecutionException | OutOfMemoryError e) { // no thread to be had
          busy.decrementAndGet();
          return;
        }
      }
    }

    /**
     * What a helper does that was invited: this work, and what comes while it looks out. If the
     * caller is still at the invitation when the work is done, the system let the helper run in its
     * place: other programs have the other processors, and looking out would keep the caller off.
     */
    @Override
    public void run() {
      help();
      Share share = inviting ? giveBack() : lookOut();
      while (share != null) {
        share.help();
        share = lookOut();
      }
    }

    private void help() {
      boolean begun = inside.incrementAndGet() < CLOSED;
      try {
        if (begun) {
          take(count);
        }
      } catch (InternalError late) { // later still than take would see it: nobody's piece
        failed(pieces, Fault.thrown(late));
      } finally {
        if (inside.decrementAndGet() == CLOSED) {
          LockSupport.unpark(caller);
        }
      }
    }

    /**
     * Takes pieces until there are none, or one before them has failed, or more than {@code most}
     * threads want a processor.
     */
    void take(int most) {
      int last = pieces;
      try {
        while (busy.get() <= most) {
          int piece = next.getAndIncrement();
          if (piece >= pieces) {
            return;
          }
          last = piece;
          if (Guard.attempt(attempt, piece * grain) instanceof Fault met) {
            failed(piece, met);
          }
        }
      } catch (OutOfMemoryError e) { // no room for a fault, either: the caller makes it
        heapIsFull = true;
        next.set(pieces);
      } catch (
          InternalError late) { // the piece read a page that is gone, which the JVM tells later
        failed(last, Fault.thrown(late));
      }
    }

    boolean hasMore() {
      return next.get() < pieces;
    }

    /** Pieces that were taken before this one still end, and may replace its fault. */
    private synchronized void failed(int piece, Fault met) {
      next.set(pieces);
      if (piece < faulty) {
        faulty = piece;
        fault = met;
      }
    }

    /** For the caller, once all that began have ended. */
    synchronized @Nullable Fault outcome() {
      return fault == null && heapIsFull
          ? Fault.of(
              FaultType.OUT_OF_MEMORY, "the Java heap had no room for a part of an operation")
          : fault;
    }

    /** Whoever began is waited for, since it touches the caller's memory, interrupted or not. */
    void awaitHelpers() {
      boolean interrupted = false;
      if (inside.addAndGet(CLOSED) != CLOSED) {
        long start = System.nanoTime();
        while (inside.get() != CLOSED && System.nanoTime() - start < LOOK_OUT_NANOS) {
          Thread.onSpinWait();
        }
      }
      while (inside.get() != CLOSED) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        caller.interrupt();
      }
    }
  }
}
