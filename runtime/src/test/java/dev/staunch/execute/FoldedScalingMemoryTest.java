package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.SourceLocation;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is folded depends neither on how much memory is free nor on how much time requests have. */
class FoldedScalingMemoryTest extends ScalingProgram {
  private Object runWith(long left, Plan plan) {
    return runWith(left, plan, IN);
  }

  /** The bytes of a row of x, the folded weight and bias, and a row of sums. */
  private static final long FOLDS = 4 * (IN + OUT * IN + OUT + OUT);

  @ParameterizedTest
  @ValueSource(longs = {IN, 3000}) // the second one is packed if there is room
  void withoutRoomToKeepItEachRequestFoldsForItself(long width) {
    Plan plan = layer(width);
    long scarce = FOLDS + 4 * (OUT + 1) * (width - IN);
    long held = home.account().bytes();
    Object first = runWith(scarce, plan, width);
    assertEquals(held, home.account().bytes(), "a request may need what is left");
    Object again = runWith(scarce, plan, width);
    Object kept = runWith(1 << 19, plan, width);
    assertTrue(home.account().bytes() > held);
    Object after = runWith(scarce, plan, width);
    assertArrayEquals((float[]) kept, (float[]) first, 0);
    assertArrayEquals((float[]) kept, (float[]) again, 0);
    assertArrayEquals((float[]) kept, (float[]) after, 0);
    assertEquals(0, scaled);
  }

  @Test
  void aRequestWithoutMemoryToFoldFailsAndTheNextOneFolds() {
    Plan plan = layer();
    long held = home.account().bytes();
    Fault fault = assertInstanceOf(Fault.class, runWith(FOLDS - 4 * OUT - 1, plan));
    assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
    assertEquals("aten::batch_norm", fault.operation());
    assertEquals(SourceLocation.of("m.py", 12, 0), fault.source());
    assertEquals(held, home.account().bytes());
    scaled = 0;
    assertInstanceOf(float[].class, runWith(FOLDS, plan));
    assertEquals(0, scaled);
  }

  @Test
  void withoutMemoryForTheFoldedSumsTheRequestFails() {
    Plan plan = layer();
    assertInstanceOf(float[].class, runWith(1 << 16, plan));
    long one = 4 * (IN + OUT) - 1;
    Fault fault = assertInstanceOf(Fault.class, runWith(one, plan));
    assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
    assertEquals("aten::linear", fault.operation());
  }

  @Test
  void whatARequestHasNoTimeToFoldTheNextOneFolds() {
    Plan plan = layer();
    CancelScope cancel = CancelScope.open();
    stop = () -> cancel.cancel("enough");
    Object stopped = run(plan, options -> options.withCancel(cancel), 1, IN).getFirst();
    assertEquals(FaultType.CANCELLED, assertInstanceOf(Fault.class, stopped).type());
    stop = () -> {};
    assertSame(plan, 1, IN);
    assertEquals(1, scaled, "as it is written");
  }

  @Test
  void onSeveralThreadsEachAnswerHasTheSameBits() throws Exception {
    Plan plan = layer();
    random.setSeed(9);
    DenseTensor rows = filled(home, 0, 7, IN);
    List<Callable<float[]>> requests =
        Collections.nCopies(
            8,
            () -> {
              try (ResourceScope scope = ResourceScope.open(memory, "request")) {
                List<Object> results =
                    plan.run("M.run", List.of(module, rows), RunOptions.in(scope));
                return (float[]) elements((DenseTensor) results.getFirst());
              }
            });
    Set<List<Float>> answers = new HashSet<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (Future<float[]> each : threads.invokeAll(requests)) {
        List<Float> answer = new ArrayList<>();
        for (float element : each.get()) {
          answer.add(element);
        }
        answers.add(answer);
      }
    }
    assertEquals(1, answers.size());
    assertEquals(0, scaled);
  }
}
