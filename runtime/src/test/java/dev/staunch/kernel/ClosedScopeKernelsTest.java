package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.staunch.dispatch.Door;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A kernel whose scope is closed between two uses of it returns its result, or the fault that the
 * scope was closed; it does not trip over what it could not make (M1, F8).
 */
class ClosedScopeKernelsTest {
  private static final int USES = 6;

  private final OffHeap memory = OffHeap.withBudget(64L << 20);

  @AfterEach
  void everyByteGoesBack() {
    assertEquals(0, memory.account().bytes());
  }

  /** Closes its scope when a kernel asks for it for the {@code left}th time. */
  private static final class Closing extends KernelBench {
    private int left;

    Closing(ResourceScope scope, int left) {
      super(scope);
      this.left = left;
    }

    @Override
    public ResourceScope scope() {
      ResourceScope scope = super.scope();
      left--;
      if (left == 0) {
        scope.close();
      }
      return scope;
    }
  }

  @Test
  void everyOperationIsClosedOrDone() throws IOException {
    List<TensorGoldens.Case> calls =
        Stream.of(
                recorded("tensor", 2),
                recorded("composed", 4),
                recorded("combined", 4),
                recorded("neural", 4),
                recorded("recurrent", 20),
                recorded("attention", 20))
            .flatMap(each -> each)
            .toList();
    for (TensorGoldens.Case call : calls) {
      for (int uses = 1; uses <= USES; uses++) {
        check(call, uses);
      }
    }
  }

  /** Some of the recorded calls of each operation. */
  private static Stream<TensorGoldens.Case> recorded(String kind, int most) throws IOException {
    Map<String, Integer> seen = new HashMap<>();
    return TensorGoldens.read(kind + "-golden.txt").stream()
        .filter(each -> seen.merge(each.name(), 1, Integer::sum) <= most);
  }

  private void check(TensorGoldens.Case call, int uses) {
    String name = "aten::" + call.name();
    Door door = Door.to(Objects.requireNonNull(StandardOperations.catalog().find(name)));
    try (ResourceScope given = ResourceScope.open(memory, "given");
        ResourceScope scope = ResourceScope.open(memory, "closed under")) {
      Object[] arguments =
          call.arguments().stream().map(text -> TensorGoldens.value(given, text)).toArray();
      Object outcome = door.call(new Closing(scope, uses), arguments, null, null);
      Object[] results = outcome instanceof Object[] several ? several : new Object[] {outcome};
      for (Object result : results) {
        if (result instanceof Fault fault) {
          String where =
              name + " of line " + call.line() + " at use " + uses + " of the scope: " + fault;
          assertNotEquals(FaultType.INTERNAL, fault.type(), where);
        }
      }
    }
  }
}
