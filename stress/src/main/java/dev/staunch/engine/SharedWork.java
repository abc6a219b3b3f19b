package dev.staunch.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.staunch.fault.Fault;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@link Processors}: each piece runs once and none after its caller went on (M1), the first fault
 * in order is reported (F6), and every processor is given back. Here one of the actors is the
 * helper, which comes whenever it likes.
 */
public final class SharedWork {
  private SharedWork() {}

  /** Processors whose helpers are the threads that ask to be one. */
  private static final class Shared {
    private final int count;
    private final Queue<Runnable> invited = new ConcurrentLinkedQueue<>();
    final Processors processors;
    private final AtomicInteger run = new AtomicInteger();
    private final AtomicInteger late = new AtomicInteger();
    private volatile boolean over;

    Shared(int count) {
      this.count = count;
      this.processors = new Processors(count, 0, Processors.LOOK_OUT_NANOS, invited::add);
    }

    /** Counts the pieces of one operation's work, and those that begin or end after it was over. */
    class Work implements Processors.Piece {
      private volatile boolean ended;

      @Override
      public @Nullable Fault run(long first, long end) {
        late.addAndGet(ended ? 1 : 0);
        run.incrementAndGet();
        Fault fault = outcome();
        late.addAndGet(ended ? 1 : 0);
        return fault;
      }

      @Nullable Fault outcome() {
        return null;
      }
    }

    void call(Processors.Caller caller, long pieces) {
      Work work = new Work();
      caller.run(pieces, 1, work);
      work.ended = true;
    }

    /** No more work will come. */
    void end() {
      over = true;
    }

    void help() {
      boolean last = false;
      while (!last) {
        last = over;
        Runnable next = invited.poll();
        if (next != null) {
          next.run();
        }
      }
    }

    /** How many helpers the next caller gets, once those invited before have been there. */
    int free() {
      end();
      help();
      processors.run(count, 1, (first, end) -> null);
      return invited.size();
    }
  }

  /** A helper comes as the work ends, and then looks for the next work as that begins and ends. */
  @JCStressTest
  @Outcome(id = "4, 0, 1", expect = ACCEPTABLE, desc = "all pieces ran once and in time")
  @State
  public static class OneHelpsAsWorkEnds {
    private final Shared shared = new Shared(2);

    @Actor
    public void calls() {
      Processors.Caller caller = shared.processors.caller();
      shared.call(caller, 2);
      shared.call(caller, 2);
      caller.leave();
      shared.end();
    }

    @Actor
    public void helps() {
      shared.help();
    }

    @Arbiter
    public void left(III_Result r) {
      r.r3 = shared.free();
      r.r1 = shared.run.get();
      r.r2 = shared.late.get();
    }
  }

  /** Two callers come and go on two processors; helpers invited meanwhile come too late. */
  @JCStressTest
  @Outcome(id = "8, 0, 1", expect = ACCEPTABLE, desc = "each did its own work")
  @State
  public static class TwoCallersComeAndLeave {
    private final Shared shared = new Shared(2);

    private void twice() {
      Processors.Caller caller = shared.processors.caller();
      for (int i = 0; i < 2; i++) {
        caller.come();
        shared.call(caller, 2);
        caller.leave();
      }
    }

    @Actor
    public void one() {
      twice();
    }

    @Actor
    public void other() {
      twice();
    }

    @Arbiter
    public void left(III_Result r) {
      r.r3 = shared.free();
      r.r1 = shared.run.get();
      r.r2 = shared.late.get();
    }
  }

  /** A helper at work leaves to make way for a second caller. */
  @JCStressTest
  @Outcome(id = "6, 0, 1", expect = ACCEPTABLE, desc = "all pieces ran once and in time")
  @State
  public static class OneHelpsAndThenCalls {
    private final Shared shared = new Shared(2);

    @Actor
    public void calls() {
      Processors.Caller caller = shared.processors.caller();
      shared.call(caller, 4);
      caller.leave();
      shared.end();
    }

    @Actor
    public void helpsAndCalls() {
      Processors.Caller caller = shared.processors.caller();
      shared.call(caller, 2);
      shared.help();
      caller.leave();
    }

    @Arbiter
    public void left(III_Result r) {
      r.r3 = shared.free();
      r.r1 = shared.run.get();
      r.r2 = shared.late.get();
    }
  }

  /** Two pieces fail, whichever threads run them; the first in order gives the fault. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the fault of the first that failed")
  @State
  public static class TwoPiecesFail {
    private final Shared shared = new Shared(2);

    @Actor
    public void calls(II_Result r) {
      Fault fault =
          shared.processors.run(
              4, 1, (first, end) -> first == 0 ? null : Fault.value("piece " + first));
      r.r1 = fault != null && fault.message().equals("piece 1") ? 1 : 0;
      shared.end();
    }

    @Actor
    public void helps() {
      shared.help();
    }

    @Arbiter
    public void left(II_Result r) {
      r.r2 = shared.free();
    }
  }

  /** The work is cancelled by a thread that then helps. */
  @JCStressTest
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "cancelled too late")
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "cancelled")
  @State
  public static class OneCancelsAndHelps {
    private final Shared shared = new Shared(2);
    private final CancelScope scope = CancelScope.open();

    @Actor
    public void calls(III_Result r) {
      Shared.Work work =
          shared.new Work() {
            @Override
            @Nullable Fault outcome() {
              return scope.check();
            }
          };
      r.r1 = shared.processors.run(3, 1, work) == null ? 0 : 1;
      work.ended = true;
      shared.end();
    }

    @Actor
    public void cancels() {
      scope.cancel("enough");
      shared.help();
    }

    @Arbiter
    public void left(III_Result r) {
      r.r3 = shared.free();
      r.r2 = shared.late.get();
    }
  }
}
