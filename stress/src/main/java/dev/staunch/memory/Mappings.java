package dev.staunch.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * What a {@link MemoryCore} tracks of mapped files: their bytes, and arenas to be closed later (M4,
 * M8).
 */
public final class Mappings {
  private Mappings() {}

  private static MemoryCore core() {
    return new MemoryCore(MemoryOptions.withBudget(1 << 20));
  }

  /** An arena that can be in use as if by a system call, and that counts attempts to close it. */
  private static final class Watched implements Arena {
    private final Arena real = Arena.ofShared();
    private final AtomicInteger tries = new AtomicInteger();
    private volatile boolean used;

    Watched(boolean used) {
      this.used = used;
    }

    void letGo() {
      used = false;
    }

    int tries() {
      return tries.get();
    }

    int alive() {
      return real.scope().isAlive() ? 1 : 0;
    }

    @Override
    public MemorySegment allocate(long bytes, long alignment) {
      return real.allocate(bytes, alignment);
    }

    @Override
    public MemorySegment.Scope scope() {
      return real.scope();
    }

    @Override
    public void close() {
      tries.incrementAndGet();
      if (used) {
        throw new IllegalStateException("a system call uses it");
      }
      real.close();
    }
  }

  /** How many of the deferred arenas a further trim still finds. */
  private static int leftIn(MemoryCore core, Watched... arenas) {
    int before = 0;
    for (Watched arena : arenas) {
      before -= arena.tries();
    }
    core.trim();
    for (Watched arena : arenas) {
      before += arena.tries();
    }
    return before;
  }

  /** The reaper and a trim close the same arena at the same time. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "closed, and nobody looks at it again")
  @State
  public static class ClosedByTwo {
    private final MemoryCore core = core();
    private final Watched arena = new Watched(false);

    public ClosedByTwo() {
      core.files.closeLater(arena);
    }

    @Actor
    public void reaper() {
      core.tick();
    }

    @Actor
    public void trim() {
      core.trim();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = arena.alive();
      r.r2 = leftIn(core, arena);
    }
  }

  /** One arena is deferred while another one is closed. */
  @JCStressTest
  @Outcome(
      id = {"0, 0, 0", "0, 1, 1"},
      expect = ACCEPTABLE,
      desc = "the first is closed; the other too, or the next look closes it")
  @State
  public static class PutOffAsOneIsClosed {
    private final MemoryCore core = core();
    private final Watched first = new Watched(false);
    private final Watched other = new Watched(false);

    public PutOffAsOneIsClosed() {
      core.files.closeLater(first);
    }

    @Actor
    public void putOff() {
      core.files.closeLater(other);
    }

    @Actor
    public void trim() {
      core.trim();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r1 = first.alive();
      r.r2 = other.alive();
      r.r3 = leftIn(core, first, other);
    }
  }

  /** The system call ends while another thread tries to close its arena. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "closed, and nobody looks at it again")
  @State
  public static class LetGoAsItIsClosed {
    private final MemoryCore core = core();
    private final Watched arena = new Watched(true);

    public LetGoAsItIsClosed() {
      core.files.closeLater(arena);
    }

    @Actor
    public void letGo() {
      arena.letGo();
      core.tick();
    }

    @Actor
    public void trim() {
      core.trim();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = arena.alive();
      r.r2 = leftIn(core, arena);
    }
  }

  /** Files are mapped and unmapped at the same time. */
  @JCStressTest
  @Outcome(id = "1, 30, 0", expect = ACCEPTABLE, desc = "every byte is counted once")
  @State
  public static class MappedAtOnce {
    private final MemoryCore core = core();

    @Actor
    public void mapAndUnmap(III_Result r) {
      core.files.count(100);
      r.r1 = core.isIdle() ? 0 : 1;
      core.files.count(-100);
    }

    @Actor
    public void map() {
      core.files.count(20);
      core.files.count(10);
    }

    @Arbiter
    public void after(III_Result r) {
      r.r2 = (int) core.mappedBytes();
      core.files.count(-30);
      r.r3 = (int) core.mappedBytes();
    }
  }
}
