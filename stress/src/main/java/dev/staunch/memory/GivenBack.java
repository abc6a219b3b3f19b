package dev.staunch.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What was made before a failure is released once, whoever else is at it (M2, M4). */
public final class GivenBack {
  private static final OffHeap MEMORY = OffHeap.withBudget(1L << 30);

  private GivenBack() {}

  /** What counts how often it was released. */
  private static final class Thing extends Resource {
    private Thing(ResourceScope home, AtomicInteger released) {
      super(home, released::incrementAndGet);
    }

    static Thing in(ResourceScope home, AtomicInteger released) {
      return home.own(new Thing(home, released));
    }

    @Override
    public String describe() {
      return "a thing";
    }
  }

  /** Made as all is given back: too early or too late, none is left. */
  @JCStressTest
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "each released once, the scope is empty")
  @State
  public static class AsItIsMade {
    private final AtomicInteger released = new AtomicInteger();
    private final ResourceScope scope = ResourceScope.open(MEMORY, "scope");
    private final Making making = Making.in(scope);

    @Actor
    public void make() {
      Thing.in(making.scope(), released);
      Thing.in(making.scope(), released);
    }

    @Actor
    public void fail() {
      making.giveBack();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = released.get();
      r.r2 = scope.account().members().isEmpty() ? 1 : 0;
      scope.close();
    }
  }

  /** Closed by hand as all is given back. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "released once, the scope is empty")
  @State
  public static class AsItIsClosed {
    private final AtomicInteger released = new AtomicInteger();
    private final ResourceScope scope = ResourceScope.open(MEMORY, "scope");
    private final Making making = Making.in(scope);
    private final Thing thing = Thing.in(making.scope(), released);

    @Actor
    public void hand() {
      thing.close();
    }

    @Actor
    public void fail() {
      making.giveBack();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = released.get();
      r.r2 = scope.account().members().isEmpty() ? 1 : 0;
      scope.close();
    }
  }

  /** Closed by its scope as all is given back. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "released once, the scope is empty")
  @State
  public static class AsItsScopeCloses {
    private final AtomicInteger released = new AtomicInteger();
    private final ResourceScope scope = ResourceScope.open(MEMORY, "scope");
    private final Making making = Making.in(scope);

    /** Makes what is raced for. */
    public AsItsScopeCloses() {
      Thing.in(making.scope(), released);
    }

    @Actor
    public void scope() {
      scope.close();
    }

    @Actor
    public void fail() {
      making.giveBack();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = released.get();
      r.r2 = scope.account().members().isEmpty() ? 1 : 0;
    }
  }

  /** Handed over elsewhere as all is given back: it is in the other scope, or released. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "handed over first")
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "given back first")
  @State
  public static class AsItIsHandedOver {
    private final AtomicInteger released = new AtomicInteger();
    private final ResourceScope scope = ResourceScope.open(MEMORY, "scope");
    private final ResourceScope elsewhere = ResourceScope.open(MEMORY, "elsewhere");
    private final Making making = Making.in(scope);
    private final Thing thing = Thing.in(making.scope(), released);

    @Actor
    public void move() {
      ResourceScope.moveTo(elsewhere, thing);
    }

    @Actor
    public void fail() {
      making.giveBack();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = released.get();
      r.r2 = elsewhere.account().members().snapshot().size();
      elsewhere.close();
      scope.close();
    }
  }

  /** Handed over through the handle as all is given back: it is given back, too. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "released once, both scopes are empty")
  @State
  public static class AsItComes {
    private final AtomicInteger released = new AtomicInteger();
    private final ResourceScope scope = ResourceScope.open(MEMORY, "scope");
    private final ResourceScope from = ResourceScope.open(MEMORY, "from");
    private final Making making = Making.in(scope);
    private final Thing thing = Thing.in(from, released);

    @Actor
    public void move() {
      ResourceScope.moveTo(making.scope(), thing);
    }

    @Actor
    public void fail() {
      making.giveBack();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = released.get();
      r.r2 = from.account().members().isEmpty() && scope.account().members().isEmpty() ? 1 : 0;
      from.close();
      scope.close();
    }
  }
}
