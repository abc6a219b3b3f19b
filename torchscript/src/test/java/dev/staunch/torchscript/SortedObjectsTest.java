package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.TupleValue;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.SmallArchive;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Lists of objects are sorted by the {@code __lt__} of their class. */
class SortedObjectsTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M,
          keys: List[int],
          reverse: bool) -> Tuple[List[int], List[int]]:
          list = annotate(List[__torch__.P], [])
          for i in range(torch.len(keys)):
            _0 = __torch__.P.__new__(__torch__.P)
            _1 = (_0).__init__(keys[i], i, )
            _2 = torch.append(list, _0)
          other = list
          copy = sorted(list)
          torch.sort(list, reverse)
          places = annotate(List[int], [])
          for j in range(torch.len(other)):
            _3 = torch.append(places, (other[j]).place)
          copied = annotate(List[int], [])
          for k in range(torch.len(copy)):
            _4 = torch.append(copied, (copy[k]).place)
          return (places, copied)
      class P:
        key : int
        place : int
        def __init__(self: __torch__.P,
          key: int,
          place: int) -> NoneType:
          self.key = key
          self.place = place
          return None
        def __lt__(self: __torch__.P,
          other: __torch__.P) -> bool:
          return torch.lt(self.key, other.key)
      """;

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingLeaks() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Object run(String code, boolean reverse, long... keys) {
    TorchScriptModule module = TorchScriptModule.load("small", SmallArchive.of(code), scope);
    Plan plan = Plan.prepare(module.program(), StandardOperations.catalog());
    List<Object> arguments = List.of(module.root(), LongStream.of(keys).boxed().toList(), reverse);
    return plan.run("__torch__.M.forward", arguments, RunOptions.in(scope)).get(0);
  }

  /** The places that the objects with these keys have before, in their order afterwards. */
  private List<Object> sorted(boolean reverse, long... keys) {
    return assertInstanceOf(TupleValue.class, run(CODE, reverse, keys)).elements();
  }

  @Test
  void equalObjectsKeepTheirOrderInBothDirections() {
    List<Long> up = List.of(1L, 3L, 0L, 2L, 4L);
    assertEquals(List.of(up, up), sorted(false, 2, 1, 2, 1, 3));
    assertEquals(List.of(List.of(4L, 0L, 2L, 1L, 3L), up), sorted(true, 2, 1, 2, 1, 3));
  }

  @Test
  void noneAndOneAreInOrder() {
    assertEquals(List.of(List.of(), List.of()), sorted(false));
    assertEquals(List.of(List.of(0L), List.of(0L)), sorted(true, 5));
  }

  @Test
  void manyAreSortedToo() {
    long[] keys = LongStream.range(0, 100).map(i -> i * 37 % 100).toArray();
    List<Long> up = LongStream.range(0, 100).map(key -> key * 73 % 100).boxed().toList();
    assertEquals(List.of(up.reversed(), up), sorted(true, keys));
  }

  @Test
  void objectsWithoutAnOrderAreNotSorted() {
    Fault fault = assertInstanceOf(Fault.class, run(CODE.replace("__lt__", "below"), false, 2, 1));
    assertEquals(FaultType.UNSUPPORTED, fault.type());
  }
}
