package dev.staunch.engine;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait in one engine. One of them at a time watches: it wakes often, to check for
 * deadlines that have passed. The others sleep until something wakes them, so ten thousand waiters
 * cost no more than one. Thread-safe.
 */
final class WaitWatch {
  private static final Duration OFTEN = Duration.ofMillis(2);
  private static final Duration SELDOM = Duration.ofMillis(200);

  /**
   * How many of the waiters with a reason of their own to wake do so as often as the watching
   * thread.
   */
  private static final int RESTLESS = 8;

  private final long oftenNanos;
  private final long seldomNanos;
  private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Thread> watching = new AtomicReference<>();

  WaitWatch() {
    this(OFTEN, SELDOM);
  }

  /**
   * The watching thread wakes {@code often}, the others {@code seldom}, unless something wakes
   * them.
   */
  WaitWatch(Duration often, Duration seldom) {
    this.oftenNanos = often.toNanos();
    this.seldomNanos = seldom.toNanos();
  }

  /** The calling thread begins to wait; it calls {@link #leave} afterwards. */
  void enter() {
    waiting.add(Thread.currentThread());
  }

  /** Parks the calling thread until it is woken or should check again. */
  void park(Object blocker, boolean isRestless, long mostNanos) {
    Thread self = Thread.currentThread();
    long pause = seldomNanos;
    if (self.equals(watching.get()) || watching.compareAndSet(null, self)) {
      pause = oftenNanos;
    } else if (isRestless) {
      pause = Math.clamp(oftenNanos * (waiting.size() / RESTLESS), oftenNanos, seldomNanos);
    }
    LockSupport.parkNanos(blocker, Math.clamp(mostNanos, 1, pause));
  }

  /** The calling thread stops waiting; if it was watching, another thread takes over. */
  void leave() {
    Thread self = Thread.currentThread();
    waiting.remove(self);
    if (watching.compareAndSet(self, null) || watching.get() == null) {
      waiting.stream().findAny().ifPresent(LockSupport::unpark);
    }
  }
}
