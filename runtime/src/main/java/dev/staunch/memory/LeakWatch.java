package dev.staunch.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records where resources were created, counts those that leaked, and reports them (M7). */
final class LeakWatch {
  private final MemoryOptions options;

  /** Whether any resource records where it was created. */
  final boolean isOn;

  private final AtomicLong made = new AtomicLong();
  private final AtomicLong leaked = new AtomicLong();

  LeakWatch(MemoryOptions options) {
    this.options = options;
    this.isOn = options.leakDetection().isOn();
  }

  /** Where a resource is created, for the one in so many that records it. */
  @Nullable Creation creation(Supplier<String> description, Class<?> type, String scope) {
    return made.getAndIncrement() % options.leakDetection().every() == 0
        ? Creation.of(description, type, scope)
        : null;
  }

  /** The number of resources so far that were not closed in time. */
  long count() {
    return leaked.get();
  }

  /** Releases a resource that is no longer reachable. */
  void reap(Life life) {
    Creation creation = life.creation;
    end(life, Life.Way.REAPED, creation == null ? null : creation.leak(bytes(life), true));
  }

  /** Releases a resource that is open although its memory closes. */
  void endOpen(Life life, String scope) {
    Leak leak = life.creation == null ? null : described(life, scope);
    end(life, Life.Way.MEMORY, leak);
  }

  private void end(Life life, Life.Way way, @Nullable Leak leak) {
    if (life.end(way, leaked::incrementAndGet)) {
      report(leak);
    }
  }

  private void report(@Nullable Leak leak) {
    if (leak != null) {
      FlightEvents.leaked(leak);
      tell(leak);
    }
  }

  private void tell(Leak leak) {
    Throwable thrown = Attempts.thrownBy(() -> options.leakListener().accept(leak));
    if (thrown != null) {
      System.getLogger(LeakWatch.class.getName())
          .log(System.Logger.Level.WARNING, "a listener to leaks threw", thrown);
    }
  }

  /** The open resources below {@code account}, as leak reports describe them. */
  static List<Leak> open(Account account) {
    List<Leak> all = new ArrayList<>();
    for (Account each : account.tree()) {
      for (Life life : each.members().snapshot()) {
        all.add(described(life, each.name()));
      }
    }
    return all;
  }

  private static Leak described(Life life, String scope) {
    Creation creation = life.creation;
    return creation != null
        ? creation.leak(bytes(life), false)
        : new Leak("a resource", bytes(life), scope, Duration.ZERO, false, List.of());
  }

  private static long bytes(Life life) {
    return life.part() instanceof Storage storage ? storage.byteSize() : 0;
  }
}
