package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.TensorGoldens;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operation that reads or writes a lot is not a small call, and goes to a worker (E5). */
class WorkloadTest {
  private static final Object NONE = None.NONE;
  private static final long LARGE = 1 << 14;

  /** For example for the coordinates of each element. */
  private static final long SLACK = 4;

  private final OffHeap memory = OffHeap.withBudget(256 << 20);
  private final Context context = Context.open(memory);

  @AfterEach
  void close() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  private boolean isSmall(String operation, Object... arguments) {
    CatalogEntry definition =
        Objects.requireNonNull(StandardOperations.catalog().find("aten::" + operation), operation);
    return Signature.of(definition).workload.isSmall(arguments, LARGE);
  }

  private static List<Long> longs(Long... values) {
    return List.of(values);
  }

  @Test
  void whatMakesMuchOfLittleIsLarge() {
    Tensor row = context.ones(200);
    Tensor one = context.ones(1, 1);
    Tensor image = context.ones(1, 1, 4, 4);
    Tensor index = context.zeros(DType.INT64, 200);
    assertFalse(isSmall("zeros", longs(200L, 100L), NONE, NONE, NONE, NONE));
    assertFalse(isSmall("full", longs(20_000L), 1.0, NONE, NONE, NONE, NONE));
    assertFalse(
        isSmall("normal.float_float", 0.0, 1.0, longs(20_000L), NONE, NONE, NONE, NONE, NONE));
    assertFalse(isSmall("rand", longs(20_000L), NONE, NONE, NONE, NONE));
    assertFalse(isSmall("randint", 5L, longs(20_000L), NONE, NONE, NONE, NONE));
    assertFalse(isSmall("randperm", 20_000L, NONE, NONE, NONE, NONE));
    assertFalse(isSmall("new_zeros", one, longs(20_000L), NONE, NONE, NONE, NONE));
    assertFalse(isSmall("arange", 20_000L, NONE, NONE, NONE, NONE));
    assertFalse(isSmall("arange.start", -10_000L, 10_000L, NONE, NONE, NONE, NONE));
    assertFalse(isSmall("arange.start_step", 200.0, 0.0, -0.01, NONE, NONE, NONE, NONE));
    assertFalse(isSmall("linspace", 0.0, 1.0, 20_000L, NONE, NONE, NONE, NONE));
    assertFalse(isSmall("eye", 200L, NONE, NONE, NONE, NONE));
    assertFalse(isSmall("eye.m", 2L, 10_000L, NONE, NONE, NONE, NONE));
    assertFalse(isSmall("tril_indices", 200L, 200L, 0L, NONE, NONE, NONE, NONE));
    assertFalse(isSmall("outer", row, row));
    assertFalse(isSmall("add.Tensor", row, row.unsqueeze(1), 1L));
    assertFalse(isSmall("matmul", row.unsqueeze(1), row.unsqueeze(0)));
    assertFalse(isSmall("linear", row.unsqueeze(1), row.unsqueeze(1), NONE));
    assertFalse(isSmall("cdist", row.unsqueeze(1), row.unsqueeze(1), 2.0, NONE));
    assertFalse(isSmall("einsum", "i,j->ij", List.of(row, row), NONE));
    assertFalse(
        isSmall(
            "conv_transpose1d",
            context.ones(1, 1, 2000),
            context.ones(1, 1, 2000),
            NONE,
            longs(1L),
            longs(0L),
            longs(0L),
            1L,
            longs(1L)));
    assertFalse(
        isSmall(
            "sum.dim_IntList", context.empty(DType.FLOAT32, 0, 20_000), longs(0L), false, NONE));
    assertFalse(isSmall("diag", row, 20L));
    assertFalse(isSmall("kron", row, row));
    assertFalse(isSmall("diag_embed", row, 0L, 0L, 1L));
    assertFalse(isSmall("repeat", one, longs(200L, 100L)));
    assertFalse(isSmall("tile", row, longs(100L)));
    assertFalse(isSmall("repeat_interleave.self_int", row, 100L, NONE, NONE));
    assertFalse(isSmall("constant_pad_nd", image, longs(0L, 200L, 0L, 200L), 0.0));
    assertFalse(isSmall("reflection_pad1d", context.ones(40, 200), longs(199L, 199L)));
    assertFalse(isSmall("upsample_nearest2d", image, longs(200L, 200L), NONE, NONE));
    assertFalse(isSmall("upsample_nearest2d.vec", image, NONE, List.of(50.0, 50.0)));
    assertFalse(isSmall("index_select", one.expand(1, 200), 0L, index));
    assertFalse(isSmall("embedding", one.expand(1, 200), index, -1L, false, false));
    assertFalse(isSmall("exp", one.expand(200, 100)));
    assertFalse(isSmall("contiguous", one.expand(200, 100), 0L));
    assertFalse(isSmall("to.dtype", one.expand(200, 100), 7L, false, false, NONE));
  }

  @Test
  void whatMakesLittleIsSmall() {
    Tensor matrix = context.ones(64, 64);
    Tensor image = context.ones(1, 3, 16, 16);
    Tensor index = context.zeros(DType.INT64, 4);
    Tensor mask = context.ones(DType.BOOL, 64, 64);
    assertTrue(isSmall("add.Tensor", matrix, matrix, 1L));
    assertTrue(isSmall("add.Scalar", matrix, 1_000_000L, 1L));
    assertTrue(isSmall("add.Tensor", matrix, context.ones(64), 1L));
    assertTrue(isSmall("mm", matrix, matrix));
    assertTrue(isSmall("linear", matrix, matrix, context.ones(64)));
    assertTrue(isSmall("sum.dim_IntList", matrix, longs(0L, 1L), false, NONE));
    assertTrue(isSmall("reshape", matrix, longs(32L, -1L)));
    assertTrue(isSmall("roll", matrix, longs(30_000L), longs(0L)));
    assertTrue(isSmall("cat", List.of(matrix, matrix), 0L));
    assertTrue(isSmall("stack", List.of(matrix, matrix), 0L));
    assertTrue(isSmall("constant_pad_nd", image, longs(1L, 1L, 1L, 1L), 0.0));
    assertTrue(isSmall("upsample_nearest2d", image, longs(32L, 32L), NONE, NONE));
    assertTrue(isSmall("index_select", matrix, 0L, index));
    assertTrue(isSmall("index.Tensor", matrix, List.of(mask)));
    assertTrue(isSmall("embedding", matrix, index, -1L, false, false));
    assertTrue(isSmall("repeat", matrix, longs(2L, 1L)));
    assertTrue(isSmall("zeros", longs(64L, 64L), NONE, NONE, NONE, NONE));
    assertTrue(isSmall("arange", 100L, NONE, NONE, NONE, NONE));
  }

  /** A view touches no element, however many there are. */
  @Test
  void aViewIsSmall() {
    Tensor large = context.ones(200, 200);
    assertTrue(isSmall("t", large));
    assertTrue(isSmall("select.int", large, 0L, 0L));
    assertTrue(isSmall("expand", context.ones(1), longs(20_000L), false));
  }

  private Object handles(Object value) {
    return switch (value) {
      case DenseTensor dense -> context.wrap(dense);
      case List<?> list -> list.stream().map(this::handles).toList();
      default -> value;
    };
  }

  private static long elements(TensorGoldens.Text result) {
    String[] words = result.rest().split(" ", -1);
    return words[1].equals("-")
        ? 1
        : Shape.of(Arrays.stream(words[1].split(",")).mapToLong(Long::parseLong).toArray())
            .elements();
  }

  /** Over all calls recorded with libtorch: no result is much larger than the bound. */
  @ParameterizedTest
  @ValueSource(strings = {"tensor", "recurrent", "attention", "composed", "combined"})
  void noResultIsMuchLargerThanWasToldFromTheArguments(String kind) throws IOException {
    Set<String> beyond = new TreeSet<>();
    for (TensorGoldens.Case golden : TensorGoldens.read(kind + "-golden.txt")) {
      CatalogEntry definition = StandardOperations.catalog().find("aten::" + golden.name());
      if (!golden.error().isEmpty() || definition == null) {
        continue;
      }
      Signature signature = Signature.of(definition);
      List<Object> arguments = new ArrayList<>();
      golden
          .arguments()
          .forEach(it -> arguments.add(handles(TensorGoldens.value(context.scope(), it))));
      for (TensorGoldens.Text result : golden.results()) {
        if (result.word().equals("tensor")
            && !signature.alwaysViews
            && elements(result) > SLACK
            && signature.workload.isSmall(arguments.toArray(), elements(result) / SLACK)) {
          beyond.add(golden.name() + ":" + golden.line());
        }
      }
    }
    assertEquals(Set.of(), beyond);
  }

  /** Its value may arrive, with any number of elements, by the call's turn. */
  @Test
  void aCallWithAnOperandThatIsNotThereYetIsNotSmall() {
    CountDownLatch done = new CountDownLatch(1);
    try (EagerTrial trial = EagerTrial.withLater(EngineOptions.threaded(1), done)) {
      Tensor pending = trial.context.apply("test::later", trial.context.full(2.0, 2));
      Tensor there = context.full(2.0, 2);
      assertFalse(isSmall("neg", pending));
      assertFalse(isSmall("cat", List.of(there, pending), 0L));
      done.countDown();
      trial.context.waitAll();
      assertTrue(isSmall("neg", pending));
      assertTrue(isSmall("cat", List.of(there, pending), 0L));
    }
  }

  /** The call is skipped. */
  @Test
  void aCallWithAnOperandThatFailedIsSmall() {
    Tensor failed = context.full(2.0, 2, 3).reshape(5);
    assertEquals(FaultType.SHAPE, Objects.requireNonNull(failed.fault()).type());
    assertTrue(isSmall("neg", failed));
    assertTrue(isSmall("cat", List.of(failed), 0L));
  }

  @Test
  void whatIsLargeIsComputedByAWorker() throws Exception {
    CompletableFuture<Thread> where = new CompletableFuture<>();
    try (EagerTrial trial =
        new EagerTrial(
            EngineOptions.threaded(1),
            catalog ->
                catalog.one(
                    "test::make(int[] size) -> Tensor",
                    call -> {
                      where.complete(Thread.currentThread());
                      return call.allocate(DType.FLOAT32, Shape.of(1));
                    }))) {
      Tensor made = trial.context.apply("test::make", longs(1000L, 1000L));
      assertNotEquals(Thread.currentThread(), where.get());
      made.close();
      trial.context.waitAll();
    }
  }
}
