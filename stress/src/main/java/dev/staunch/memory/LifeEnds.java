package dev.staunch.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A {@link Life} ends once, whatever list it is in and whoever ends it (M2, M3). */
public final class LifeEnds {
  private static final OffHeap MEMORY = OffHeap.withBudget(1L << 30);

  private LifeEnds() {}

  /** A resource that counts its releases. */
  private static final class Thing extends Resource {
    final AtomicInteger released;

    private Thing(ResourceScope home, AtomicInteger released) {
      super(home, released::incrementAndGet);
      this.released = released;
    }

    static Thing in(ResourceScope home) {
      return home.own(new Thing(home, new AtomicInteger()));
    }

    @Override
    public String describe() {
      return "a thing";
    }
  }

  /** Closed by hand, by its scope, and by the reaper at the same time. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "released once, its scope is empty")
  @State
  public static class ThreeWays {
    private final ResourceScope scope = ResourceScope.open(MEMORY, "scope");
    private final Thing thing = Thing.in(scope);

    @Actor
    public void hand() {
      thing.close();
    }

    @Actor
    public void scope() {
      scope.close();
    }

    @Actor
    public void reaper() {
      thing.life.end(Life.Way.REAPED, null);
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = thing.released.get();
      r.r2 = scope.account().members().isEmpty() ? 1 : 0;
    }
  }

  /** Moved to another scope while both scopes close. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "released once, both scopes are empty")
  @State
  public static class MovedAsBothScopesClose {
    private final ResourceScope from = ResourceScope.open(MEMORY, "from");
    private final ResourceScope to = ResourceScope.open(MEMORY, "to");
    private final Thing thing = Thing.in(from);

    @Actor
    public void move() {
      ResourceScope.moveTo(to, thing);
    }

    @Actor
    public void closeSource() {
      from.close();
    }

    @Actor
    public void closeTarget() {
      to.close();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = thing.released.get();
      r.r2 = from.account().members().isEmpty() && to.account().members().isEmpty() ? 1 : 0;
    }
  }

  /** Moved to two scopes and closed at the same time. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "released once, in no list")
  @State
  public static class MovedTwiceAndClosed {
    private final ResourceScope from = ResourceScope.open(MEMORY, "from");
    private final ResourceScope one = ResourceScope.open(MEMORY, "one");
    private final ResourceScope other = ResourceScope.open(MEMORY, "other");
    private final Thing thing = Thing.in(from);

    @Actor
    public void moveToOne() {
      ResourceScope.moveTo(one, thing);
    }

    @Actor
    public void moveToOther() {
      ResourceScope.moveTo(other, thing);
    }

    @Actor
    public void close() {
      thing.close();
    }

    @Arbiter
    public void after(II_Result r) {
      boolean none = isEmpty(from) && isEmpty(one) && isEmpty(other);
      from.close();
      one.close();
      other.close();
      r.r1 = thing.released.get();
      r.r2 = none ? 1 : 0;
    }

    private static boolean isEmpty(ResourceScope scope) {
      return scope.account().members().isEmpty();
    }
  }

  /** Detached while its scope closes: either the caller owns it, or it is gone. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 1"},
      expect = ACCEPTABLE,
      desc = "still open in nobody's list, or released; once after a close")
  @State
  public static class DetachedAsItsScopeCloses {
    private final ResourceScope scope = ResourceScope.open(MEMORY, "scope");
    private final Thing thing = Thing.in(scope);

    @Actor
    public void detach() {
      ResourceScope.detach(thing);
    }

    @Actor
    public void close() {
      scope.close();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = thing.released.get();
      thing.close();
      r.r2 = thing.released.get();
    }
  }
}
