package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryMetrics;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The operations of the standard catalog keep their promise to close what they made: whichever of
 * their allocations is refused, and at whichever poll they are cancelled, they leave nothing behind
 * (M4). By default a {@link Sample} of the recorded cases of each operation.
 */
class TidyOperationsTest {
  /** Budgets tried between none and enough. */
  private static final int BUDGETS = Sample.whole() ? 40 : 15;

  private static final int LOOKS = Sample.whole() ? 50 : 20;

  private final OffHeap memory = OffHeap.withBudget(64L << 20);

  /** Separate, because an operand is lost once nothing reaches it. */
  private final OffHeap operands = OffHeap.withBudget(64L << 20);

  @AfterEach
  void everyByteGoesBack() {
    assertEquals(0, memory.account().bytes());
    assertEquals(0, operands.account().bytes());
  }

  @TestFactory
  Stream<DynamicTest> m4AnOperationThatFailsAnywhereLeavesNothing() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String file :
        List.of("tensor", "recurrent", "attention", "composed", "combined", "operator")) {
      Stream<TensorGoldens.Case> sound =
          TensorGoldens.read(file + "-golden.txt").stream()
              .filter(golden -> golden.error().isEmpty());
      Sample.of(sound, TensorGoldens.Case::name)
          .forEach(golden -> {
            String name = file + " " + golden.name() + ":" + golden.line();
            tests.add(DynamicTest.dynamicTest(name, () -> check(golden)));
          });
    }
    return tests.stream();
  }

  private void check(TensorGoldens.Case golden) {
    long peak;
    try (ResourceScope given = ResourceScope.open(operands, "given");
        ResourceScope own = ResourceScope.open(memory, "own")) {
      run(golden, given, new CountdownEnvironment(own, Long.MAX_VALUE));
      peak = own.account().peakBytes();
    }
    long step = Math.max(4, peak / BUDGETS);
    for (long budget = 1; budget <= peak; budget += step) {
      try (ResourceScope own = ResourceScope.open(memory, "own", budget)) {
        fails(golden, own, Long.MAX_VALUE);
      }
    }
    for (int looks = 0; looks < LOOKS; looks++) {
      try (ResourceScope own = ResourceScope.open(memory, "own")) {
        if (!fails(golden, own, looks)) {
          break;
        }
      }
    }
  }

  private boolean fails(TensorGoldens.Case golden, ResourceScope own, long looks) {
    try (ResourceScope given = ResourceScope.open(operands, "given")) {
      long members = members();
      Object result = run(golden, given, new CountdownEnvironment(own, looks));
      if (!(result instanceof Fault)) {
        return false;
      }
      assertEquals(0, own.account().bytes(), () -> "bytes after " + result);
      assertEquals(members, members(), () -> "resources after " + result);
      return true;
    }
  }

  private long members() {
    MemoryMetrics now = memory.metrics();
    return now.creations() - now.freedExplicitly() - now.freedByScope() - now.freedByReaper();
  }

  private static Object run(
      TensorGoldens.Case golden, ResourceScope given, Environment environment) {
    CatalogEntry operation =
        Objects.requireNonNull(StandardOperations.catalog().find("aten::" + golden.name()));
    assertTrue(operation.closesOnFailure());
    Object[] arguments =
        golden.arguments().stream().map(text -> TensorGoldens.value(given, text)).toArray();
    Call call = new Call(environment, arguments);
    return operation.run(call);
  }
}
