package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Sample;
import dev.staunch.kernel.UntidyKernels;
import dev.staunch.memory.MemoryMetrics;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * M4: tensors that a user's kernel made before it failed are freed by the time its fault can be
 * read.
 */
class FailedKernelTest {
  private static final String ENGINES = "dev.staunch.eager.EagerTrial#engines";

  /** A trial with untidy kernels, and a scope to which they hand tensors over. */
  private static final class Room implements AutoCloseable {
    final UntidyKernels kernels = new UntidyKernels();
    final EagerTrial trial;
    final ResourceScope elsewhere;
    final Tensor x;
    private final long bytes;
    private final long members;

    Room(EngineOptions engine) {
      trial = new EagerTrial(engine, kernels::addTo);
      elsewhere = ResourceScope.open(trial.memory, "elsewhere");
      kernels.handOverTo(elsewhere);
      x = trial.context.ones(4);
      trial.context.waitAll();
      bytes = trial.context.bytes();
      members = members();
    }

    /** Resources that nobody has closed, apart from those handed over. */
    private long members() {
      MemoryMetrics now = trial.memory.metrics();
      long closed = now.freedExplicitly() + now.freedByScope() + now.freedByReaper();
      return now.creations() - closed;
    }

    void assertAsBefore() {
      assertEquals(bytes, trial.context.bytes(), "bytes");
      kernels.assertAllGivenBack();
      kernels.clear();
      assertEquals(members, members(), "members");
    }

    @Override
    public void close() {
      elsewhere.close();
      trial.close();
    }
  }

  private static Stream<Arguments> onAll(Stream<String> operations) {
    return operations.flatMap(
        name -> EagerTrial.engines().map(engine -> Arguments.of(name, engine)));
  }

  static Stream<Arguments> ones() {
    return onAll(UntidyKernels.failingOnes());
  }

  static Stream<Arguments> pairs() {
    return onAll(UntidyKernels.failingPairs());
  }

  @ParameterizedTest
  @MethodSource("ones")
  void m4NothingIsLeftOfAKernelThatFailed(String name, EngineOptions engine) {
    try (Room room = new Room(engine)) {
      Tensor failed = room.trial.context.apply("test::" + name, room.x);
      assertNotNull(failed.fault());
      room.assertAsBefore();
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void m4NothingIsLeftOfAKernelAllOfWhoseResultsAreFaults(String name, EngineOptions engine) {
    try (Room room = new Room(engine)) {
      for (Tensor failed : room.trial.context.applyMany("test::" + name, 2, room.x)) {
        assertNotNull(failed.fault());
      }
      room.assertAsBefore();
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void m4NothingIsLeftOfAKernelWithoutResults(EngineOptions engine) {
    try (Room room = new Room(engine)) {
      assertThrows(
          StaunchException.class,
          () -> room.trial.context.applyValue("test::without_result", room.x));
      room.assertAsBefore();
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void ofWhatAKernelMadeThatSucceededItsResultStays(EngineOptions engine) {
    try (Room room = new Room(engine)) {
      for (String name : new String[] {"test::succeeds", "test::succeeds_later"}) {
        Tensor made = room.trial.context.apply(name, room.x);
        assertEquals(16, made.zero_().add(1).sum().item());
        room.kernels.assertNothingButResultsIsLeft(1);
        room.kernels.clear();
      }
    }
  }

  /** F5. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void aGoodResultBesideAFaultIsGood(EngineOptions engine) {
    try (Room room = new Room(engine)) {
      for (String name : new String[] {"test::half", "test::half_later"}) {
        Tensor[] results = room.trial.context.applyMany(name, 2, room.x);
        Tensor good = results[name.endsWith("later") ? 1 : 0];
        assertEquals(16, good.zero_().add(1).sum().item());
        assertNotNull(results[name.endsWith("later") ? 0 : 1].fault());
        room.kernels.assertNothingButResultsIsLeft(1);
        room.kernels.clear();
      }
    }
  }

  /** A tensor that it made is closed even where others can see it; using it is a typed fault. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void m2WhatAFailedKernelHasLeftWithOthersIsClosed(EngineOptions engine) {
    AtomicReference<DenseTensor> leaked = new AtomicReference<>();
    try (EagerTrial trial =
        new EagerTrial(
            engine,
            catalog ->
                catalog.one("test::leaks(Tensor x) -> Tensor", call -> leak(call, leaked)))) {
      Tensor x = trial.context.ones(4);
      assertNotNull(trial.context.apply("test::leaks", x).fault());
      Tensor use = trial.context.wrap(Objects.requireNonNull(leaked.get())).add(1);
      assertEquals(FaultType.CLOSED, Objects.requireNonNull(use.fault()).type());
      assertNull(x.fault());
    }
  }

  private static Object leak(Call call, AtomicReference<DenseTensor> to) {
    to.set((DenseTensor) call.allocate(DType.FLOAT32, Shape.of(16)));
    throw new IllegalStateException("thrown");
  }

  static Stream<EngineOptions> twoEngines() {
    return Stream.of(EngineOptions.serial(), EngineOptions.threaded(4));
  }

  @ParameterizedTest
  @MethodSource("twoEngines")
  void m4ManyFailuresLeaveTheAccountFlat(EngineOptions engine) {
    try (Room room = new Room(engine)) {
      int failures = Sample.whole() ? 100_000 : 20_000;
      for (int i = 0; i < failures; i++) {
        assertNotNull(room.trial.context.apply("test::returns_fault", room.x).fault());
        if (i % 1000 == 0) {
          room.assertAsBefore();
        }
        room.kernels.clear();
      }
      assertNotNull(room.trial.context.apply("test::throws", room.x).fault());
      room.assertAsBefore();
    }
  }
}
