package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** User code that throws where memory calls it costs no byte and no thread (M3, M4, F11). */
class HostileCallbackTest {
  private final OffHeap memory =
      OffHeap.of(
          MemoryOptions.withBudget(1 << 20)
              .withLeakDetection(LeakDetection.FULL)
              .withLeakListener(leak -> {
                throw new IllegalStateException("from the listener");
              }));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    assertEquals(0, memory.account().bytes());
    assertEquals(0, memory.account().children().size(), "accounts of closed scopes");
  }

  private static DenseTensor tensor(ResourceScope home) {
    return assertInstanceOf(
        DenseTensor.class, DenseTensor.allocate(home, DType.FLOAT32, Shape.of(4)));
  }

  /** A resource whose methods all throw. */
  private static final class Hostile extends Resource {
    Hostile(ResourceScope home, Throwable thrown) {
      super(home, () -> HostileCallbackTest.<RuntimeException>sneak(thrown));
    }

    @Override
    public String describe() {
      throw new IllegalStateException("from describe");
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void m7AClosingMemoryReleasesAndReportsEverythingWhateverItsListenerThrows() {
    List<DenseTensor> open = List.of(tensor(scope), tensor(scope), tensor(scope));
    memory.close();
    assertTrue(open.stream().allMatch(Resource::isClosed));
    assertEquals(3, memory.metrics().leaks());
  }

  @Test
  void m3AClosingMemoryReleasesEverythingEvenIfSomeFail() {
    List<Resource> members =
        List.of(
            tensor(scope),
            scope.own(new Hostile(scope, new IllegalStateException("one"))),
            scope.own(new Hostile(scope, new IllegalStateException("two"))),
            tensor(scope));
    IllegalStateException thrown = assertThrows(IllegalStateException.class, memory::close);
    assertEquals(1, thrown.getSuppressed().length);
    assertTrue(members.stream().allMatch(Resource::isClosed));
    assertEquals(0, memory.reservedBytes(), "the pool went back");
  }

  @Test
  void m3AScopeReleasesEveryMemberEvenIfOneThrowsWhatNobodyDeclared() {
    ResourceScope request = scope.child("request");
    Throwable cause = new Throwable("disk on fire");
    IOException other = new IOException("disk gone");
    List<Resource> members =
        List.of(
            tensor(request),
            request.own(new Hostile(request, cause)),
            tensor(request),
            request.own(new Hostile(request, other)),
            tensor(request));
    IllegalStateException thrown = assertThrows(IllegalStateException.class, request::close);
    assertSame(cause, thrown.getCause());
    assertArrayEquals(new Throwable[] {other}, cause.getSuppressed());
    assertTrue(members.stream().allMatch(Resource::isClosed));
    assertEquals(0, scope.account().bytes());
  }

  /** Thrown by a listener, by the log that is told of it, or by a release. */
  @Test
  void f11NothingThatIsThrownEndsTheReaper() throws Exception {
    AtomicInteger told = new AtomicInteger();
    OffHeap watched =
        OffHeap.of(
            MemoryOptions.withBudget(1 << 20)
                .withLeakDetection(LeakDetection.FULL)
                .withLeakListener(leak -> {
                  told.incrementAndGet();
                  sneak(new Throwable("from the listener"));
                }));
    Logger log = Logger.getLogger(LeakWatch.class.getName());
    log.setFilter(record -> {
      sneak(new Throwable("from the log"));
      return true;
    });
    try (ResourceScope request = ResourceScope.open(watched, "request")) {
      for (int leaks = 2; leaks <= 6; leaks += 2) {
        int enough = leaks;
        dropThree(request);
        assertTrue(Dropped.collectUntil(() -> told.get() == enough), () -> told + " leaks told");
      }
    } finally {
      log.setFilter(null);
    }
    assertEquals(0, watched.account().bytes());
  }

  private static void dropThree(ResourceScope request) {
    assertNotNull(tensor(request));
    assertNotNull(request.own(new Hostile(request, new Throwable("from the release"))));
    assertNotNull(tensor(request));
  }

  @Test
  void m7AListenerThatIsMissingIsToldWhereItIsGiven() {
    MemoryOptions options = memory.options();
    assertThrows(NullPointerException.class, () -> options.withLeakListener(null));
  }

  @Test
  void m7AResourceThatCannotBeDescribedIsOwnedAndCalledByItsClass() {
    Hostile owned = scope.own(new Hostile(scope, new IllegalStateException("from release")));
    assertSame(scope, owned.scope());
    assertEquals(Hostile.class.getName(), memory.openResources().getFirst().what());
    assertThrows(IllegalStateException.class, owned::close);
  }

  public record Unreadable(DenseTensor tensor) {
    @Override
    public DenseTensor tensor() {
      throw new IllegalStateException("from the accessor");
    }
  }

  /** Each adds a value that throws when it is searched to a list that already holds a tensor. */
  static Stream<BiConsumer<DenseTensor, List<Object>>> unsearchable() {
    return Stream.of(
        (tensor, held) -> held.add(new Unreadable(tensor)),
        (tensor, held) ->
            held.add(
                (ResourceHolder)
                    () -> {
                      throw new IllegalStateException("from the holder");
                    }),
        (tensor, held) ->
            held.add(
                (Iterable<Object>)
                    () -> {
                      throw new IllegalStateException("from the collection");
                    }),
        (tensor, held) -> held.add(Optional.of(Map.of("x", new Unreadable(tensor)))));
  }

  @ParameterizedTest
  @MethodSource("unsearchable")
  void m3AResultThatThrowsWhenItIsSearchedMovesNothing(
      BiConsumer<DenseTensor, List<Object>> adder) {
    Map<String, DenseTensor> made = new ConcurrentHashMap<>();
    RuntimeException thrown =
        assertThrows(
            RuntimeException.class,
            () ->
                scope.using(
                    "request",
                    request -> {
                      made.put("x", tensor(request));
                      List<Object> result = new ArrayList<>(List.of(made.get("x")));
                      adder.accept(tensor(request), result);
                      return result;
                    }));
    Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
    assertTrue(cause.getMessage().startsWith("from the "), cause::toString);
    assertTrue(made.get("x").isClosed());
    assertEquals(0, scope.account().bytes());
  }

  @Test
  void m3TheExceptionNamesTheAccessorThatThrew() {
    Unreadable result = new Unreadable(tensor(scope));
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> scope.moveOut(result, null));
    assertEquals(
        "the record dev.staunch.memory.HostileCallbackTest$Unreadable cannot be searched for"
            + " tensors, for its accessor tensor threw an exception",
        thrown.getMessage());
  }

  @Test
  void m3WhatTheBodyOfAScopeThrowsIsThrownAndItsMembersAreReleased() {
    Map<String, DenseTensor> made = new ConcurrentHashMap<>();
    assertThrows(
        StackOverflowError.class,
        () ->
            scope.using(
                "request",
                request -> {
                  made.put("x", tensor(request));
                  throw new StackOverflowError("of the body");
                }));
    assertTrue(made.get("x").isClosed());
  }
}
