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
 * The processors that the pieces of single operations share: one budget for all callers. The caller
 * always runs pieces itself and never waits for a helper to start. Helpers join only while fewer
 * threads are at work than there are processors.
 *
 * <p>A helper without work spins for a few microseconds before it sleeps, because the next work of
 * a request usually comes sooner than a thread wakes up. It stops spinning at once when callers
 * need its processor, or when it ran in its caller's place because other programs occupy the rest.
 * If every processor had a caller a moment ago, no helper is woken. Thread-safe.
 *
 * <p>The pieces depend on the work alone, so results do not depend on which threads helped.
 */
public final class Processors {
  /** Longer than a caller usually takes from one request to the next. */
  private static final long CROWD_NANOS = 1_000_000;

  private static final Processors OF_PROCESS =
      new Processors(Runtime.getRuntime().availableProcessors(), CROWD_NANOS);

  /** The result of an attempt without a fault. */
  private static final Object DONE = "done";

  private static final Processors OF_CALLER = new Processors(1, 0);

  /** More pieces than that are shared in several turns, so that an int can count those of each. */
  private static final int MOST_PIECES = 1 << 30;

  /** How long a helper spins before it sleeps: about the time that waking a thread takes. */
  static final long LOOK_OUT_NANOS = 50_000;

  /** A part of a range of work. */
  @FunctionalInterface
  public interface Piece {
    /**
     * Runs the part from {@code first} (inclusive) to {@code end} (exclusive). Returns null, or a
     * fault.
     */
    @Nullable Fault run(long first, long end);
  }

  private final int count;
  private final long crowdNanos;
  private final long lookOutNanos;
  private final Executor helpers;

  /** Threads that occupy a processor now: callers, working helpers and spinning helpers. */
  private final AtomicInteger busy = new AtomicInteger();

  /** The callers among them; if there are as many callers as processors, no helper can join. */
  private final AtomicInteger callers = new AtomicInteger();

  /** The last time when there were as many callers as processors. */
  private volatile long crowded;

  /** Helpers that spin, waiting for work. */
  private final AtomicInteger lookingOut = new AtomicInteger();

  /** The work that spinning helpers join: the latest one, while it lasts. */
  private final AtomicReference<@Nullable Share> open = new AtomicReference<>();

  /**
   * Creates a pool of {@code count} processors, one of which is the caller's.
   *
   * @param crowdNanos how long no helper joins after every processor had a caller of its own
   */
  Processors(int count, long crowdNanos) {
    this(count, crowdNanos, LOOK_OUT_NANOS, threads());
  }

  /**
   * As {@link #Processors(int, long)}.
   *
   * @param lookOutNanos how long a helper spins before it sleeps
   * @param helpers runs helpers, each on a thread of its own
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

  /**
   * The processors of the machine, or those that the container may use: one budget for the process.
   */
  public static Processors ofProcess() {
    return OF_PROCESS;
  }

  /** The calling thread alone, which runs all pieces one after another. */
  public static Processors ofCaller() {
    return OF_CALLER;
  }

  /**
   * A caller that repeatedly has work to share, like the requests of a plan. It counts as a busy
   * thread from its first shared work until it leaves, so that no other caller's helper takes its
   * processor in between. If it had such work the last time, it counts from the start. For one
   * thread at a time.
   */
  public final class Caller {
    private boolean counts;
    private boolean shares;
    private boolean shared;

    private Caller() {}

    /** Takes its processor at once if it had work to share the last time. */
    public void come() {
      if (shared && !counts) {
        Guard.ROOM.require(); // after arriving, it must be able to leave
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

    /** Releases its processor until it comes again or has work to share. */
    public void leave() {
      shared = shares;
      shares = false;
      if (counts) {
        counts = false;
        depart();
      }
    }
  }

  /** A caller that keeps its processor from one piece of shared work to the next. */
  public Caller caller() {
    return new Caller();
  }

  /**
   * Runs {@code work} on pieces of size {@code grain} from 0 to {@code range}; returns when no
   * piece is running any more.
   *
   * @return the fault of the first piece, in order, that failed; the pieces behind it may not have
   *     run
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

  /** At most {@link #MOST_PIECES}. */
  private static int pieces(long range, long grain) {
    return (int) Math.min(MOST_PIECES, Math.ceilDiv(range, grain));
  }

  /** Shares more pieces than an int can count, some after others. */
  private @Nullable Fault shareMany(long range, long grain, Piece work) {
    long most = grain * (MOST_PIECES / 2);
    Fault fault = null;
    for (long first = 0; first < range && fault == null; first += most) {
      long start = first;
      long length = Math.min(most, range - first);
      Piece part = (from, to) -> work.run(start + from, start + to);
      fault = share(length, grain, pieces(length, grain), part);
    }
    return fault;
  }

  /** For a caller that is already counted. */
  private @Nullable Fault share(long range, long grain, int pieces, Piece work) {
    if (pieces == MOST_PIECES) {
      return shareMany(range, grain, work);
    }
    int done = 0;
    while (isCrowd() && done < pieces) { // the crowd may disperse before a long work ends
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
    // Set before any helper is invited: a helper that stops spinning sees it, or its processor is
    // free.
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

  /** Whether every processor has a caller of its own, or had one a moment ago. */
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

  /**
   * Spins for more work for a helper that has finished; returns null after giving up its processor.
   */
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

  /** Gives up a helper's processor, unless work arrived before the processor was free. */
  private @Nullable Share giveBack() {
    busy.decrementAndGet();
    Share late = openWork();
    return late != null && join() ? late : null;
  }

  private @Nullable Share openWork() {
    Share share = open.get();
    return share != null && share.hasMore() ? share : null;
  }

  /** One operation's pieces, taken in order by the threads that are free. */
  private final class Share implements Runnable {
    private final long grain;
    private final int pieces;
    private final Guard.Work<Long> attempt;
    private final Thread caller = Thread.currentThread();
    private final AtomicInteger next = new AtomicInteger();

    /** Helpers at work; {@link #CLOSED} is added once no further helper may begin. */
    private final AtomicInteger inside = new AtomicInteger();

    private static final int CLOSED = 1 << 30;

    private @Nullable Fault fault; // guarded by this
    private int faulty = Integer.MAX_VALUE; // guarded by this
    private volatile boolean heapIsFull;

    /** Whether the caller is in the middle of waking helpers. */
    private volatile boolean inviting;

    /** The pieces from {@code begin} (inclusive) to {@code pieces} (exclusive). */
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
        } catch (RejectedExecutionException | OutOfMemoryError e) { // no thread available
          busy.decrementAndGet();
          return;
        }
      }
    }

    /**
     * What an invited helper does: this work, and then any that comes while it spins. If the caller
     * is still inviting when the work is done, the system ran the helper in the caller's place.
     * Other programs then occupy the other processors, and spinning would keep the caller off its
     * own.
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
      } catch (InternalError late) { // even later than take would see it: belongs to no piece
        failed(pieces, Fault.thrown(late));
      } finally {
        if (inside.decrementAndGet() == CLOSED) {
          LockSupport.unpark(caller);
        }
      }
    }

    /**
     * Runs pieces until there are none left, an earlier one has failed, or more than {@code most}
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
      } catch (OutOfMemoryError e) { // no room for a fault either: the caller creates it
        heapIsFull = true;
        next.set(pieces);
      } catch (
          InternalError late) { // the piece read a page that is gone, which the JVM reports late
        failed(last, Fault.thrown(late));
      }
    }

    boolean hasMore() {
      return next.get() < pieces;
    }

    /** Pieces taken before this one still finish, and may replace its fault. */
    private synchronized void failed(int piece, Fault met) {
      next.set(pieces);
      if (piece < faulty) {
        faulty = piece;
        fault = met;
      }
    }

    /** For the caller, once all helpers that began have finished. */
    synchronized @Nullable Fault outcome() {
      return fault == null && heapIsFull
          ? Fault.of(
              FaultType.OUT_OF_MEMORY, "the Java heap had no room for a part of an operation")
          : fault;
    }

    /**
     * Waits for every helper that began, even if interrupted, because helpers touch the caller's
     * memory.
     */
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
