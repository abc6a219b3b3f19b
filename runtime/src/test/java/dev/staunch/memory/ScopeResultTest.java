package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Results outlive the scope that made them (M3). Tests with {@code specF} and {@code specG} in
 * their names assert what the test suites of MXNet's {@code ResourceScope} and of JavaCPP's {@code
 * PointerScope} assert; those with {@code better} go further on purpose. {@link MxnetScopesTest}
 * has more of them.
 */
class ScopeResultTest extends OuterScope {
  private void assertMovedOut(DenseTensor... tensors) {
    for (DenseTensor tensor : tensors) {
      assertFalse(tensor.isClosed());
      assertSame(outer, tensor.scope());
    }
    assertEquals(4L * tensors.length, outer.account().bytes());
    outer.close();
    for (DenseTensor tensor : tensors) {
      assertTrue(tensor.isClosed());
    }
  }

  @Test
  void specF1AnInnerResultSurvivesTemporariesDoNotAndTheOuterScopeEndsTheResult() {
    List<DenseTensor> temporaries = new ArrayList<>();
    DenseTensor result =
        outer.using(
            "inner",
            inner -> {
              temporaries.add(tensor(inner, 1));
              temporaries.add(tensor(inner, 2));
              return tensor(inner, 3);
            });
    assertTrue(temporaries.stream().allMatch(DenseTensor::isClosed));
    assertNull(temporaries.getFirst().scope());
    assertEquals(3, HostTensors.toFloats(result)[0]);
    assertMovedOut(result);
  }

  @Test
  void specF2ThatHoldsForAnyResource() {
    AtomicInteger releases = new AtomicInteger();
    LifeTest.Counting result =
        outer.using(
            "inner",
            inner -> {
              assertNotNull(inner.own(new LifeTest.Counting(inner, releases, false)));
              return inner.own(new LifeTest.Counting(inner, releases, false));
            });
    assertEquals(1, releases.get());
    assertFalse(result.isClosed());
    outer.close();
    assertEquals(2, releases.get());
  }

  @Test
  void specF3NewTensorsMayJoinTheScopeOfAnother() {
    ResourceScope a = outer.child("a");
    ResourceScope b = outer.child("b");
    DenseTensor first = tensor(a, 1);
    DenseTensor second = tensor(assertNotNullScope(first), 2);
    b.close();
    assertFalse(second.isClosed());
    a.close();
    assertTrue(second.isClosed());
  }

  private static ResourceScope assertNotNullScope(DenseTensor tensor) {
    ResourceScope scope = tensor.scope();
    assertNotNull(scope);
    return scope;
  }

  @Test
  void specF4AListOfTensorsSurvives() {
    List<DenseTensor> result =
        outer.using("inner", inner -> List.of(tensor(inner, 1), tensor(inner, 2)));
    assertMovedOut(result.get(0), result.get(1));
  }

  @Test
  void specF5AMapWithTensorsAsKeysAndAsValuesSurvives() {
    Map<DenseTensor, DenseTensor> result =
        outer.using("inner", inner -> new HashMap<>(Map.of(tensor(inner, 1), tensor(inner, 2))));
    assertMovedOut(result.keySet().iterator().next(), result.values().iterator().next());
  }

  @Test
  void specFTryWithResourcesEndsWhatObjectsListsAndMapsHold() {
    record Holder(DenseTensor tensor) {}
    List<DenseTensor> list = new ArrayList<>();
    Map<DenseTensor, DenseTensor> map = new HashMap<>();
    Holder holder;
    try (ResourceScope scope = outer.child("block")) {
      holder = new Holder(tensor(scope, 1));
      for (int i = 0; i < 10; i++) {
        list.add(tensor(scope, i));
        map.put(tensor(scope, i), tensor(scope, -i));
      }
      assertEquals(31 * 4, scope.account().bytes());
    }
    assertTrue(holder.tensor().isClosed());
    assertTrue(list.stream().allMatch(DenseTensor::isClosed));
    assertEquals(10, map.size());
    assertTrue(map.keySet().stream().allMatch(DenseTensor::isClosed));
    assertTrue(map.values().stream().allMatch(DenseTensor::isClosed));
    assertEquals(0, outer.account().bytes());
  }

  /** The last tensor shows that the collector and the reaper ran after the handle was gone. */
  @Test
  void specFCloseReleasesOnceAndLeavesNoTrace() throws Exception {
    AtomicInteger releases = new AtomicInteger();
    WeakReference<LifeTest.Counting> dropped = closedAndDropped(releases);
    assertTrue(outer.account().members().isEmpty());
    assertTrue(Dropped.collectUntil(() -> dropped.refersTo(null)));
    assertEquals(0, memory.metrics().freedByReaper());
    assertNotNull(tensor(outer, 1));
    assertTrue(Dropped.collectUntil(() -> memory.metrics().freedByReaper() > 0));
    assertEquals(1, memory.metrics().freedByReaper(), "the last tensor alone");
    outer.close();
    assertEquals(1, releases.get());
  }

  private WeakReference<LifeTest.Counting> closedAndDropped(AtomicInteger releases) {
    LifeTest.Counting resource = outer.own(new LifeTest.Counting(outer, releases, false));
    resource.close();
    resource.close();
    assertEquals(1, releases.get());
    assertTrue(resource.isClosed());
    assertNull(resource.scope());
    return new WeakReference<>(resource);
  }

  @Test
  void specGDetachAndAttachAgain() {
    ResourceScope scope = outer.child("pointer scope");
    DenseTensor tensor = tensor(scope, 1);
    ResourceScope.detach(tensor);
    assertNull(tensor.scope());
    scope.close();
    assertFalse(tensor.isClosed());
    assertSame(tensor, outer.own(tensor));
    assertSame(outer, tensor.scope());
    assertMovedOut(tensor);
  }

  @Test
  void betterThanSpecFArraysRecordsOptionalsAndHoldersSurvive() {
    record Inner(DenseTensor third, String text) {}
    record Outer(DenseTensor[] two, Inner inner, Optional<DenseTensor> fourth, int[] numbers) {}
    class Own implements ResourceHolder {
      final DenseTensor fifth;

      Own(DenseTensor fifth) {
        this.fifth = fifth;
      }

      @Override
      public Iterable<?> held() {
        return List.of(fifth);
      }
    }

    Object[] result =
        outer.using(
            "inner",
            inner ->
                new Object[] {
                  new Outer(
                      new DenseTensor[] {tensor(inner, 1), tensor(inner, 2)},
                      new Inner(tensor(inner, 3), "text"),
                      Optional.of(tensor(inner, 4)),
                      new int[] {1}),
                  new Own(tensor(inner, 5)),
                  "text",
                  Path.of("no/tensor/here"),
                  null
                });
    Outer record = assertInstanceOf(Outer.class, result[0]);
    assertMovedOut(
        record.two()[0],
        record.two()[1],
        record.inner().third(),
        record.fourth().orElseThrow(),
        assertInstanceOf(Own.class, result[1]).fifth);
  }

  /** The collection that a record presents is not all that it holds. */
  @Test
  void betterThanSpecFARecordThatIteratesOverSomethingElseSurvivesWhole() {
    record Batch(DenseTensor images, DenseTensor labels, List<String> names)
        implements Iterable<String> {
      @Override
      public Iterator<String> iterator() {
        return names.iterator();
      }
    }
    record Named(DenseTensor key, String name) implements Map.Entry<String, String> {
      @Override
      public String getKey() {
        return name;
      }

      @Override
      public String getValue() {
        return name;
      }

      @Override
      public String setValue(String value) {
        throw new UnsupportedOperationException();
      }
    }

    List<Object> result =
        outer.using(
            "inner",
            inner ->
                List.of(
                    new Batch(tensor(inner, 1), tensor(inner, 2), List.of("a", "b")),
                    new Named(tensor(inner, 3), "c")));
    Batch batch = assertInstanceOf(Batch.class, result.getFirst());
    assertMovedOut(
        batch.images(), batch.labels(), assertInstanceOf(Named.class, result.getLast()).key());
  }

  @Test
  void betterThanSpecFAValueThatHoldsItselfIsWalkedOnce() {
    Object[] result =
        outer.using(
            "inner",
            inner -> {
              Object[] cycle = {tensor(inner, 1), null};
              List<Object> list = new ArrayList<>(List.of((Object) cycle));
              cycle[1] = list;
              return cycle;
            });
    assertMovedOut(assertInstanceOf(DenseTensor.class, result[0]));
  }

  @Test
  void betterThanSpecFADeepValueDoesNotOverflowTheStack() {
    Object result =
        outer.using(
            "inner",
            inner -> {
              Object deep = tensor(inner, 1);
              for (int i = 0; i < 100_000; i++) {
                deep = new Object[] {deep};
              }
              return deep;
            });
    while (result instanceof Object[] array) {
      result = array[0];
    }
    assertMovedOut(assertInstanceOf(DenseTensor.class, result));
  }

  @Test
  void betterThanSpecFTensorsOfOtherScopesStayWhereTheyAre() {
    ResourceScope model = outer.child("model");
    DenseTensor weight = tensor(model, 1);
    List<DenseTensor> result = outer.using("inner", inner -> List.of(weight, tensor(inner, 2)));
    assertSame(model, weight.scope());
    assertSame(outer, result.get(1).scope());
    model.close();
    assertTrue(weight.isClosed());
  }

  @Test
  void betterThanSpecFWithoutAnOuterScopeTheResultIsTheCallers() {
    DenseTensor result = ResourceScope.using(memory, "alone", scope -> tensor(scope, 1));
    assertNull(result.scope());
    assertEquals(1, HostTensors.toFloats(result)[0]);
    result.close();
  }

  @Test
  void betterThanSpecFAFailingBodyReleasesEverythingAndItsExceptionArrives() {
    List<DenseTensor> made = new ArrayList<>();
    assertThrows(
        IOException.class,
        () ->
            outer.using(
                "inner",
                inner -> {
                  made.add(tensor(inner, 1));
                  throw new IOException("no such thing");
                }));
    assertTrue(made.getFirst().isClosed());
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void betterThanSpecFScopesOpenedInBetweenDoNotConfuseTheTarget() {
    DenseTensor result =
        outer.using(
            "inner",
            inner -> {
              ResourceScope other = outer.child("opened in between");
              DenseTensor made = tensor(inner, 1);
              other.close();
              return made;
            });
    assertMovedOut(result);
  }

  @Test
  void betterThanSpecFAnyThreadMayCloseAndTwiceIsNoError() throws Exception {
    DenseTensor tensor = tensor(outer, 1);
    LifeTest.atOnce(4, i -> outer.close());
    assertTrue(tensor.isClosed());
    outer.close();
  }

  @Test
  void betterThanSpecFTwoHandlesOnOneStorageAreBothReleased() {
    DenseTensor tensor = tensor(outer, 1, 2);
    DenseTensor view = assertInstanceOf(DenseTensor.class, tensor.view(outer, tensor.layout()));
    outer.close();
    assertTrue(tensor.isClosed() && view.isClosed());
    assertFalse(tensor.storage().isAlive());
  }

  @Test
  void m3AProducerHandsOverToAConsumerAndMayLeave() throws Exception {
    int batches = 200;
    BlockingQueue<DenseTensor> queue = new LinkedBlockingQueue<>();
    double[] sum = new double[1];
    LifeTest.atOnce(
        2,
        i -> {
          if (i == 0) {
            try (ResourceScope producer = outer.child("producer")) {
              for (int batch = 0; batch < batches; batch++) {
                DenseTensor made = tensor(producer, batch);
                tensor(producer, -1); // one of the producer's own
                ResourceScope.detach(made);
                queue.add(made);
              }
            }
          } else {
            try (ResourceScope consumer = outer.child("consumer")) {
              for (int batch = 0; batch < batches; batch++) {
                DenseTensor taken = queue.take();
                ResourceScope.moveTo(consumer, taken);
                sum[0] += HostTensors.toFloats(taken)[0];
              }
              assertEquals(4L * batches, consumer.account().bytes());
            }
          }
        });
    assertEquals(batches * (batches - 1) / 2.0, sum[0]);
    assertEquals(0, memory.account().bytes());
  }

  /** The bytes stay where they are, and the same account counts them; only the owner changes. */
  @Test
  void m4AScopeOfAnotherMemoryMayOwnATensorWhoseBytesStayWhereTheyAre() {
    OffHeap elsewhere = OffHeap.withBudget(100);
    ResourceScope there = ResourceScope.open(elsewhere, "there");
    long before = outer.memory().account().bytes();
    DenseTensor tensor = tensor(outer, new float[300]);
    ResourceScope.moveTo(there, tensor);
    assertEquals(before + 1200, outer.memory().account().bytes());
    assertEquals(0, elsewhere.account().bytes());
    there.close();
    assertTrue(tensor.isClosed());
    assertEquals(before, outer.memory().account().bytes());
  }

  @Test
  void m4BytesMoveWithTheTensorThatIsHandedOver() {
    ResourceScope a = outer.child("a");
    ResourceScope b = outer.child("b", 1000);
    DenseTensor tensor = tensor(a, new float[300]);
    ResourceScope.moveTo(b, tensor);
    assertEquals(0, a.account().bytes());
    assertEquals(1200, b.account().bytes(), "a hand-over is never refused");
    assertEquals(1200, b.account().peakBytes());
    assertInstanceOf(Fault.class, b.allocate(1));
    a.close();
    assertEquals(1200, outer.account().bytes());
    tensor.close();
    assertEquals(0, b.account().bytes());
    assertInstanceOf(Storage.class, b.allocate(1)).release();
    b.close();
  }
}
