package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Catalog;
import dev.staunch.memory.LeakDetection;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Use after close is a typed fault that names the tensor, and the scope that closed it (M2). */
class UseAfterCloseTest {
  private final EagerTrial trial = new EagerTrial(EngineOptions.threaded(2));
  private final Context context = trial.context;

  @AfterEach
  void everyByteWentBack() {
    trial.close();
  }

  private static String told(Executable use) {
    return assertThrows(StaunchException.ClosedException.class, use).fault().message();
  }

  private static String told(Tensor failed) {
    Fault fault = failed.fault();
    assertNotNull(fault);
    assertEquals(FaultType.CLOSED, fault.type(), fault::toString);
    return fault.message();
  }

  @Test
  void aTensorThatItsScopeClosedNamesBoth() {
    Tensor kept;
    try (ResourceScope request = context.scope().child("request 7")) {
      kept = context.within(request, () -> context.of(Shape.of(2), 1f, 2f));
      assertEquals(2, kept.floats().length);
    }
    String expected = "the tensor float32[2] was closed by scope request 7 before this use";
    assertEquals(expected, told(kept::floats));
    assertEquals(expected, told(kept.add(1.0)));
    assertEquals(expected, told(context.ones(2).add(kept)));
  }

  @Test
  void aTensorThatWasClosedByItselfNamesNoScope() {
    Tensor kept;
    try (ResourceScope request = context.scope().child("request 7")) {
      kept = context.within(request, () -> context.of(Shape.of(2), 1f, 2f));
      kept.close();
    }
    assertEquals("the tensor float32[2] was closed before this use", told(kept::floats));
  }

  @Test
  void whereItWasMadeIsToldIfThatIsKnown() {
    OffHeap memory =
        OffHeap.of(MemoryOptions.withBudget(1 << 20).withLeakDetection(LeakDetection.FULL));
    try (Context watched = Context.open(memory)) {
      Tensor kept = watched.of(Shape.of(2), 1f, 2f);
      kept.close();
      String text = told(kept::floats);
      assertTrue(
          text.matches(
              "the tensor float32\\[2] made at UseAfterCloseTest.java:\\d+ was closed before this use"),
          text);
    }
    memory.close();
  }

  @Test
  void workInAClosedScopeIsRefusedAndTheScopeNamed() {
    ResourceScope request = context.scope().child("request 7");
    request.close();
    String expected = "the scope request 7 was closed before this use";
    assertEquals(expected, told(() -> context.within(request, () -> context.ones(2))));
  }

  @Test
  void whatAScopeThatClosesMeanwhileWouldOwnIsAFaultThatNamesTheScope() {
    ResourceScope request = context.scope().child("request 7");
    Tensor x = context.ones(2);
    Tensor late =
        context.within(
            request,
            () -> {
              request.close();
              return x.add(1.0);
            });
    assertEquals("the scope request 7 was closed before this use", told(late));
    assertEquals(2, x.floats().length);
  }

  @Test
  void aClosedContextSaysSoAndItsTensorsNameThemselves() {
    Context other = Context.open(trial.memory);
    Tensor kept = other.of(Shape.of(2), 1f, 2f);
    kept.floats();
    other.close();
    assertEquals(
        "the tensor float32[2] was closed by scope eager before this use", told(kept::floats));
    assertEquals("the context eager was closed before this use", told(kept.relu()));
    assertEquals("the context eager was closed before this use", told(other.ones(2)));
    assertEquals("the context eager was closed before this use", told(other.of(Shape.of(1), 1f)));
    assertEquals(
        "the scope eager was closed before this use", told(() -> other.using("x", () -> 1)));
    assertEquals("Tensor(closed)", kept.toString());
    assertTrue(kept.isClosed());
  }

  /** M1: the memory is shared, but each handle is closed separately. */
  @Test
  void aResultThatIsAnOperandAsItIsOutlivesThat() {
    UnaryOperator<Catalog.Builder> same =
        catalog -> catalog.one("test::same(Tensor(a) x) -> Tensor(a)", call -> call.tensor(0));
    try (EagerTrial other = new EagerTrial(EngineOptions.serial(), same)) {
      Tensor x = other.context.ones(2);
      Tensor result = other.context.apply("test::same", x);
      x.close();
      assertArrayEquals(new float[] {1, 1}, result.floats());
      result.close();
      assertEquals(0, other.context.bytes());
    }
  }

  /** E5: also while an operation that was called before holds its memory. */
  @Test
  void aClosedTensorHealsNobody() {
    CountDownLatch done = new CountDownLatch(1);
    Tensor source = context.of(Shape.of(2), 1f, 2f);
    Tensor late = context.ones(2);
    context
        .engineContext()
        .push(
            new Task(Uses.updating(late.data())) {
              @Override
              protected Object run() {
                try {
                  done.await();
                  return DONE;
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
            });
    Tensor sum = late.add(source);
    source.close();
    Tensor failed = context.normal(0, -1, 2);
    failed.copy_(source);
    Fault fault = failed.fault();
    assertNotNull(fault);
    assertEquals(
        List.of("the tensor float32[2] was closed before this use"),
        fault.suppressed().stream().map(Fault::message).toList());
    done.countDown();
    assertArrayEquals(new float[] {2, 3}, sum.floats());
  }
}
