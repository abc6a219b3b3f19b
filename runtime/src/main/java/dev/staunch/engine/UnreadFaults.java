package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The faults of one context that nobody has read (F10). One is struck off when it is read; when
 * nobody can read it any more, or its context closes, it is handed to the handler. {@code waitAll}
 * takes all that is left, those that were handed over included. Thread-safe; what a fault costs
 * here does not depend on how many there were (F12).
 */
final class UnreadFaults {
  /** Faults that nobody can read any more and that are still kept for {@code waitAll}. */
  private static final int MAX_LOST = 1024;

  private final FaultWatch watch;
  private final Consumer<Fault> handler;
  private @Nullable Entry first;
  private int lost;
  private long arisen;
  private long handedOver;
  private boolean closed;

  /** Tells the handler of a fault that was lost. */
  private @Nullable Thread teller;

  /** One fault: kept so that the original can become unreachable, which shows that it is lost. */
  private final class Entry extends FaultWatch.Watched implements Runnable {
    final Fault copy;
    final WeakReference<Fault> original;
    @Nullable Entry previous;
    @Nullable Entry next;
    boolean listed;
    boolean handed;

    Entry(Fault fault) {
      super(fault.reach(), watch);
      this.copy = fault.copy();
      copy.reach().markKnown();
      this.original = new WeakReference<>(fault);
    }

    Fault fault() {
      Fault known = original.get();
      return known == null ? copy : known;
    }

    /** Somebody has read it. */
    @Override
    public void run() {
      strike(this);
      clear();
    }

    @Override
    void lost() {
      lose(this);
    }
  }

  UnreadFaults(FaultWatch watch, Consumer<Fault> handler) {
    this.watch = watch;
    this.handler = handler;
  }

  /** Takes a fault that has just arisen. */
  void add(Fault fault) {
    Entry entry = new Entry(fault);
    boolean late;
    synchronized (this) {
      arisen++;
      late = closed;
      if (late) {
        handedOver++;
      } else {
        link(entry);
      }
    }
    if (late) {
      hand(entry.copy);
      return;
    }
    fault.reach().whenRead(entry);
    watch.start();
  }

  private void link(Entry entry) {
    entry.listed = true;
    entry.next = first;
    if (first != null) {
      first.previous = entry;
    }
    first = entry;
  }

  private synchronized boolean strike(Entry entry) {
    if (!entry.listed) {
      return false;
    }
    entry.listed = false;
    if (entry.previous == null) {
      first = entry.next;
    } else {
      entry.previous.next = entry.next;
    }
    if (entry.next != null) {
      entry.next.previous = entry.previous;
    }
    entry.previous = null;
    entry.next = null;
    lost -= entry.handed ? 1 : 0;
    return true;
  }

  private void lose(Entry entry) {
    synchronized (this) {
      if (!entry.listed || entry.handed) {
        return;
      }
      handedOver++;
      if (lost < MAX_LOST) {
        lost++;
        entry.handed = true;
      } else {
        strike(entry);
      }
      teller = Thread.currentThread();
    }
    try {
      hand(entry.copy);
    } finally {
      told();
    }
  }

  private synchronized void told() {
    teller = null;
    notifyAll();
  }

  /** Whether another thread is just telling the handler of a fault that was lost. */
  synchronized boolean isToldElsewhere() {
    return teller != null && !teller.equals(Thread.currentThread());
  }

  private synchronized void awaitTold() {
    try {
      while (isToldElsewhere()) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void hand(Fault fault) {
    Guard.run(handler, fault);
  }

  /** All faults that nobody has read, in no order; they count as read from now on. */
  List<Fault> takeAll() {
    List<Fault> faults = new ArrayList<>();
    synchronized (this) {
      for (Entry entry = first; entry != null; entry = first) {
        faults.add(entry.fault());
        strike(entry);
      }
    }
    faults.forEach(Fault::markRead);
    return faults;
  }

  /**
   * The context closes: whatever arises from now on is handed over at once, and whoever calls this
   * hands over what is returned, all that nobody has read.
   */
  List<Fault> close() {
    List<Fault> left = new ArrayList<>();
    synchronized (this) {
      closed = true;
      for (Entry entry = first; entry != null; entry = first) {
        if (!entry.handed) {
          handedOver++;
          left.add(entry.fault());
        }
        strike(entry);
      }
    }
    return left;
  }

  /**
   * Tells the handler of {@code faults}, which {@link #close} has counted; returns when it has been
   * told of what it is told {@code elsewhere}, too.
   */
  void handOver(List<Fault> faults, boolean elsewhere) {
    faults.forEach(this::hand);
    if (elsewhere) {
      awaitTold();
    }
  }

  /** Faults that arose so far. */
  synchronized long arisen() {
    return arisen;
  }

  /** Faults handed to the handler so far, for nobody had read them. */
  synchronized long handedOver() {
    return handedOver;
  }
}
