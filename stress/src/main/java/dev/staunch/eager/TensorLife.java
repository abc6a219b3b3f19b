package dev.staunch.eager;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.staunch.engine.EngineOptions;
import dev.staunch.engine.Variable;
import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A {@link Tensor} that is closed, used, read and settled at the same time (M1, M2). */
public final class TensorLife {
  private static final OffHeap MEMORY = OffHeap.withBudget(1L << 30);
  private static final Context CONTEXT =
      Context.open(
          MEMORY,
          ContextOptions.standard().withEngine(EngineOptions.threaded(1).withNoteSources(false)));

  private TensorLife() {}

  private static DenseTensor filled(byte value) {
    DenseTensor made =
        (DenseTensor) DenseTensor.allocate(CONTEXT.scope(), DType.UINT8, Shape.of(8));
    made.segment().fill(value);
    return made;
  }

  private static Tensor pending() {
    return new Tensor(CONTEXT, (Handle) null, CONTEXT.scope());
  }

  private static int closed(DenseTensor tensor) {
    return tensor.isClosed() ? 1 : 0;
  }

  /** Closed while its content arrives and an operation releases it. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "the content is closed")
  @State
  public static class ClosedAsItArrives {
    private final Tensor tensor = pending();
    private final DenseTensor content = filled((byte) 1);

    public ClosedAsItArrives() {
      tensor.use();
    }

    @Actor
    public void settle() {
      tensor.settle(content, null);
    }

    @Actor
    public void close() {
      tensor.close();
    }

    @Actor
    public void letGo() {
      tensor.unuse();
    }

    @Arbiter
    public void after(I_Result r) {
      r.r1 = closed(content);
      content.close();
    }
  }

  /** Used while it is closed: a thread that may use it finds it open. */
  @JCStressTest
  @Outcome(
      id = {"1, 1, 1", "1, 0, 1", "0, 1, 1", "0, 0, 1"},
      expect = ACCEPTABLE,
      desc = "used in time or too late, and closed in the end")
  @State
  public static class UsedAsItIsClosed {
    private final DenseTensor content = filled((byte) 1);
    private final Tensor tensor = CONTEXT.wrap(content);

    private int use() {
      int found = 0;
      if (tensor.use()) {
        found = content.retain() ? 1 : -1;
        if (found == 1) {
          content.release();
        }
      }
      tensor.unuse();
      return found;
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = use();
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = use();
    }

    @Actor
    public void close() {
      tensor.close();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = closed(content);
      content.close();
    }
  }

  /** Two operations use it and let it go, while its scope closes it (M1). */
  @JCStressTest
  @Outcome(
      id = {"42, 42, 0", "42, -1, 0", "-1, 42, 0", "-1, -1, 0"},
      expect = ACCEPTABLE,
      desc = "who used it in time has its bytes; all are back in the end")
  @State
  public static class HeldAsItsScopeIsClosed {
    private final DenseTensor content = filled((byte) 42);
    private final Tensor tensor = CONTEXT.wrap(content);

    private int use() {
      int found = tensor.use() ? content.storage().segment().get(ValueLayout.JAVA_BYTE, 7) : -1;
      if (found >= 0 && !content.storage().isAlive()) {
        found = -2;
      }
      tensor.unuse();
      return found;
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = use();
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = use();
    }

    @Actor
    public void close() {
      content.close();
      filled((byte) 99).close();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = content.storage().references();
    }
  }

  /** As above, with its bytes read, on two processors. */
  @JCStressTest
  @Outcome(
      id = {"42, 0", "-1, 0"},
      expect = ACCEPTABLE,
      desc = "who used it in time has its bytes; all are back in the end")
  @State
  public static class HeldByOneAsItsScopeIsClosed {
    private final DenseTensor content = filled((byte) 42);
    private final Tensor tensor = CONTEXT.wrap(content);

    @Actor
    public void use(II_Result r) {
      r.r1 = tensor.use() ? content.storage().segment().get(ValueLayout.JAVA_BYTE, 7) : -1;
      tensor.unuse();
    }

    @Actor
    public void close() {
      content.close();
      filled((byte) 99).close();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = content.storage().references();
    }
  }

  /** It arrives while an operation begins to use it, and is held for that one (M1). */
  @JCStressTest
  @Outcome(id = "2, 1, 0", expect = ACCEPTABLE, desc = "held once, until it is let go")
  @State
  public static class HeldAsItArrives {
    private final Tensor tensor = pending();
    private final DenseTensor content = filled((byte) 1);

    @Actor
    public void settle() {
      tensor.settle(content, null);
    }

    @Actor
    public void use() {
      tensor.use();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r1 = content.storage().references();
      tensor.unuse();
      r.r2 = content.storage().references();
      content.close();
      r.r3 = content.storage().references();
    }
  }

  /** A failed tensor is healed by a copy while it is closed (F4). */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the copy is closed and its bytes are back")
  @State
  public static class HealedAsItIsClosed {
    private static final Fault FAULT = Fault.value("failed before");
    private final Tensor tensor = new Tensor(CONTEXT, new Variable(), FAULT);
    private final DenseTensor copy = filled((byte) 1);

    @Actor
    public void heal() {
      tensor.assign(copy);
    }

    @Actor
    public void close() {
      tensor.close();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = tensor.content() instanceof DenseTensor healed ? closed(healed) : -1;
      r.r2 = copy.storage().references();
    }
  }

  /** Read while it is closed and other threads make tensors: never another tensor's data (M2). */
  @JCStressTest
  @Outcome(
      id = {"42, 0", "-1, 0"},
      expect = ACCEPTABLE,
      desc = "its own elements, or the fault that says it was closed")
  @State
  public static class ReadAsItIsClosed {
    private final DenseTensor content = filled((byte) 42);
    private final Tensor tensor = CONTEXT.wrap(content);

    @Actor
    public void read(II_Result r) {
      try {
        r.r1 = tensor.read(dense -> (int) dense.segment().get(ValueLayout.JAVA_BYTE, 7));
      } catch (StaunchException.ClosedException e) {
        r.r1 = -1;
      }
    }

    @Actor
    public void close() {
      tensor.close();
    }

    @Actor
    public void reuse() {
      filled((byte) 99).close();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = content.storage().references();
    }
  }

  /** An operation on a tensor that is closed meanwhile: the right result, or closed (M1). */
  @JCStressTest
  @Outcome(
      id = {"43, 0", "-1, 0"},
      expect = ACCEPTABLE,
      desc = "the sum, or the fault that says it was closed")
  @State
  public static class ComputedAsItIsClosed {
    private final DenseTensor content = filled((byte) 42);
    private final Tensor tensor = CONTEXT.wrap(content);

    @Actor
    public void add(II_Result r) {
      try (Tensor sum = tensor.add(1)) {
        r.r1 = sum.read(dense -> (int) dense.segment().get(ValueLayout.JAVA_BYTE, 7));
      } catch (StaunchException.ClosedException e) {
        r.r1 = -1;
      }
    }

    @Actor
    public void close() {
      tensor.close();
    }

    @Actor
    public void reuse() {
      filled((byte) 99).close();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = content.storage().references();
    }
  }

  /** As above, with two threads: the second closes it and reuses its bytes for something else. */
  @JCStressTest
  @Outcome(
      id = {"43, 0", "-1, 0"},
      expect = ACCEPTABLE,
      desc = "the sum, or the fault that says it was closed")
  @State
  public static class ComputedAsItIsReplaced {
    private final DenseTensor content = filled((byte) 42);
    private final Tensor tensor = CONTEXT.wrap(content);

    @Actor
    public void add(II_Result r) {
      try (Tensor sum = tensor.add(1)) {
        r.r1 = sum.read(dense -> (int) dense.segment().get(ValueLayout.JAVA_BYTE, 7));
      } catch (StaunchException.ClosedException e) {
        r.r1 = -1;
      }
    }

    @Actor
    public void replace() {
      tensor.close();
      filled((byte) 99).close();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = content.storage().references();
    }
  }

  /** The first write of a tensor beside an operation: it computes from all the old or new. */
  @JCStressTest
  @Outcome(
      id = {"84, 1", "2, 1"},
      expect = ACCEPTABLE,
      desc = "before or after the write")
  @State
  public static class ComputedAsItIsFirstWritten {
    private final Tensor tensor = CONTEXT.wrap(filled((byte) 42));

    @Actor
    public void add(II_Result r) {
      try (Tensor sum = tensor.add(tensor)) {
        r.r1 = sum.read(ComputedAsItIsFirstWritten::sole);
      }
    }

    @Actor
    public void write() {
      tensor.fill_(1);
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = tensor.read(ComputedAsItIsFirstWritten::sole);
      tensor.close();
    }

    /** The value of all elements; -1 if they differ. */
    private static int sole(DenseTensor dense) {
      int first = dense.segment().get(ValueLayout.JAVA_BYTE, 0);
      for (int i = 1; i < dense.elements(); i++) {
        if (dense.segment().get(ValueLayout.JAVA_BYTE, i) != first) {
          return -1;
        }
      }
      return first;
    }
  }

  /** Two threads ask first for what orders the accesses to a tensor. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "they get the same")
  @State
  public static class OrderedByOne {
    private final Tensor tensor = CONTEXT.wrap(filled((byte) 1));
    private @Nullable Variable one;
    private @Nullable Variable other;

    @Actor
    public void one() {
      one = tensor.data();
    }

    @Actor
    public void other() {
      other = tensor.turns()[0];
    }

    @Arbiter
    public void after(I_Result r) {
      r.r1 = one != null && one.equals(other) && one.equals(tensor.birth()) ? 1 : 0;
      tensor.close();
    }
  }
}
