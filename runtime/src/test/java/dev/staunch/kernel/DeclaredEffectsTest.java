package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.RecordedCalls.Recorded;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.operation.Effects;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the catalog declares of an operation is what its kernel does. The tests make every recorded
 * call, and some for operations without a recorded one, and compare with the declaration what is
 * left of the operands, what the results share and what the call drew.
 */
@Timeout(300)
class DeclaredEffectsTest {
  private static final int FEWEST_OPERATIONS = 1580;

  private final Catalog catalog = StandardOperations.catalog();
  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final Set<String> wrong = new TreeSet<>();
  private final Set<String> computed = new HashSet<>();

  /** The observed effects of one call. */
  private record Seen(
      Object outcome, List<Object> contents, List<Object> after, boolean drew, boolean acted) {}

  @Test
  void everyKernelDoesWhatItsEntrySaysAndNothingElse() throws IOException {
    Set<String> called = new HashSet<>();
    List<Recorded> calls = new ArrayList<>(RecordedCalls.ofTensors());
    calls.addAll(RecordedCalls.ofScalars());
    for (Recorded call : calls) {
      check(call);
      called.add(call.operation());
    }
    for (CatalogEntry operation : catalog.operations()) {
      if (!called.contains(operation.name()) && InventedCall.isPossible(operation.schema())) {
        check(InventedCall.of(operation.schema()));
        check(InventedCall.ofIntegers(operation.schema()));
        called.add(operation.name());
      }
    }
    assertEquals("", String.join("\n", wrong));
    assertTrue(computed.size() >= FEWEST_OPERATIONS, () -> computed.size() + " operations");
    assertEquals(0, memory.account().bytes());
  }

  private void check(Recorded call) {
    Effects effects = Objects.requireNonNull(catalog.find(call.operation())).effects();
    Seen once = seen(call, 1, null);
    Seen again = seen(call, 2, null);
    if (!(once.outcome() instanceof Fault)) {
      computed.add(call.operation());
    }
    if (!effects.drawsRandom() && !once.contents().equals(again.contents())) {
      wrong(call, "gives other results the second time");
    }
    if (once.drew() && !effects.drawsRandom()) {
      wrong(call, "takes random numbers");
    }
    if (once.acted() && !effects.has(Trait.HAS_SIDE_EFFECTS)) {
      wrong(call, "acts on what is around it");
    }
    if (effects.has(Trait.OVERWRITES) && !(once.outcome() instanceof Fault)) {
      Seen zeros = seen(call, 1, (byte) 0);
      Seen ones = seen(call, 1, (byte) 1);
      if (!zeros.contents().equals(ones.contents()) || !zeros.after().equals(ones.after())) {
        wrong(call, "depends on what it overwrites");
      }
    }
  }

  private void wrong(Recorded call, String what) {
    wrong.add(call.operation() + " " + what + ": " + call.place());
  }

  /**
   * @param held the value to which all bytes of the first argument are set before; null to leave
   *     them
   */
  private Seen seen(Recorded call, long seed, @Nullable Byte held) {
    CatalogEntry operation = Objects.requireNonNull(catalog.find(call.operation()));
    try (ResourceScope scope = ResourceScope.open(memory, "call")) {
      List<Object> arguments = call.arguments().apply(scope);
      if (held != null) {
        ((DenseTensor) arguments.get(0)).storage().segment().fill(held);
      }
      List<Object> before = arguments.stream().map(DeclaredEffectsTest::held).toList();
      RecordingEnvironment environment = new RecordingEnvironment(scope);
      environment.generator().seed(seed);
      Object outcome = Kernels.run(operation, new Call(environment, arguments.toArray()));
      checkOperands(call, operation, arguments, before);
      checkSharing(call, operation.effects(), arguments, outcome);
      boolean drew = environment.generator().state().next() > 0;
      boolean acted =
          !environment.printed().isEmpty()
              || !environment.gradEnabled()
              || environment.cancelled() != null;
      List<Object> after = arguments.stream().map(DeclaredEffectsTest::content).toList();
      return new Seen(outcome, List.of(content(outcome)), after, drew, acted);
    }
  }

  private void checkOperands(
      Recorded call, CatalogEntry operation, List<Object> arguments, List<Object> before) {
    Effects effects = operation.effects();
    for (int i = 0; i < arguments.size(); i++) {
      boolean declared =
          effects.writes(i) || effects.updatesState(i, Operands.of(arguments.toArray()));
      if (!declared && !before.get(i).equals(held(arguments.get(i)))) {
        wrong(call, "writes argument " + i);
      }
    }
  }

  private void checkSharing(
      Recorded call, Effects effects, List<Object> arguments, Object outcome) {
    Object[] results = outcome instanceof Object[] several ? several : new Object[] {outcome};
    for (int i = 0; i < results.length; i++) {
      Set<Storage> made = storages(results[i]);
      for (int j = 0; j < arguments.size(); j++) {
        Set<Storage> given = storages(arguments.get(j));
        given.retainAll(made);
        if (j == 0 && given.isEmpty() && !made.isEmpty() && effects.has(Trait.VIEWS)) {
          wrong(call, "result " + i + " is a copy");
        }
        if (!given.isEmpty() && effects.viewed(i) != j && effects.aliasOf(i) != j) {
          wrong(call, "result " + i + " shares memory with argument " + j);
        }
      }
    }
  }

  private static Set<Storage> storages(Object value) {
    Set<Storage> storages = new HashSet<>();
    if (value instanceof DenseTensor tensor && tensor.elements() > 0) {
      storages.add(tensor.storage());
    } else if (value instanceof List<?> list) {
      list.forEach(element -> storages.addAll(storages(element)));
    }
    return storages;
  }

  /** Everything that a value holds, including those bytes of its storages that it does not show. */
  private static Object held(Object value) {
    return switch (value) {
      case DenseTensor tensor ->
          List.of(
              tensor.describe(),
              ByteBuffer.wrap(tensor.storage().segment().toArray(ValueLayout.JAVA_BYTE)));
      case List<?> list -> list.stream().map(DeclaredEffectsTest::held).toList();
      case Map<?, ?> dict -> {
        Map<Object, Object> copy = new HashMap<>();
        dict.forEach((key, each) -> copy.put(key, held(each)));
        yield copy;
      }
      default -> value;
    };
  }

  /** What a value shows. */
  private static Object content(Object value) {
    return switch (value) {
      case DenseTensor tensor -> {
        byte[] bytes = new byte[Math.toIntExact(tensor.elements() * tensor.dtype().bytes())];
        HostTensors.copyTo(tensor, MemorySegment.ofArray(bytes));
        yield List.of(tensor.describe(), ByteBuffer.wrap(bytes));
      }
      case List<?> list -> list.stream().map(DeclaredEffectsTest::content).toList();
      case Object[] several -> content(List.of(several));
      case Fault fault -> fault.message();
      default -> String.valueOf(value);
    };
  }
}
