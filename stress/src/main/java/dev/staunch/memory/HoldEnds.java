package dev.staunch.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** A closed resource is released once, and never under a holder that was let in (M1). */
public final class HoldEnds {
  private static final OffHeap MEMORY = OffHeap.withBudget(1L << 30);

  private HoldEnds() {}

  private static final Holder KERNEL = () -> "kernel";

  /** A scope with one member, which counts its releases. */
  private static final class Held {
    final AtomicInteger released = new AtomicInteger();
    final ResourceScope scope = ResourceScope.open(MEMORY, "scope");
    final Thing thing = scope.own(new Thing(scope, released));

    /** What a holder finds that was let in: 0 if nothing is released under it. */
    int under(boolean asUser) {
      Hold hold = asUser ? scope.holdMembers(KERNEL) : scope.hold(KERNEL);
      if (hold == null) {
        return 2;
      }
      int before = thing.isClosed() ? 0 : 1; // a holder that saw it open may use it
      int under = before == 1 ? released.get() : 0;
      hold.end();
      return under;
    }
  }

  private static final class Thing extends Resource {
    Thing(ResourceScope home, AtomicInteger released) {
      super(home, released::incrementAndGet);
    }

    @Override
    public String describe() {
      return "a thing";
    }
  }

  /** A holder comes, and leaves, as the scope closes. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "let in, and released afterwards")
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "refused")
  @State
  public static class AsItsScopeCloses {
    private final Held held = new Held();

    @Actor
    public void hold(II_Result r) {
      r.r1 = held.under(false);
    }

    @Actor
    public void close() {
      held.scope.close();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = held.released.get();
    }
  }

  /** One holder hands over to the next as the scope closes. */
  @JCStressTest
  @Outcome(id = "[02], [02], 1", expect = ACCEPTABLE, desc = "released once, under nobody")
  @State
  public static class OneAfterTheOther {
    private final Held held = new Held();

    @Actor
    public void first(III_Result r) {
      r.r1 = held.under(false);
    }

    @Actor
    public void second(III_Result r) {
      r.r2 = held.under(false);
    }

    @Actor
    public void close() {
      held.scope.close();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = held.released.get();
    }
  }

  /** A member is closed by itself as a holder comes that uses members. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "released once, not under its user")
  @State
  public static class AsAMemberIsClosed {
    private final Held held = new Held();

    @Actor
    public void hold(II_Result r) {
      r.r1 = held.under(true);
    }

    @Actor
    public void close() {
      held.thing.close();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = held.released.get();
      held.scope.close();
    }
  }

  /**
   * A holder that uses one member comes, and leaves, as that member is moved to another scope and
   * closed there.
   */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "2, 0"},
      expect = ACCEPTABLE,
      desc = "there under its user, or gone before; released in the end")
  @State
  public static class AsAMemberMovesAndIsClosed {
    private final ResourceScope scope = ResourceScope.open(MEMORY, "scope");
    private final ResourceScope other = ResourceScope.open(MEMORY, "other");
    private final Storage storage = (Storage) scope.allocate(8);
    private final Resource member = scope.own(new Stored(scope, storage));

    @Actor
    public void use(II_Result r) {
      Hold hold =
          new Hold(KERNEL) {
            @Override
            protected boolean uses(Releasable part) {
              return part == storage;
            }
          };
      if (scope.admit(hold)) {
        r.r1 = scope.contains(member) ? storage.references() > 0 ? 1 : 0 : 2;
        hold.end();
      }
    }

    @Actor
    public void moveAndClose() {
      ResourceScope.moveTo(other, member);
      member.close();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = storage.references();
      scope.close();
      other.close();
    }
  }

  private static final class Stored extends Resource {
    Stored(ResourceScope home, Storage storage) {
      super(home, storage);
    }

    @Override
    public String describe() {
      return "what is stored";
    }
  }
}
