package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Sample;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A result that turned out to be a copy has a value of its own, whether or not that was known when
 * it was used; one that turned out to be a view shares everything with its original (F2, F3, F4,
 * E1, E6).
 */
@Timeout(120)
class CopiedResultTest {
  private static final Object NONE = None.NONE;

  /** Forms, by name, that copy a transposed int64 tensor of [3, 2]. */
  private static final Map<String, UnaryOperator<Tensor>> COPIES =
      Map.ofEntries(
          Map.entry("to float32", t -> t.to(DType.FLOAT32).reshape(3, 2)),
          Map.entry("to other", t -> t.apply("aten::to.other", t, t.div(1), false, false, NONE)),
          Map.entry("to copy", t -> t.apply("aten::to.dtype", t, 4L, false, true, NONE)),
          Map.entry("type_as", t -> t.typeAs(t.div(1))),
          Map.entry("reshape", t -> t.reshape(6)),
          Map.entry("reshape_as", t -> t.apply("aten::reshape_as", t, t.flatten())),
          Map.entry("flatten", t -> t.flatten()),
          Map.entry("ravel", t -> t.apply("aten::ravel", t)),
          Map.entry("contiguous", t -> t.contiguous()),
          Map.entry("a view of a copy", t -> t.contiguous().transpose(0, 1)),
          Map.entry("a copy of a copy", t -> t.to(DType.FLOAT64).transpose(0, 1).flatten()),
          Map.entry(
              "as_tensor", t -> t.apply("aten::as_tensor", t, (long) DType.FLOAT64.code(), NONE)),
          Map.entry("dropout", t -> t.div(1).apply("aten::dropout", t.div(1), 0.0, true)),
          Map.entry("copy", t -> t.copy()));

  /** Forms, by name, that view all of the same tensor. */
  private static final Map<String, UnaryOperator<Tensor>> VIEWS =
      Map.of(
          "to int64", t -> t.to(DType.INT64),
          "type_as", t -> t.typeAs(t),
          "reshape", t -> t.reshape(3, 1, 2),
          "contiguous", t -> t.transpose(0, 1).contiguous(),
          "flatten", t -> t.transpose(0, 1).flatten(),
          "ravel", t -> t.apply("aten::ravel", t.transpose(0, 1)),
          "cpu", t -> t.apply("aten::cpu", t),
          "a view of such a view", t -> t.reshape(3, 1, 2).transpose(0, 2).to(DType.INT64));

  /** A program, and what it may use. */
  private static final class Program implements AutoCloseable {
    private final EagerTrial trial;
    private final CountDownLatch done;
    final Context context;

    Program(EngineOptions engine, boolean pending) {
      done = new CountDownLatch(pending ? 1 : 0);
      trial = EagerTrial.withLater(engine, done);
      context = trial.context;
    }

    /**
     * [3, 2], transposed, 0 to 5; not available before {@link #goOn}, if the engine has threads.
     */
    Tensor original() {
      return context.apply("test::later", context.arange(6)).reshape(2, 3).transpose(0, 1);
    }

    Tensor invalid() {
      return context.zeros(DType.INT64, 77);
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

  private static Stream<DynamicTest> onAllEngines(
      Map<String, UnaryOperator<Tensor>> forms, BiConsumer<Program, UnaryOperator<Tensor>> test) {
    Stream<EngineOptions> seeded =
        LongStream.range(0, Sample.whole() ? 8 : 1).mapToObj(seed -> EngineOptions.seeded(seed, 3));
    List<DynamicTest> tests = new ArrayList<>();
    Stream.concat(EagerTrial.engines(), seeded)
        .forEach(engine ->
            forms.forEach((name, form) -> {
              boolean threads = engine.mode() == EngineOptions.Mode.THREADED;
              for (boolean pending :
                  threads ? new boolean[] {true, false} : new boolean[] {false}) {
                String when = pending ? ", pending" : "";
                tests.add(
                    DynamicTest.dynamicTest(
                        name + when + ", " + engine.mode(),
                        () -> {
                          try (Program program = new Program(engine, pending)) {
                            test.accept(program, form);
                          }
                        }));
              }
            }));
    return tests.stream();
  }

  private static double sum(Tensor tensor) {
    return tensor.to(DType.FLOAT64).sum().item();
  }

  private static FaultType type(Tensor tensor) {
    return Objects.requireNonNull(tensor.fault(), "no fault").type();
  }

  @TestFactory
  Stream<DynamicTest> aFailedWriteOfTheOriginalIsNoneOfTheCopy() {
    return onAllEngines(
        COPIES,
        (program, form) -> {
          Tensor x = program.original();
          Tensor copy = form.apply(x);
          Tensor before = copy.mul(1);
          x.add_(program.invalid());
          Tensor after = copy.mul(1);
          program.goOn();
          assertEquals(15, sum(copy));
          assertEquals(15, sum(before));
          assertEquals(15, sum(after));
          assertEquals(FaultType.SHAPE, type(x));
        });
  }

  @TestFactory
  Stream<DynamicTest> aFailedWriteOfTheCopyIsNoneOfTheOriginal() {
    return onAllEngines(
        COPIES,
        (program, form) -> {
          Tensor x = program.original();
          Tensor copy = form.apply(x);
          copy.add_(program.invalid());
          Tensor ofCopy = copy.mul(1);
          Tensor ofOriginal = x.mul(1);
          program.goOn();
          assertEquals(FaultType.SHAPE, type(copy));
          assertEquals(FaultType.SHAPE, type(ofCopy));
          assertEquals(15, sum(ofOriginal));
          assertEquals(15, sum(x));
        });
  }

  @TestFactory
  Stream<DynamicTest> overwritingOneOfThemDoesNotHealTheOther() {
    return onAllEngines(
        COPIES,
        (program, form) -> {
          Tensor x = program.original();
          Tensor copy = form.apply(x);
          x.add_(program.invalid());
          copy.fill_(2);
          Tensor other = program.original();
          Tensor faulted = form.apply(other);
          faulted.add_(program.invalid());
          other.zero_();
          program.goOn();
          assertEquals(FaultType.SHAPE, type(x));
          assertEquals(12, sum(copy));
          assertEquals(FaultType.SHAPE, type(faulted));
          assertEquals(0, sum(other));
        });
  }

  @TestFactory
  Stream<DynamicTest> eachIsHealedByWhatOverwritesIt() {
    return onAllEngines(
        COPIES,
        (program, form) -> {
          Tensor x = program.original();
          Tensor copy = form.apply(x);
          x.add_(program.invalid());
          copy.add_(program.invalid());
          x.zero_();
          copy.fill_(1);
          copy.add_(1);
          program.goOn();
          assertEquals(0, sum(x));
          assertEquals(12, sum(copy));
        });
  }

  /** E1: what is called before is done before, although it is not known yet whose memory it is. */
  @TestFactory
  Stream<DynamicTest> writesOfEachAreSeenInTheOrderOfTheCalls() {
    return onAllEngines(
        COPIES,
        (program, form) -> {
          Tensor x = program.original();
          Tensor copy = form.apply(x);
          List<Tensor> sums = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            copy.add_(1);
            x.mul_(0);
            sums.add(copy.sum());
          }
          program.goOn();
          copy.add_(1);
          sums.add(copy.sum());
          for (int i = 0; i < sums.size(); i++) {
            assertEquals(15 + 6 * (i + 1), sum(sums.get(i)));
          }
          assertEquals(0, sum(x));
        });
  }

  /** F2: nor does an earlier fault of the original leave the copy without a fault. */
  @TestFactory
  Stream<DynamicTest> aCopyOfWhatFailedFailsAndIsNotHealedWithIt() {
    return onAllEngines(
        COPIES,
        (program, form) -> {
          Tensor x = program.original();
          x.add_(program.invalid());
          Tensor copy = form.apply(x);
          x.zero_();
          Tensor second = form.apply(x);
          program.goOn();
          assertEquals(FaultType.SHAPE, type(copy));
          assertEquals(0, sum(second));
        });
  }

  /** F2: a result without memory shares none. */
  @TestFactory
  Stream<DynamicTest> aWriteOfACopyThatWasNotMadeLeavesTheOriginalAlone() {
    return onAllEngines(
        Map.of(
            "reshape", t -> t.reshape(5),
            "type_as", t -> t.typeAs(t.reshape(7)),
            "view", t -> t.transpose(0, 1).view(5),
            "a view of what failed", t -> t.view(5).transpose(0, 1)),
        (program, form) -> {
          Tensor x = program.original();
          Tensor copy = form.apply(x);
          copy.fill_(1);
          copy.add_(1);
          program.goOn();
          Fault fault = Objects.requireNonNull(copy.fault());
          assertEquals(FaultType.SHAPE, fault.type());
          assertEquals(List.of(), fault.suppressed(), "nothing else is the matter with it");
          copy.fill_(1);
          assertNotNull(copy.fault(), "there is nothing to overwrite");
          assertEquals(15, sum(x));
        });
  }

  @TestFactory
  Stream<DynamicTest> aViewSharesFaultsAndHealingWithItsOriginal() {
    return onAllEngines(
        VIEWS,
        (program, form) -> {
          Tensor x = program.original();
          Tensor view = form.apply(x);
          x.add_(program.invalid());
          Tensor lost = view.mul(1);
          view.fill_(3);
          Tensor healed = x.mul(1);
          view.add_(program.invalid());
          Tensor again = x.mul(1);
          x.fill_(4);
          view.add_(1);
          program.goOn();
          assertEquals(FaultType.SHAPE, type(lost));
          assertEquals(18, sum(healed));
          assertEquals(FaultType.SHAPE, type(again));
          assertEquals(30, sum(x));
          assertEquals(30, sum(view));
        });
  }

  /** C2: a cancelled write leaves its fault in what it would have written. */
  @TestFactory
  Stream<DynamicTest> aCancelledWriteOfACopyIsNoneOfTheOriginal() {
    return onAllEngines(
        COPIES,
        (program, form) -> {
          CancelScope request = CancelScope.open();
          request.cancel("client gone");
          Tensor x = program.original();
          Tensor copy = form.apply(x);
          Tensor before = copy.mul(1);
          program.context.within(request, () -> copy.add_(1));
          Tensor second = form.apply(x);
          program.context.within(request, () -> x.zero_());
          program.goOn();
          assertEquals(15, sum(before));
          assertEquals(FaultType.CANCELLED, type(copy));
          assertEquals(15, sum(second));
          assertEquals(FaultType.CANCELLED, type(x));
          copy.fill_(1);
          assertEquals(6, sum(copy));
          assertEquals(FaultType.CANCELLED, type(x));
        });
  }

  /** F2: it does not depend on anything that happens to its original afterwards. */
  @TestFactory
  Stream<DynamicTest> aViewThatFailedHasItsOwnFaultAlone() {
    return onAllEngines(
        Map.of("select", t -> t.select(0, 7), "view", t -> t.view(5)),
        (program, form) -> {
          Tensor x = program.original();
          Tensor view = form.apply(x);
          x.add_(program.invalid());
          Tensor later = view.mul(1);
          program.goOn();
          assertEquals(List.of(), Objects.requireNonNull(view.fault()).suppressed());
          assertEquals(List.of(), Objects.requireNonNull(later.fault()).suppressed());
          x.fill_(1);
          assertNotNull(view.fault());
          assertEquals(6, sum(x));
        });
  }

  /** C2: it is not known whether it would have been a copy; there is nothing to write to. */
  @TestFactory
  Stream<DynamicTest> aWriteOfACopyThatWasCancelledLeavesTheOriginalAlone() {
    return onAllEngines(
        COPIES,
        (program, form) -> {
          CancelScope request = CancelScope.open();
          request.cancel("client gone");
          Tensor x = program.original();
          Tensor copy = program.context.within(request, () -> form.apply(x));
          copy.add_(1);
          program.goOn();
          assertEquals(FaultType.CANCELLED, type(copy));
          assertEquals(15, sum(x));
        });
  }

  /** F2, F4: whichever operation made it, and although no handle has all of it. */
  @ParameterizedTest
  @MethodSource("dev.staunch.eager.EagerTrial#engines")
  void partsOfOneCopyShareWhatTheyHold(EngineOptions engine) {
    EagerTrial trial =
        new EagerTrial(
            engine,
            catalog -> catalog.one("test::rows(Tensor x) -> Tensor[]", CopiedResultTest::rows));
    try (trial) {
      Tensor x = trial.context.ones(3, 2);
      Tensor[] rows = x.applyList("test::rows", x);
      rows[0].add_(trial.invalid());
      assertNotNull(rows[2].fault());
      rows[1].fill_(2);
      assertNotNull(rows[1].fault(), "a part is not all");
      assertArrayEquals(new float[] {1, 1, 1, 1, 1, 1}, x.floats());
    }
  }

  /** Views of the rows of a copy. */
  private static Object rows(Call call) {
    DenseTensor x = call.tensor(0);
    Object copy = DenseTensor.allocate(call.scope(), x.dtype(), x.shape());
    if (!(copy instanceof DenseTensor all)) {
      return copy;
    }
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      rows.add(all.view(call.scope(), new Layout(Shape.of(2), new long[] {1}, 2L * i)));
    }
    all.close();
    return rows;
  }
}
