package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What MXNet's {@code NDArrayCollectorSuite} and {@code NDArraySuite} and JavaCPP's {@code
 * testPointerScope} require of scopes, apart from {@link ResourceScopeTest} and {@link
 * ScopeResultTest} (M3). There is no class filter: a scope takes every resource, so none is
 * rejected or passed on to the next scope. Nor are dependencies recorded: whatever is not returned
 * is closed.
 */
class MxnetScopesTest extends OuterScope {
  private static boolean allClosed(List<DenseTensor> tensors) {
    return tensors.stream().allMatch(DenseTensor::isClosed);
  }

  @Test
  void specFAutoATemporaryIsClosedAndTheSliceOfItThatIsReturnedIsNot() {
    List<DenseTensor> temporaries = new ArrayList<>();
    DenseTensor slice =
        outer.using(
            "collector",
            inner -> {
              DenseTensor b = tensor(inner, 1, 2, 3);
              temporaries.addAll(List.of(b, tensor(inner, 4, 5)));
              Layout second = new Layout(Shape.of(2), new long[] {1}, 1);
              return assertInstanceOf(DenseTensor.class, b.view(inner, second));
            });
    assertTrue(allClosed(temporaries));
    assertFalse(slice.isClosed());
    assertEquals(2, HostTensors.toFloats(slice)[0]);
    assertEquals(12, outer.account().bytes(), "the bytes of the tensor that it is a slice of");
    slice.close();
    assertEquals(0, outer.account().bytes());
  }

  @Test
  void specFManualAScopeCountsWhatItCollectedAndClosesItOnDemand() {
    ResourceScope collector = outer.child("collector");
    List<DenseTensor> two = List.of(tensor(collector, 1), tensor(collector, 2));
    assertEquals(8, collector.account().bytes());
    assertFalse(two.get(0).isClosed() || two.get(1).isClosed());
    collector.close();
    assertTrue(allClosed(two));
    assertEquals(0, collector.account().bytes());
    assertTrue(collector.account().members().isEmpty());
  }

  /** In MXNet: {@code disposeDeps}, and {@code disposeDepsExcept(x)}, which spares x. */
  @Test
  void betterThanSpecFScopesReplaceDependencies() {
    List<DenseTensor> temporaries = new ArrayList<>();
    List<DenseTensor> kept =
        outer.using(
            "step",
            inner -> {
              DenseTensor x = tensor(inner, 1);
              DenseTensor y = tensor(inner, 2);
              temporaries.add(y);
              float sum = HostTensors.toFloats(x)[0] + HostTensors.toFloats(y)[0];
              return List.of(tensor(inner, sum), x);
            });
    assertTrue(allClosed(temporaries));
    assertEquals(3, HostTensors.toFloats(kept.get(0))[0]);
    assertEquals(1, HostTensors.toFloats(kept.get(1))[0]);
    assertEquals(8, outer.account().bytes());
  }

  @Test
  void betterThanSpecFSetsQueuesAndListsInMapsSurvive() {
    Set<DenseTensor> set =
        outer.using("set", inner -> new HashSet<>(Set.of(tensor(inner, 1), tensor(inner, 2))));
    ArrayDeque<DenseTensor> queue =
        outer.using("queue", inner -> new ArrayDeque<>(List.of(tensor(inner, 3))));
    Map<String, List<DenseTensor>> map =
        outer.using("map", inner -> Map.of("both", List.of(tensor(inner, 4), tensor(inner, 5))));
    List<DenseTensor> all = new ArrayList<>(set);
    all.addAll(queue);
    all.addAll(map.getOrDefault("both", List.of()));
    assertEquals(5, all.size());
    assertTrue(all.stream().allMatch(each -> each.scope() == outer && !each.isClosed()));
    assertEquals(15, all.stream().mapToDouble(each -> HostTensors.toFloats(each)[0]).sum());
    assertEquals(20, outer.account().bytes());
    outer.close();
    assertTrue(allClosed(all));
  }

  @Test
  void betterThanSpecFEntriesSurviveByThemselvesAndAsTheSetOfAMap() {
    Map.Entry<DenseTensor, DenseTensor> entry =
        outer.using("entry", inner -> Map.entry(tensor(inner, 1), tensor(inner, 2)));
    Set<Map.Entry<String, DenseTensor>> entries =
        outer.using(
            "entries", inner -> new HashMap<>(Map.of("three", tensor(inner, 3))).entrySet());
    List<DenseTensor> all = new ArrayList<>(List.of(entry.getKey(), entry.getValue()));
    entries.forEach(each -> all.add(each.getValue()));
    assertTrue(all.stream().allMatch(each -> each.scope() == outer && !each.isClosed()));
    assertEquals(6, all.stream().mapToDouble(each -> HostTensors.toFloats(each)[0]).sum());
    assertEquals(12, outer.account().bytes());
  }

  @Test
  void specGAReferenceThatWasAddedKeepsTheBytesPastTheScope() {
    ResourceScope scope = outer.child("pointer scope");
    DenseTensor tensor = tensor(scope, 1);
    Storage storage = tensor.storage();
    tensor.segment().set(ValueLayout.JAVA_FLOAT, 0, 42);
    assertTrue(storage.retain());
    scope.close();
    assertReadableUntilReleased(tensor, storage);
  }

  @Test
  void specGAReferenceThatWasAddedKeepsTheBytesOfATensorInNoScope() {
    ResourceScope scope = outer.child("pointer scope");
    DenseTensor tensor = tensor(scope, 1);
    ResourceScope.detach(tensor);
    scope.close();
    Storage storage = tensor.storage();
    tensor.segment().set(ValueLayout.JAVA_FLOAT, 0, 42);
    assertTrue(storage.retain());
    tensor.close();
    assertReadableUntilReleased(tensor, storage);
  }

  private void assertReadableUntilReleased(DenseTensor tensor, Storage storage) {
    assertTrue(tensor.isClosed());
    assertTrue(storage.isAlive());
    assertEquals(42, storage.segment().get(ValueLayout.JAVA_FLOAT, 0));
    assertEquals(4, memory.account().bytes());
    storage.release();
    assertFalse(storage.isAlive());
    assertFalse(storage.retain());
    assertEquals(0, memory.account().bytes());
  }

  /** In JavaCPP: {@code extend()}, after which a scope needs one more close. */
  @Test
  void betterThanSpecGDetachReplacesExtend() {
    ResourceScope scope = outer.child("pointer scope");
    DenseTensor moved = tensor(scope, 1);
    DenseTensor detached = tensor(scope, 2);
    DenseTensor stays = tensor(scope, 3);
    ResourceScope.moveTo(outer, moved);
    ResourceScope.detach(detached);
    scope.close();
    assertTrue(stays.isClosed());
    assertSame(outer, moved.scope());
    assertEquals(1, HostTensors.toFloats(moved)[0]);
    assertNull(detached.scope());
    assertEquals(2, HostTensors.toFloats(detached)[0]);
    detached.close();
    outer.close();
    assertTrue(moved.isClosed());
  }
}
