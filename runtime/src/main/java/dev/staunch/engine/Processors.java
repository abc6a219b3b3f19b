package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The processors that work inside single operations shares: as many threads are at it at once as
 * there are processors, whoever asks. The caller always takes pieces itself and never waits for a
 * thread to come; others help while there are processors free. Thread-safe.
 *
 * <p>Which pieces there are depends on the work alone, so results do not depend on who helped.
 */
public final class Processors {
  private static final Processors OF_PROCESS =
      new Processors(Runtime.getRuntime().availableProcessors());

  /** What an attempt gives that met no fault. */
  private static final Object DONE = "done";

  private static final Processors OF_CALLER = new Processors(1);

  /** A part of a range of work. */
  @FunctionalInterface
  public interface Piece {
    /** Does what lies from {@code first} to before {@code end}; null, or the fault that it met. */
    @Nullable Fault run(long first, long end);
  }

  private final int count;
  private final Executor helpers;

  /** Threads that are at work now, callers among them. */
  private final AtomicInteger busy = new AtomicInteger();

  /** {@code count} processors, of which one is the caller's. */
  Processors(int count) {
    this.count = count;
    AtomicInteger number = new AtomicInteger();
    this.helpers =
        new ThreadPoolExecutor(
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
   * Runs {@code work} on pieces of {@code grain} from 0 to {@code range}; returns when none is
   * running any more.
   *
   * @return the fault of the first piece that met one, in order; pieces behind it may not have run
   */
  public @Nullable Fault run(long range, long grain, Piece work) {
    int pieces = Math.toIntExact(Math.ceilDiv(range, grain));
    if (pieces <= 1 || count == 1) {
      return inTurn(range, grain, work);
    }
    Share share = new Share(range, grain, pieces, work);
    busy.incrementAndGet();
    try {
      share.invite(pieces - 1);
      share.take();
      share.awaitHelpers();
    } finally {
      busy.decrementAndGet();
    }
    return share.fault;
  }

  private static @Nullable Fault inTurn(long range, long grain, Piece work) {
    for (long first = 0; first < range; first += grain) {
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

  /** One operation's pieces, taken in order by whoever is free. */
  private final class Share implements Runnable {
    private final long range;
    private final long grain;
    private final int pieces;
    private final Piece work;
    private final Thread caller = Thread.currentThread();
    private final AtomicInteger next = new AtomicInteger();

    /** Helpers at work; {@link #CLOSED} is added once nobody may begin any more. */
    private final AtomicInteger inside = new AtomicInteger();

    private static final int CLOSED = 1 << 30;

    private @Nullable Fault fault; // guarded by this
    private int faulty = Integer.MAX_VALUE; // guarded by this

    Share(long range, long grain, int pieces, Piece work) {
      this.range = range;
      this.grain = grain;
      this.pieces = pieces;
      this.work = work;
    }

    void invite(int most) {
      for (int i = 0; i < most && join(); i++) {
        try {
          helpers.execute(this);
        } catch (RejectedExecutionException | OutOfMemoryError e) { // no thread to be had
          busy.decrementAndGet();
          return;
        }
      }
    }

    @Override
    public void run() {
      try {
        if (inside.incrementAndGet() < CLOSED) {
          take();
        }
        if (inside.decrementAndGet() == CLOSED) {
          LockSupport.unpark(caller);
        }
      } finally {
        busy.decrementAndGet();
      }
    }

    /** Takes pieces until there are none, or one before them has failed. */
    void take() {
      for (int piece = next.getAndIncrement(); piece < pieces; piece = next.getAndIncrement()) {
        long first = piece * grain;
        Object outcome =
            Guard.attempt(
                at -> {
                  Fault met = work.run(at, Math.min(range, at + grain));
                  return met == null ? DONE : met;
                },
                first);
        if (outcome instanceof Fault met) {
          failed(piece, met);
        }
      }
    }

    /** Pieces that were taken before this one still end, and may replace its fault. */
    private synchronized void failed(int piece, Fault met) {
      next.set(pieces);
      if (piece < faulty) {
        faulty = piece;
        fault = met;
      }
    }

    /** Whoever began is waited for, since it touches the caller's memory, interrupted or not. */
    void awaitHelpers() {
      boolean interrupted = false;
      inside.addAndGet(CLOSED);
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
