package dev.staunch.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.staunch.fault.Fault;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** {@link UnreadLog}: concurrent faults make one line, and none goes uncounted (F10). */
public final class LoggedOnce {
  private static final Fault FAULT = Fault.value("nobody reads this");

  private LoggedOnce() {}

  /** Three concurrent faults: those that come too late are counted, in this line or the next. */
  @JCStressTest
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "a line, and two counted")
  @State
  public static class ThreeAtOnce {
    private final AtomicInteger lines = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private long now;
    private final UnreadLog log = new UnreadLog(() -> now, this::line);

    private void line(String line) {
      lines.incrementAndGet();
      int count = line.lastIndexOf('(') + 1;
      told.addAndGet(Integer.parseInt(line, count, line.indexOf(' ', count), 10));
    }

    @Actor
    public void one() {
      log.accept(FAULT);
    }

    @Actor
    public void two() {
      log.accept(FAULT);
    }

    @Actor
    public void three() {
      log.accept(FAULT);
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = lines.get();
      now = Long.MAX_VALUE / 2; // the next line says how many are not counted yet
      log.accept(FAULT);
      r.r2 = told.get();
    }
  }
}
