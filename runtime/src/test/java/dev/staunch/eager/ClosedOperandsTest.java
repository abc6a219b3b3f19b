package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Call;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * M1: an operation has what its operands hold when it is called, as if it had run at once, even if
 * their scopes are closed before it begins.
 */
@Timeout(60)
class ClosedOperandsTest {
  private static final int ELEMENTS = 4;
  private final CountDownLatch first = new CountDownLatch(1);
  private final CountDownLatch second = new CountDownLatch(1);
  private final EagerTrial trial =
      new EagerTrial(
          EngineOptions.threaded(3),
          catalog ->
              catalog
                  .one("test::first(Tensor x) -> Tensor", call -> after(first, call))
                  .one("test::second(Tensor x) -> Tensor", call -> after(second, call)));
  private final Context context = trial.context;
  private final Tensor one = context.ones(ELEMENTS);
  private final ResourceScope request = context.scope().child("request");

  /** Waits, and returns a tensor of ones. */
  private static Object after(CountDownLatch latch, Call call) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    DenseTensor ones = (DenseTensor) call.allocate(DType.FLOAT32, Shape.of(ELEMENTS));
    for (int i = 0; i < ELEMENTS; i++) {
      ones.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, 1);
    }
    return ones;
  }

  /** A tensor of ones, pending until {@code first} is counted down. */
  private final Tensor late = context.apply("test::first", one);

  @AfterEach
  void everyByteGoesBack() {
    first.countDown();
    second.countDown();
    trial.close();
    assertEquals(0, trial.memory.account().bytes());
  }

  private Tensor pending() {
    Tensor x = context.zeros(ELEMENTS);
    x.add_(late);
    return x;
  }

  private static void assertHolds(Tensor x, double... expected) {
    double[] actual = x.doubles();
    assertArrayEquals(expected, actual, () -> Arrays.toString(actual));
  }

  private static void assertClosed(Tensor x) {
    assertEquals(FaultType.CLOSED, assertThrows(StaunchException.class, x::doubles).fault().type());
  }

  @Test
  void aNumberIsSet() {
    Tensor x = pending();
    context.within(request, () -> x.set(5.0, Slice.from(2)));
    request.close();
    first.countDown();
    assertHolds(x, 1, 1, 5, 5);
    assertEquals(0, request.account().bytes());
  }

  @Test
  void aTensorThatWasThereIsAdded() {
    Tensor x = pending();
    Tensor two = context.within(request, () -> context.full(2.0, ELEMENTS));
    x.add_(two);
    Tensor sum = late.add(two);
    Tensor view = late.add(1).mul(two.get(Slice.to(2)).sum());
    request.close();
    assertTrue(two.isClosed());
    assertClosed(two.add(1));
    Tensor tooLate = late.add(two);
    first.countDown();
    assertHolds(x, 3, 3, 3, 3);
    assertHolds(sum, 3, 3, 3, 3);
    assertHolds(view, 8, 8, 8, 8);
    assertClosed(tooLate);
  }

  @Test
  void aTensorThatWasPendingIsAdded() {
    Tensor x = pending();
    Tensor three = context.within(request, () -> late.add(1).add(1));
    x.add_(three);
    request.close();
    Tensor tooLate = late.add(three);
    x.add_(1);
    first.countDown();
    assertHolds(x, 5, 5, 5, 5);
    assertClosed(tooLate);
    assertClosed(three);
    context.waitAll();
    long inOneAndLateAndX = 3 * ELEMENTS * Float.BYTES;
    assertEquals(inOneAndLateAndX, trial.memory.account().bytes());
  }

  @Test
  void aTensorThatCameMeanwhileIsAdded() {
    Tensor x = context.zeros(ELEMENTS);
    x.add_(context.apply("test::second", one));
    Tensor two = context.within(request, () -> late.add(1));
    x.add_(two);
    first.countDown();
    assertHolds(two, 2, 2, 2, 2);
    request.close();
    assertClosed(two);
    second.countDown();
    assertHolds(x, 3, 3, 3, 3);
  }

  @Test
  void aTensorIsWrittenBeforeItIsRead() {
    Tensor x = pending();
    Tensor two = context.within(request, () -> context.full(2.0, ELEMENTS));
    Tensor half = two.get(Slice.from(2));
    two.mul_(late).add_(late);
    x.add_(two);
    request.close();
    first.countDown();
    assertHolds(x, 4, 4, 4, 4);
    assertHolds(half, 3, 3);
  }

  @Test
  void aResultIsReturnedAsItIs() {
    Tensor two = context.within(request, () -> context.full(2.0, ELEMENTS));
    two.mul_(late);
    Tensor same = context.apply("aten::to.dtype", two, DType.FLOAT32, false, false, null);
    request.close();
    first.countDown();
    assertHolds(same, 2, 2, 2, 2);
  }

  /** Otherwise the numbers that others draw would depend on when a scope is closed. */
  @Test
  void randomNumbersAreDrawnInTheOrderOfTheCalls() {
    context.manualSeed(7);
    context.rand(ELEMENTS);
    Tensor expected = context.rand(ELEMENTS);
    context.manualSeed(7);
    context.within(request, () -> late.mul(0).uniform_(0, 1));
    Tensor next = context.apply("aten::rand_like", late);
    request.close();
    first.countDown();
    assertHolds(next, expected.doubles());
  }

  @RepeatedTest(100)
  void theScopeIsClosedWhileTheyRun() {
    Tensor x = pending();
    Tensor two = context.within(request, () -> context.full(2.0, ELEMENTS));
    Tensor half = two.get(Slice.from(2));
    x.add_(two);
    context.within(request, () -> x.get(Slice.to(3)).add_(two.get(Slice.from(1)).mul(2)));
    Tensor matrix = x.view(2, 2).matmul(two.view(2, 2).t());
    x.set(two.get(Slice.to(1)).add(1), Slice.from(3));
    x.add_(context.within(request, () -> late.cumsum(0)));
    first.countDown();
    request.close();
    assertHolds(matrix, 28, 28, 20, 20);
    assertHolds(x, 8, 9, 10, 7);
    assertHolds(half, 2, 2);
  }
}
