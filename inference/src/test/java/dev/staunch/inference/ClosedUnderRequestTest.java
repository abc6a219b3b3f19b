package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.Conformance;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * If its scope is closed before any one of its operations, a request fails as closed or completes
 * (M1, F8).
 */
class ClosedUnderRequestTest {
  @ParameterizedTest
  @ValueSource(strings = {"sparse_parts", "graph_sparse"})
  void m1AClosedScopeIsNoInternalFault(String name) throws IOException {
    Path folder = Conformance.torchscript().resolve("families");
    OffHeap memory = OffHeap.withBudget(1 << 26);
    try (Model model = Model.load(folder.resolve(name + ".pt"), memory)) {
      RecordedCases recorded = RecordedCases.read(folder.resolve(name + ".json"));
      for (int call = 0; call < recorded.size(); call++) {
        int closed = 0;
        while (calls(model, recorded, call, closed) > closed) {
          closed++;
        }
      }
    }
    assertEquals(0, memory.account().bytes());
  }

  /**
   * The number of operations that began when the scope was closed before operation {@code closed}.
   */
  private static int calls(Model model, RecordedCases recorded, int call, int closed) {
    AtomicInteger operations = new AtomicInteger();
    try (ResourceScope given = ResourceScope.open(model.memory(), "given");
        ResourceScope scope = ResourceScope.open(model.memory(), "call")) {
      Runnable closing = scope::close;
      RunOptions options =
          RunOptions.in(scope)
              .withInterceptor((operation, arguments, source) -> {
                if (operations.getAndIncrement() == closed) {
                  closing.run();
                }
                return null;
              });
      Object outcome =
          model.call(
              recorded.method(call),
              new Replay(model, recorded, Duration.ofMinutes(1)).arguments(call, given),
              options);
      if (outcome instanceof Fault fault) {
        assertNotEquals(FaultType.INTERNAL, fault.type(), () -> closed + ": " + fault);
      }
    }
    return operations.get();
  }
}
