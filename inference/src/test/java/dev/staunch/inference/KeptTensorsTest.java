package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.staunch.execute.RunOptions;
import dev.staunch.kernel.Reachable;
import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.Leak;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tensors that are reachable from a module live as long as the module, and no longer (S6, M4). */
class KeptTensorsTest {
  private static final String ATTRIBUTES =
      """
      last : Tensor
      items : List[Tensor]
      table : Dict[str, Tensor]
      pair : Tuple[Tensor, List[Tensor]]
      keys : Dict[Tensor, int]
      """;
  private static final String START =
      """
      self.last = torch.zeros([4], dtype=6)
      self.items = [torch.zeros([4], dtype=6)]
      self.table = {"a": torch.zeros([4], dtype=6)}
      self.pair = (torch.zeros([4], dtype=6), [torch.zeros([4], dtype=6)])
      self.keys = {torch.zeros([4], dtype=6): 0}
      """;
  private static final String METHODS =
      """
      def keep(self: __torch__.M, x: float) -> float:
        was = torch.add(torch.add(self.last, self.items[-1]), self.table["a"])
        both = torch.add(self.pair[0], self.pair[1][-1])
        one = torch.ones([4], dtype=6)
        self.last = torch.mul(one, x)
        _0 = torch.append(self.items, torch.mul(one, x))
        if torch.gt(torch.len(self.items), 3):
          _1 = torch.pop(self.items, 0)
        else:
          pass
        torch._set_item(self.table, "a", torch.mul(one, x))
        _2 = torch.append(self.pair[1], torch.mul(one, x))
        self.pair = (torch.mul(one, x), [self.pair[1][-1]])
        return float(torch.item(torch.sum(torch.add(was, both))))
      def mark(self: __torch__.M, x: float) -> float:
        was = torch.keys(self.keys)[-1]
        torch._set_item(self.keys, torch.mul(torch.ones([4], dtype=6), x), 1)
        return float(torch.item(torch.sum(was)))
      def keyed(self: __torch__.M) -> Dict[Tensor, int]:
        return self.keys
      def first(self: __torch__.M) -> Tensor:
        return torch.pop(self.items, 0)
      def take(self: __torch__.M, items: List[Tensor]) -> int:
        self.last = items[0]
        self.items = items
        return 1
      def same(self: __torch__.M) -> Tensor:
        return self.last
      def all(self: __torch__.M) -> Tuple[Tensor, List[Tensor], Dict[str, Tensor], List[Tensor]]:
        return (self.last, self.items, self.table, self.items)
      def swap(self: __torch__.M, x: float) -> Tuple[Tensor, Tensor]:
        self.last = torch.mul(torch.ones([4], dtype=6), x)
        return (self.last, self.items[0])
      """;

  private final SmallModel small = SmallModel.of(ATTRIBUTES, START, METHODS);

  @AfterEach
  void nothingIsLeft() {
    small.close();
    assertEquals(0, small.memory.account().bytes());
  }

  @Test
  void s6TensorsInListsDictsAndTuplesOfTheModuleOutliveTheirRequest() {
    assertEquals(0.0, small.call("keep", 1.0));
    assertEquals(20.0, small.call("keep", 2.0));
    assertEquals(40.0, small.call("keep", 3.0));
    assertEquals(60.0, small.call("keep", 4.0));
  }

  @Test
  void s6WhatTheModuleHoldsNoLongerIsGivenBack() {
    for (int i = 0; i < 4; i++) {
      small.call("keep", 1.0);
    }
    long bytes = small.model.bytes();
    for (int i = 0; i < 100; i++) {
      small.call("keep", 2.0);
    }
    assertEquals(bytes, small.model.bytes());
    assertEquals(List.of(), forgotten());
  }

  /**
   * Leaks outside of request scopes. A tensor that the module gives up is freed with the scope of
   * its request, and the collector may find it earlier.
   */
  private List<Leak> forgotten() {
    return small.leaks.stream().filter(leak -> !leak.scope().equals(SmallModel.CALL)).toList();
  }

  @Test
  void s6AResultThatTheModuleHeldOrHoldsIsTheCallersAndClosingItHarmsNobody() {
    small.call("keep", 2.0);
    Answer popped = small.model.predict(InferenceRequest.of("1"), "first");
    assertEquals(0f, popped.outputs().getFirst().floats()[0]);
    for (int i = 0; i < 2; i++) {
      small.call("same"); // its scope closes the result
    }
    assertEquals(40.0, small.call("keep", 3.0));
  }

  @Test
  void s6WhatIsInAResultTheCallerMayCloseAndChange() {
    small.call("keep", 2.0);
    try (ResourceScope callers = ResourceScope.open(small.memory, SmallModel.CALL)) {
      Object result = small.model.call("all", List.of(), RunOptions.in(callers));
      List<Object> parts = assertInstanceOf(TupleValue.class, result).elements();
      assertSame(parts.get(1), parts.get(3));
      Reachable.of(result).tensors().forEach(DenseTensor::close);
      ((List<?>) parts.get(1)).clear();
      ((Map<?, ?>) parts.get(2)).clear();
    }
    assertEquals(40.0, small.call("keep", 3.0));
  }

  @Test
  void s6TensorsThatAreKeysOfTheModulesDictsOutliveTheirRequestAndWhoeverGetsThem() {
    assertEquals(0.0, small.call("mark", 1.0));
    assertEquals(4.0, small.call("mark", 2.0));
    try (ResourceScope callers = ResourceScope.open(small.memory, SmallModel.CALL)) {
      Object result = small.model.call("keyed", List.of(), RunOptions.in(callers));
      Set<?> keys = assertInstanceOf(Map.class, result).keySet();
      assertEquals(3, keys.size());
      keys.forEach(key -> assertInstanceOf(DenseTensor.class, key).close());
      keys.clear();
    }
    assertEquals(8.0, small.call("mark", 3.0));
    assertEquals(12.0, small.call("mark", 4.0));
  }

  @Test
  void s6AResultStaysThoughTheNextRequestsReplaceWhatTheModuleHolds() throws Exception {
    List<Callable<Integer>> callers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      double first = i * 10_000;
      callers.add(() -> swaps(first));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(callers.size())) {
      for (Future<Integer> swapped : threads.invokeAll(callers)) {
        assertEquals(1000, swapped.get());
      }
    }
  }

  /** The number of calls whose result holds the value that the call put into the module. */
  private int swaps(double first) {
    int found = 0;
    for (int i = 0; i < 1000; i++) {
      try (ResourceScope callers = ResourceScope.open(small.memory, SmallModel.CALL)) {
        Object result = small.model.call("swap", List.of(first + i), RunOptions.in(callers));
        TupleValue both = assertInstanceOf(TupleValue.class, result);
        DenseTensor last = assertInstanceOf(DenseTensor.class, both.elements().getFirst());
        found += HostTensors.toFloats(last)[3] == (float) (first + i) ? 1 : 0;
      }
    }
    return found;
  }

  @Test
  void s6WhatAScriptKeepsOfAListOfItsCallersOutlivesTheScopeThatHadIt() {
    try (ResourceScope callers = ResourceScope.open(small.memory, "caller")) {
      List<Object> given = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        given.add(HostTensors.floats(callers, Shape.of(4), new float[] {i + 1, 0, 0, 0}));
      }
      assertEquals(1L, small.call("take", given));
    }
    assertEquals(3.0, small.call("keep", 1.0));
  }
}
