package dev.staunch.inference;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.staunch.engine.CancelScope;
import dev.staunch.execute.StateJournal;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** {@link Gate}: many readers or one writer, and an end when the last has left (E4, S6). */
public final class GateTurns {
  private static final OffHeap MEMORY = OffHeap.withBudget(1 << 20);
  private static final ResourceScope SCOPE = ResourceScope.open(MEMORY, "requests");
  private static final int KEPT_OUT = 2;

  private GateTurns() {}

  /** A model that counts the threads in it. */
  private static final class Guarded {
    final AtomicInteger ends = new AtomicInteger();
    final Gate gate = new Gate("model", ends::incrementAndGet);
    final AtomicInteger readers = new AtomicInteger();
    final AtomicInteger writers = new AtomicInteger();

    /** The number of writers while this thread reads, or that it was kept out. */
    int read() {
      return readWhile(() -> {});
    }

    int readWhile(Runnable last) {
      Gate.Visit visit = new Gate.Visit(CancelScope.open(), null);
      if (gate.enter(visit) != null) {
        return KEPT_OUT;
      }
      readers.incrementAndGet();
      int others = writers.get() + ends.get();
      readers.decrementAndGet();
      last.run();
      gate.leave(visit);
      return others;
    }

    /** The number of other threads inside while this one writes, or that it was kept out. */
    int write(CancelScope cancel) {
      Gate.Visit visit = new Gate.Visit(cancel, new StateJournal(Set::of, SCOPE, cancel));
      if (gate.enter(visit) != null) {
        return KEPT_OUT;
      }
      int others = writers.getAndIncrement() + readers.get() + ends.get();
      writers.decrementAndGet();
      gate.leave(visit);
      return others;
    }

    /** Whether a thread that does not wait may write. */
    int isOpen() {
      CancelScope atOnce = CancelScope.open();
      atOnce.cancel("who has to wait gives up");
      return write(atOnce);
    }
  }

  /** One thread comes to read as another comes to write. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "one after the other")
  @State
  public static class ReaderAndWriter {
    private final Guarded model = new Guarded();

    @Actor
    public void read(III_Result r) {
      r.r1 = model.read();
    }

    @Actor
    public void write(III_Result r) {
      r.r2 = model.write(CancelScope.open());
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = model.isOpen();
    }
  }

  /** Two threads come to write. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "one after the other")
  @State
  public static class TwoWriters {
    private final Guarded model = new Guarded();

    @Actor
    public void one(III_Result r) {
      r.r1 = model.write(CancelScope.open());
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = model.write(CancelScope.open());
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = model.isOpen();
    }
  }

  /** A thread that waits to write gives up as its turn comes: that keeps nobody out. */
  @JCStressTest
  @Outcome(id = "0, [02], 0", expect = ACCEPTABLE, desc = "in turn, or given up; open afterwards")
  @State
  public static class GivenUp {
    private final Guarded model = new Guarded();
    private final CancelScope cancel = CancelScope.open();

    @Actor
    public void readAndCancel(III_Result r) {
      r.r1 = model.readWhile(() -> cancel.cancel("no longer wanted"));
    }

    @Actor
    public void write(III_Result r) {
      r.r2 = model.write(cancel);
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = model.isOpen();
    }
  }

  /**
   * The model closes as a thread comes to read: it ends once, and not while that thread is inside.
   */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "let in, and ended afterwards")
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "kept out")
  @State
  public static class AsItCloses {
    private final Guarded model = new Guarded();

    @Actor
    public void read(II_Result r) {
      r.r1 = model.read();
    }

    @Actor
    public void close() {
      model.gate.close(Duration.ofSeconds(30));
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = model.ends.get();
    }
  }
}
