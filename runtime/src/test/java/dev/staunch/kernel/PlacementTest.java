package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.RecordedCalls.Recorded;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Wherever an operation takes a device, a layout or whether memory is pinned, a value that is not
 * supported is refused: the call succeeds without it and is a fault with it.
 */
class PlacementTest {
  private static final Map<String, Object> ELSEWHERE =
      Map.of("device", "cuda:0", "layout", 2L, "pin_memory", true);

  /** Leading arguments for operations that take none of the recorded or invented ones. */
  private static final Map<String, Function<ResourceScope, List<Object>>> LEADING =
      Map.ofEntries(
          Map.entry("aten::tensor", scope -> List.of(List.of(0.5))),
          Map.entry("aten::as_tensor.list", scope -> List.of(List.of(0.5))),
          Map.entry("aten::tensor.complex", scope -> List.of(new ComplexNumber(1, 2))),
          Map.entry("aten::as_tensor.complex", scope -> List.of(new ComplexNumber(1, 2))),
          Map.entry("aten::to.device", scope -> List.of(ends(scope), "cpu", 6L)),
          Map.entry("aten::linspace.Tensor_Tensor", s -> List.of(ends(s), ends(s), 3L)),
          Map.entry("aten::linspace.Tensor_Scalar", scope -> List.of(ends(scope), 2.0, 3L)),
          Map.entry("aten::linspace.Scalar_Tensor", scope -> List.of(2.0, ends(scope), 3L)),
          Map.entry("aten::randint.low", scope -> List.of(0L, 4L, List.of(2L))),
          Map.entry(
              "aten::randint.low_generator", scope -> List.of(0L, 4L, List.of(2L), None.NONE)),
          Map.entry("aten::randint_like.low_dtype", scope -> List.of(ends(scope), 0L, 4L)),
          Map.entry("aten::sparse_coo_tensor.indices_size", PlacementTest::coordinates),
          Map.entry("aten::_sparse_coo_tensor_unsafe", PlacementTest::coordinates));

  private final Catalog catalog = StandardOperations.catalog();
  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final Set<String> taken = new TreeSet<>();
  private final Set<String> untried = new TreeSet<>();
  private int refusals;

  @Test
  void whatIsAskedForElsewhereIsRefusedByEveryOperation() throws IOException {
    Map<String, List<Recorded>> recorded = new HashMap<>();
    for (Recorded call : RecordedCalls.ofTensors()) {
      recorded.computeIfAbsent(call.operation(), name -> new ArrayList<>()).add(call);
    }
    for (CatalogEntry entry : catalog.operations()) {
      List<Schema.Parameter> parameters = entry.schema().parameters();
      for (int i = 0; i < parameters.size(); i++) {
        Object elsewhere = ELSEWHERE.get(parameters.get(i).name());
        if (elsewhere != null) {
          List<Recorded> calls = new ArrayList<>(recorded.getOrDefault(entry.name(), List.of()));
          if (LEADING.containsKey(entry.name())) {
            calls.add(led(entry.schema()));
          }
          if (InventedCall.isPossible(entry.schema())) {
            calls.add(InventedCall.of(entry.schema()));
            calls.add(InventedCall.ofIntegers(entry.schema()));
          }
          tryThere(entry, i, elsewhere, calls);
        }
      }
    }
    assertEquals(Set.of(), taken);
    assertEquals(Set.of(), untried);
    assertTrue(refusals > 100, () -> refusals + " refusals");
    assertEquals(0, memory.account().bytes());
  }

  private static Object ends(ResourceScope scope) {
    return HostTensors.floats(scope, Shape.of(), 1);
  }

  private static List<Object> coordinates(ResourceScope scope) {
    return List.of(
        HostTensors.longs(scope, Shape.of(1, 2), 0, 1),
        HostTensors.floats(scope, Shape.of(2), 1, 2),
        List.of(2L));
  }

  private static Recorded led(Schema schema) {
    String name = schema.qualifiedName();
    return new Recorded(
        "led",
        name,
        scope -> {
          List<Object> arguments =
              new ArrayList<>(Objects.requireNonNull(LEADING.get(name)).apply(scope));
          List<Schema.Parameter> parameters = schema.parameters();
          for (Schema.Parameter rest : parameters.subList(arguments.size(), parameters.size())) {
            arguments.add(Objects.requireNonNull(rest.defaultValue()));
          }
          return arguments;
        });
  }

  private void tryThere(CatalogEntry entry, int i, Object elsewhere, List<Recorded> calls) {
    String what = entry.name() + " " + entry.schema().parameters().get(i).name();
    for (Recorded call : calls) {
      if (!(outcome(entry, call, arguments -> arguments) instanceof Fault)) {
        Object outcome =
            outcome(
                entry,
                call,
                arguments -> {
                  List<Object> there = new ArrayList<>(arguments);
                  there.set(i, elsewhere);
                  return there;
                });
        if (outcome instanceof Fault fault && fault.type() == FaultType.UNSUPPORTED) {
          refusals++;
        } else {
          taken.add(what);
        }
        return;
      }
    }
    untried.add(what);
  }

  private Object outcome(
      CatalogEntry entry, Recorded call, Function<List<Object>, List<Object>> change) {
    try (ResourceScope scope = ResourceScope.open(memory, "call")) {
      List<Object> arguments = change.apply(call.arguments().apply(scope));
      Environment environment = new RecordingEnvironment(scope);
      return Objects.requireNonNull(Kernels.run(entry, new Call(environment, arguments.toArray())));
    }
  }
}
