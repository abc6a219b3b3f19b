package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.operation.None;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * A cancelled write in place leaves its fault where it would have written, at its position in the
 * order of the calls, on every engine (C2, C3, F2, F4, E6). Reads that were called before it have
 * their values, even if these are still being computed; what comes after has the fault until
 * everything is overwritten.
 */
@Timeout(120)
class CancelledWriteTest {
  private static final Object NONE = None.NONE;

  /** A way to write a float32 tensor. */
  private record Write(String name, BiConsumer<Context, Tensor> action) {}

  private static final List<Write> WRITES =
      List.of(
          new Write("add_", (context, s) -> s.add_(1.0)),
          new Write("fill_", (context, s) -> s.fill_(1.0)),
          new Write("copy_", (context, s) -> s.copy_(context.ones(2, 3))),
          new Write("uniform_", (context, s) -> s.uniform_(0, 1)),
          new Write("set", (context, s) -> s.set(1.0, Index.at(0))),
          new Write("out", (context, s) -> s.context().apply("aten::add.out", s, s, 1.0, s)),
          new Write("clamp_", (context, s) -> s.apply("aten::clamp_", s, 0.0, NONE)));

  /** A program on an engine, whose slow operation continues when it is told to. */
  private static final class Program implements AutoCloseable {
    private final CountDownLatch done;
    private final EagerTrial trial;
    final Context context;
    final CancelScope request = CancelScope.open();

    Program(EngineOptions engine, boolean pending) {
      done = new CountDownLatch(pending ? 1 : 0);
      trial = EagerTrial.withLater(engine, done);
      context = trial.context;
    }

    /** [2, 3] of 2, which is not available before {@link #goOn}, if the engine has threads. */
    Tensor slow() {
      return context.apply("test::later", context.full(2.0, 2, 3));
    }

    void cancelled(Write write, Tensor target) {
      context.within(
          request,
          () -> {
            write.action.accept(context, target);
            return true;
          });
    }

    void goOn() {
      done.countDown();
    }

    @Override
    public void close() {
      goOn();
      trial.close();
    }
  }

  private static Stream<DynamicTest> onAllEngines(BiConsumer<Program, Write> test) {
    Stream<EngineOptions> seeded =
        LongStream.range(0, 8).mapToObj(seed -> EngineOptions.seeded(seed, 3));
    List<DynamicTest> tests = new ArrayList<>();
    Stream.concat(EagerTrial.engines(), seeded)
        .forEach(engine ->
            WRITES.forEach(write -> {
              boolean threads = engine.mode() == EngineOptions.Mode.THREADED;
              for (boolean pending :
                  threads ? new boolean[] {true, false} : new boolean[] {false}) {
                tests.add(
                    DynamicTest.dynamicTest(
                        write.name + (pending ? ", pending, " : ", ") + engine.mode(),
                        () -> {
                          try (Program program = new Program(engine, pending)) {
                            test.accept(program, write);
                          }
                        }));
              }
            }));
    return tests.stream();
  }

  private static FaultType type(Tensor tensor) {
    return Objects.requireNonNull(tensor.fault(), "no fault").type();
  }

  @TestFactory
  Stream<DynamicTest> whatWasCalledBeforeHasItsValueAndWhatComesAfterTheFault() {
    return onAllEngines((program, write) -> {
      program.request.cancel("client gone");
      Tensor s = program.slow();
      Tensor before = s.sum();
      program.cancelled(write, s);
      Tensor after = s.sum();
      program.goOn();
      assertEquals(12, before.item());
      assertEquals(FaultType.CANCELLED, type(after));
      assertEquals(FaultType.CANCELLED, type(s));
    });
  }

  @TestFactory
  Stream<DynamicTest> aFullOverwriteHeals() {
    return onAllEngines((program, write) -> {
      program.request.cancel("client gone");
      Tensor s = program.slow();
      program.cancelled(write, s);
      s.fill_(5.0);
      Tensor filled = s.sum();
      program.cancelled(write, s);
      s.copy_(program.context.ones(2, 3));
      program.goOn();
      assertEquals(30, filled.item());
      assertEquals(6, s.sum().item());
    });
  }

  @TestFactory
  Stream<DynamicTest> cancellingLaterIsTheSame() {
    return onAllEngines((program, write) -> {
      Tensor s = program.slow();
      Tensor before = s.sum();
      program.cancelled(write, s);
      program.request.cancel("client gone");
      program.goOn();
      assertEquals(12, before.item());
      Fault fault = s.fault(); // C4: the write may have completed
      assertTrue(fault == null || fault.type() == FaultType.CANCELLED, () -> "" + fault);
      s.fill_(5.0);
      assertEquals(30, s.sum().item());
    });
  }

  /** C2: also through a view that was called before. */
  @TestFactory
  Stream<DynamicTest> aCancelledWriteOfAViewIsOneOfItsMemory() {
    return onAllEngines((program, write) -> {
      program.request.cancel("client gone");
      Tensor s = program.slow();
      Tensor view = s.unsqueeze(0).squeeze(0);
      Tensor before = s.sum();
      program.cancelled(write, view);
      program.goOn();
      assertEquals(12, before.item());
      assertEquals(FaultType.CANCELLED, type(s));
      assertEquals(FaultType.CANCELLED, type(view));
    });
  }

  /** C2, E6: also if that fault arises after the cancellation. */
  @TestFactory
  Stream<DynamicTest> theFaultThatATensorHasOutranksThatOfACancelledWriteOfIt() {
    return onAllEngines((program, write) -> {
      program.request.cancel("client gone");
      Tensor s = program.slow();
      s.add_(program.context.ones(77));
      program.cancelled(write, s);
      program.goOn();
      boolean overwrites = List.of("fill_", "copy_", "uniform_").contains(write.name);
      assertEquals(overwrites ? FaultType.CANCELLED : FaultType.SHAPE, type(s));
      s.zero_();
      assertNull(s.fault());
    });
  }
}
