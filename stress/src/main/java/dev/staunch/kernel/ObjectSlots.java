package dev.staunch.kernel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * {@link ObjectValue}: what one thread puts into a slot another sees completely, or not at all
 * (S6).
 */
public final class ObjectSlots {
  private static final ClassLayout LAYOUT = new ClassLayout("Cell", List.of("left", "right"));

  private ObjectSlots() {}

  /** Its fields are neither final nor volatile: only the slot publishes them. */
  private static final class Content {
    private int first;
    private int second;

    Content(int value) {
      this.first = value;
      this.second = value;
    }

    int seen() {
      return first == second ? first : -1;
    }
  }

  private static int seen(@Nullable Object slot) {
    return slot instanceof Content content ? content.seen() : 0;
  }

  /** An object is made and put into a slot while another thread looks. */
  @JCStressTest
  @Outcome(
      id = {"0", "7"},
      expect = ACCEPTABLE,
      desc = "nothing yet, or all of it")
  @State
  public static class SeenWhole {
    private final ObjectValue object = new ObjectValue(LAYOUT);

    @Actor
    public void set() {
      object.set(0, new Content(7));
    }

    @Actor
    public void get(I_Result r) {
      r.r1 = seen(object.get(0));
    }
  }

  /** Two threads write a slot at once; each reads what it, or the other, has put there. */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "1, 2", "2, 2"},
      expect = ACCEPTABLE,
      desc = "a whole one, in an order that both agree on")
  @State
  public static class WrittenByTwo {
    private final ObjectValue object = new ObjectValue(LAYOUT);

    @Actor
    public void one(II_Result r) {
      object.set(0, new Content(1));
      r.r1 = seen(object.get(0));
    }

    @Actor
    public void other(II_Result r) {
      object.set(0, new Content(2));
      r.r2 = seen(object.get(0));
    }
  }

  /** A thread that sees the slot that was set last also sees the one that was set before. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "2, 1"},
      expect = ACCEPTABLE,
      desc = "in the order in which they were set")
  @State
  public static class SetInOrder {
    private final ObjectValue object = new ObjectValue(LAYOUT);

    @Actor
    public void set() {
      object.set(0, new Content(1));
      object.set(1, new Content(2));
    }

    @Actor
    public void get(II_Result r) {
      r.r1 = seen(object.get(1));
      r.r2 = seen(object.get(0));
    }
  }
}
