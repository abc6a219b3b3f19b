package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The faults of one context that have not been read (F10). A fault is removed when it is read. When
 * it can no longer be read, or its context closes, it is handed to the handler. {@code waitAll}
 * takes all that are left, including those already handed over. Thread-safe; the cost of a fault
 * does not depend on how many there were (F12).
 */
final class UnreadFaults {
  /** How many faults that can no longer be read are kept for {@code waitAll}. */
  private static final int MAX_LOST = 1024;

  private final FaultWatch watch;
  private final Consumer<Fault> handler;
  private @Nullable Entry first;
  private int lost;
  private long arisen;
  private long handedOver;
  private boolean closed;

  /** The thread that is telling the handler of a lost fault. */
  private @Nullable Thread teller;

  /**
   * One fault: keeps a copy, so that the original can become unreachable, which shows that it is
   * lost.
   */
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

    /** Called when the fault is read. */
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

  /** Adds a fault that has just arisen. */
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

  /** Whether another thread is telling the handler of a lost fault at this moment. */
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

  /** All unread faults, in no particular order; they count as read from now on. */
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
   * Closes the context's list. Returns all unread faults, which the caller hands over; every fault
   * that arises from now on is handed over at once.
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
   * Tells the handler of {@code faults}, which {@link #close} has counted. If a lost fault is being
   * told {@code elsewhere}, waits for that too.
   */
  void handOver(List<Fault> faults, boolean elsewhere) {
    faults.forEach(this::hand);
    if (elsewhere) {
      awaitTold();
    }
  }

  /** The number of faults that arose so far. */
  synchronized long arisen() {
    return arisen;
  }

  /** The number of faults handed to the handler so far because they were not read. */
  synchronized long handedOver() {
    return handedOver;
  }
}
