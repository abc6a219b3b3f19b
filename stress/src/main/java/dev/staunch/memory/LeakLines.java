package dev.staunch.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** {@link LeakLog}: concurrent leaks make one line, and none goes uncounted (M7). */
public final class LeakLines {
  private static final Leak LEAK =
      new Leak("float32[4]", 16, "request", Duration.ZERO, false, List.of());

  private LeakLines() {}

  /** Two concurrent leaks: one that comes too late is counted, in this line or the next. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "a line, and one counted")
  @State
  public static class TwoAtOnce {
    private final AtomicInteger lines = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private long now;
    private final LeakLog log = new LeakLog(() -> now, this::line);

    private void line(String line) {
      lines.incrementAndGet();
      int count = line.lastIndexOf('(') + 1;
      if (count > 0) {
        told.addAndGet(Integer.parseInt(line, count, line.indexOf(' ', count), 10));
      }
    }

    @Actor
    public void one() {
      log.accept(LEAK);
    }

    @Actor
    public void other() {
      log.accept(LEAK);
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = lines.get();
      now = Long.MAX_VALUE / 2; // the next line says how many are not counted yet
      log.accept(LEAK);
      r.r2 = told.get();
    }
  }
}
