package dev.staunch.engine;

import dev.staunch.fault.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of a scope with a deadline goes, for the fault that reports it (C5): how much in
 * waits and in how many operations, the longest of them, and those that have not finished. Of
 * bounded size, whatever runs. Thread-safe.
 */
final class TimeBreakdown {
  /** How many operations the fault names. */
  private static final int NAMED = 3;

  private static final int NAME_LENGTH = 60;
  private static final Guard.Work<Object> NAME = Object::toString;
  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

  /** A piece of work with a name, and its start time or its duration. */
  private record Piece(Object work, long nanos) {}

  private final LongSupplier clock;
  private final List<Piece> longest = new ArrayList<>(NAMED + 1);
  private final List<Piece> running = new ArrayList<>(1);
  private int waits;
  private long waited;
  private long worked;
  private long count;
  private @Nullable Object step;
  private long stepped;

  TimeBreakdown(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * A wait begins. The time of the current waits is their number times now, less their start times.
   */
  synchronized void waitBegins() {
    waits++;
    waited -= clock.getAsLong();
  }

  synchronized void waitEnds() {
    waits--;
    waited += clock.getAsLong();
  }

  synchronized void begins(Object work) {
    running.add(new Piece(work, clock.getAsLong()));
  }

  @SuppressWarnings("ReferenceEquality") // identity is the point
  synchronized void ends(Object work) {
    for (int i = running.size() - 1; i >= 0; i--) {
      if (running.get(i).work == work) {
        note(work, clock.getAsLong() - running.remove(i).nanos);
        return;
      }
    }
  }

  /** Begins the next of consecutive steps, each of which ends where the next begins. */
  synchronized void steps(Object next) {
    long now = clock.getAsLong();
    if (step != null) {
      note(step, now - stepped);
    }
    step = next;
    stepped = now;
  }

  private void note(Object work, long nanos) {
    worked += nanos;
    count++;
    if (longest.size() == NAMED && nanos <= longest.getLast().nanos) {
      return;
    }
    int at = longest.size();
    while (at > 0 && longest.get(at - 1).nanos < nanos) {
      at--;
    }
    longest.add(at, new Piece(name(work), nanos)); // the name alone, so that no operand is retained
    if (longest.size() > NAMED) {
      longest.removeLast();
    }
  }

  private static String nameOfClass(Object work) {
    return work.getClass().getName();
  }

  private static String name(Object work) {
    String name = Guard.attempt(NAME, work) instanceof String known ? known : nameOfClass(work);
    return name.length() <= NAME_LENGTH ? name : name.substring(0, NAME_LENGTH) + "...";
  }

  /**
   * For example {@code 12 ms in waits for values; 9 ms in 3 operations, the longest aten::mm (8
   * ms)}.
   */
  String told() {
    long now = clock.getAsLong();
    StringBuilder text = new StringBuilder();
    List<Piece> unfinished;
    synchronized (this) {
      text.append(millis(waited + waits * now)).append(" ms in waits for values");
      if (count > 0) {
        text.append("; ").append(millis(worked)).append(" ms in ");
        text.append(Message.count(count, "operation"));
        List<Piece> told = longest.stream().filter(piece -> piece.nanos >= MILLISECOND).toList();
        text.append(told.isEmpty() ? "" : ", the longest " + list(told));
      }
      unfinished = unfinished(now);
    }
    return unfinished.isEmpty()
        ? text.toString()
        : text.append("; not finished: ").append(list(unfinished)).toString();
  }

  private List<Piece> unfinished(long now) {
    List<Piece> pieces = new ArrayList<>(NAMED);
    if (step != null && now - stepped >= MILLISECOND) {
      pieces.add(new Piece(step, now - stepped));
    }
    for (Piece piece : running) {
      if (pieces.size() < NAMED && now - piece.nanos >= MILLISECOND) {
        pieces.add(new Piece(piece.work, now - piece.nanos));
      }
    }
    return pieces;
  }

  private static String list(List<Piece> pieces) {
    List<String> texts = new ArrayList<>(pieces.size());
    for (Piece piece : pieces) {
      texts.add(Message.of("%s (%d ms)", name(piece.work), millis(piece.nanos)));
    }
    return String.join(", ", texts);
  }

  static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
