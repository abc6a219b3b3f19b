package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Call;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** M1, M2: a kernel continues to write what was closed under it, and nobody else sees that. */
@Timeout(60)
class ClosedUnderKernelTest {
  private static final int ELEMENTS = 1000;
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final EagerTrial trial =
      new EagerTrial(
          EngineOptions.threaded(2),
          catalog -> catalog.one("test::slow(Tensor x) -> Tensor", this::slow));
  private final Context context = trial.context;

  /** Writes its result after that was closed, and also scratch memory and a view of the result. */
  private Object slow(Call call) {
    DenseTensor scratch = (DenseTensor) call.allocate(DType.FLOAT32, Shape.of(ELEMENTS));
    DenseTensor made = (DenseTensor) call.allocate(DType.FLOAT32, Shape.of(ELEMENTS));
    DenseTensor view = (DenseTensor) made.view(call.scope(), made.layout());
    begun.countDown();
    await(closed);
    for (MemorySegment bytes : List.of(scratch.segment(), made.segment(), view.segment())) {
      for (int i = 0; i < ELEMENTS; i++) {
        bytes.setAtIndex(ValueLayout.JAVA_FLOAT, i, -666f);
      }
    }
    return made;
  }

  /** The engine interrupts tasks that it leaves behind; this one continues. */
  private static void await(CountDownLatch latch) {
    boolean done = false;
    while (!done) {
      try {
        latch.await();
        done = true;
      } catch (InterruptedException e) {
        done = false;
      }
    }
  }

  /** Fills memory of the same sizes, lets the kernel write, and checks that memory again. */
  private void assertNobodySees() {
    try (Context other = Context.open(trial.memory)) {
      List<Tensor> sevens =
          IntStream.range(0, 200).mapToObj(i -> other.full(DType.FLOAT32, 7.0, ELEMENTS)).toList();
      other.waitAll();
      closed.countDown();
      awaitBytes(200L * ELEMENTS * Float.BYTES);
      float[] expected = new float[ELEMENTS];
      Arrays.fill(expected, 7f);
      sevens.forEach(tensor -> assertArrayEquals(expected, tensor.floats()));
    }
  }

  private void awaitBytes(long more) {
    while (trial.memory.account().bytes() > more) {
      Thread.onSpinWait();
    }
  }

  @Test
  void ofAScope() throws InterruptedException {
    ResourceScope request = context.scope().child("request");
    Tensor made = context.within(request, () -> context.apply("test::slow", context.ones(1)));
    begun.await();
    request.close();
    assertEquals("request (closed): 7.8 KiB, held by test::slow", request.account().toString());
    assertNobodySees();
    assertEquals(FaultType.CLOSED, Objects.requireNonNull(made.fault()).type());
    trial.close();
  }

  @Test
  void ofUsingAtItsDeadline() {
    Tensor x = context.ones(1);
    CancelScope deadline = CancelScope.open();
    Thread.ofVirtual()
        .start(() -> {
          await(begun);
          deadline.cancel("late");
        });
    assertThrows(
        StaunchException.CancelledException.class,
        () ->
            context.within(
                deadline,
                () -> context.using("request", () -> context.apply("test::slow", x).floats())));
    x.close();
    assertNobodySees();
    trial.close();
  }

  @Test
  void ofUsingWhenInterrupted() {
    Tensor x = context.ones(1);
    Thread me = Thread.currentThread();
    Thread.ofVirtual()
        .start(() -> {
          await(begun);
          me.interrupt();
        });
    assertThrows(
        StaunchException.CancelledException.class,
        () -> context.using("request", () -> context.apply("test::slow", x).floats()));
    Thread.interrupted();
    x.close();
    assertNobodySees();
    trial.close();
  }

  @Test
  void ofAContext() throws InterruptedException {
    context.apply("test::slow", context.ones(1));
    begun.await();
    context.close(Duration.ZERO);
    assertNobodySees();
    assertEquals(0, trial.memory.account().bytes());
  }

  @Test
  void ofTheMemory() throws InterruptedException {
    context.apply("test::slow", context.ones(1));
    begun.await();
    trial.memory.close();
    closed.countDown();
    awaitBytes(0);
    trial.close();
  }

  /** Operations called before the scope was closed are done, on whatever thread and whenever. */
  @ParameterizedTest
  @MethodSource("dev.staunch.eager.EagerTrial#engines")
  void aWriteOfWhatLiesElsewhereIsDoneAlthoughItsScopeIsClosed(EngineOptions engine) {
    try (EagerTrial other = new EagerTrial(engine)) {
      Tensor x = other.context.ones(ELEMENTS);
      ResourceScope request = other.context.scope().child("request");
      for (int i = 0; i < 20; i++) {
        other.context.within(request, () -> x.add_(1));
      }
      request.close();
      assertEquals(21f, x.floats()[ELEMENTS - 1]);
    }
  }

  /** So are writes through views that are not there yet when their scope is closed. */
  @Test
  void aWriteThroughAViewIsDoneAlthoughTheScopeOfTheViewIsClosed() throws InterruptedException {
    long before = trial.memory.account().bytes();
    Tensor x = context.zeros(ELEMENTS);
    Tensor one = context.ones(1);
    Tensor late = context.apply("test::slow", one);
    x.add_(late);
    begun.await();
    ResourceScope request = context.scope().child("request");
    Tensor view =
        context.within(
            request,
            () -> {
              x.get(Slice.from(1)).get(Slice.from(1)).add_(1);
              return x.get(Slice.from(1)).add_(1);
            });
    request.close();
    Tensor sum = view.add(1);
    closed.countDown();
    assertEquals(
        FaultType.CLOSED, assertThrows(StaunchException.class, sum::floats).fault().type());
    assertEquals(
        FaultType.CLOSED, assertThrows(StaunchException.class, view::floats).fault().type());
    assertArrayEquals(new float[] {-666, -665, -664}, Arrays.copyOf(x.floats(), 3));
    List.of(x, one, late, sum).forEach(Tensor::close);
    awaitBytes(before);
  }

  /** What an operation that makes a tensor changes besides is changed. */
  @Test
  void runningStatisticsMoveAlthoughTheScopeOfTheResultIsClosed() throws InterruptedException {
    Tensor x = context.zeros(ELEMENTS, 1);
    x.add_(context.apply("test::slow", context.ones(1)).view(ELEMENTS, 1));
    begun.await();
    Tensor mean = context.zeros(1);
    Tensor variance = context.ones(1);
    Tensor one = context.ones(1);
    ResourceScope request = context.scope().child("request");
    Object[] call = {x, one, one, mean, variance, true, 0.5, 1e-5, true};
    Tensor normed = context.within(request, () -> context.apply("aten::batch_norm", call));
    request.close();
    closed.countDown();
    assertEquals(-333, mean.item());
    assertEquals(0.5, variance.item());
    assertEquals(
        FaultType.CLOSED, assertThrows(StaunchException.class, normed::floats).fault().type());
    context.waitAll();
    assertEquals(0, request.account().bytes());
    trial.close();
  }

  /** F4, M2: closing ends what was not there yet for good, as it does what was. */
  @Test
  void aTensorIsNotHealedOnceItsScopeIsClosed() throws InterruptedException {
    long before = trial.memory.account().bytes();
    Tensor one = context.ones(1);
    Tensor late = context.apply("test::slow", one);
    begun.await();
    ResourceScope request = context.scope().child("request");
    Tensor ones = context.ones(ELEMENTS);
    Tensor made = context.within(request, () -> late.add(1).copy_(ones));
    request.close();
    closed.countDown();
    assertEquals(
        FaultType.CLOSED, assertThrows(StaunchException.class, made::floats).fault().type());
    assertTrue(made.isClosed());
    List.of(one, ones, late).forEach(Tensor::close);
    awaitBytes(before);
  }
}
