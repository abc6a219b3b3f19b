package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TensorIndexingTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final Context context = Context.open(memory, StandardOperations.catalog());
  private final Tensor grid = context.arange(12).view(3, 4);

  @AfterEach
  void everyByteGoesBack() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void singleIndicesTakeDimensionsAway() {
    assertArrayEquals(new long[] {4, 5, 6, 7}, grid.get(1).longs());
    assertEquals(11, grid.get(-1, -1).itemLong());
    assertEquals(Shape.SCALAR, grid.get(2, 0).shape());
  }

  @Test
  void slicesCutCountFromTheEndAndStep() {
    assertArrayEquals(new long[] {8, 10}, grid.get(Index.at(2), Slice.every(2)).longs());
    assertArrayEquals(new long[] {6, 7}, grid.get(Index.at(1), Slice.from(-2)).longs());
    assertArrayEquals(new long[] {0, 4}, grid.get(Slice.to(-1), Index.at(0)).longs());
    assertEquals(Shape.of(0, 4), grid.get(Slice.of(2, 1)).shape());
    assertEquals(Shape.of(3, 4), grid.get(Slice.of(-99, 99)).shape());
  }

  @Test
  void backwardSlicesGoBackwards() {
    Tensor row = context.arange(10);
    assertArrayEquals(new long[] {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, row.get(Slice.every(-1)).longs());
    assertArrayEquals(new long[] {8, 5, 2}, row.get(Slice.of(8, 0, -3)).longs());
    assertArrayEquals(new long[] {8, 5}, row.get(Slice.of(-2, 2, -3)).longs());
    assertArrayEquals(new long[] {}, row.get(Slice.of(2, 5, -1)).longs());
    assertArrayEquals(new long[] {11, 9, 3, 1}, grid.get(Slice.every(-2), Slice.every(-2)).longs());
  }

  @Test
  void theLongestStepBackwardsTakesTheLastAlone() {
    assertArrayEquals(new long[] {4}, context.arange(5).get(Slice.every(Long.MIN_VALUE)).longs());
  }

  @Test
  void ellipsesAndNewAxesPlaceDimensions() {
    Tensor cube = context.arange(24).view(2, 3, 4);
    assertEquals(Shape.of(2, 3), cube.get(Index.ellipsis(), Index.at(1)).shape());
    assertArrayEquals(
        new long[] {1, 5, 9, 13, 17, 21}, cube.get(Index.ellipsis(), Index.at(1)).longs());
    assertEquals(
        Shape.of(1, 3, 1, 4),
        cube.get(Index.newAxis(), Index.at(0), Index.ellipsis(), Index.newAxis(), Slice.all())
            .shape());
  }

  @Test
  void masksAndIndexTensorsPickElements() {
    assertArrayEquals(new long[] {9, 10, 11}, grid.get(grid.gt(8)).longs());
    Tensor rows = context.tensor(new long[] {2, 0});
    assertEquals(Shape.of(2, 4), grid.get(rows).shape());
    assertArrayEquals(new long[] {9, 2}, grid.get(rows, context.tensor(new long[] {1, 2})).longs());
    assertArrayEquals(new long[] {9, 1}, grid.get(rows, Index.at(1)).longs());
    assertArrayEquals(new long[] {2, 0, 6, 4, 10, 8}, grid.get(Slice.all(), rows).longs());
    Tensor columns = context.tensor(new boolean[] {true, false, false, true});
    assertArrayEquals(new long[] {0, 3, 4, 7, 8, 11}, grid.get(Index.ellipsis(), columns).longs());
  }

  @Test
  void aMaskOfBytesStandsForAsManyDimensionsAsOneOfBools() {
    Tensor cube = context.arange(24).view(2, 3, 4);
    Tensor mask = context.eye(3, 4).to(DType.UINT8);
    long[] diagonals = {0, 5, 10, 12, 17, 22};
    assertArrayEquals(diagonals, cube.get(Index.ellipsis(), mask).longs());
    cube.set(-1, Index.ellipsis(), mask);
    assertArrayEquals(
        new long[] {-1, 1, 2}, cube.get(Index.at(0), Index.at(0), Slice.to(3)).longs());
  }

  @Test
  void aMaskWithoutDimensionsKeepsOrEmptiesANewOne() {
    Tensor yes = context.tensor(true);
    assertEquals(Shape.of(1, 3, 4), grid.get(yes).shape());
    assertArrayEquals(grid.longs(), grid.get(yes).longs());
    assertEquals(Shape.of(0, 3, 4), grid.get(context.tensor(false)).shape());
    assertArrayEquals(new long[] {4, 5, 6, 7}, grid.get(Index.at(1), yes).longs());
    grid.set(-1, Index.at(0), context.tensor(false));
    assertEquals(0, grid.get(0, 0).itemLong());
    grid.set(-1, Index.at(0), yes);
    assertArrayEquals(new long[] {-1, -1, -1, -1}, grid.get(0).longs());
  }

  @Test
  void viewsShareWhatIsWritten() {
    Tensor view = grid.get(Slice.from(1), Slice.every(2));
    assertSame(view, view.fill_(-1));
    assertArrayEquals(new long[] {0, 1, 2, 3, -1, 5, -1, 7, -1, 9, -1, 11}, grid.longs());
    grid.t().get(0).zero_();
    assertArrayEquals(new long[] {0, -1, 0, -1}, view.longs());
  }

  @Test
  void settingWritesThePartAndBroadcasts() {
    assertSame(grid, grid.set(7, Index.at(0), Slice.from(2)));
    assertArrayEquals(new long[] {0, 1, 7, 7}, grid.get(0).longs());
    grid.set(context.tensor(new long[] {1, 2, 3, 4}), Index.at(1), Slice.every(-1));
    assertArrayEquals(new long[] {4, 3, 2, 1}, grid.get(1).longs());
    grid.set(0, grid.gt(8));
    assertArrayEquals(new long[] {8, 0, 0, 0}, grid.get(2).longs());
    grid.set(
        context.tensor(new float[] {5.5f, 6.5f}), Slice.from(1), context.tensor(new long[] {0, 3}));
    assertArrayEquals(new long[] {5, 0, 0, 6}, grid.get(2).longs());
  }

  @Test
  void aBadIndexIsAFaultOfTheResult() {
    assertThrows(StaunchException.IndexException.class, () -> grid.get(3).longs());
    assertThrows(StaunchException.IndexException.class, () -> grid.get(0, 0, 0).longs());
    assertThrows(StaunchException.ValueException.class, () -> grid.get(Slice.every(0)).longs());
    assertThrows(
        StaunchException.IndexException.class,
        () -> grid.get(Index.ellipsis(), Index.ellipsis()).longs());
    assertArrayEquals(context.arange(12).longs(), grid.longs());
  }

  @Test
  void aWholeSliceOfADimensionThatIsNotThereIsAFault() {
    Slice all = Slice.all();
    assertArrayEquals(grid.longs(), grid.get(all, all).longs());
    Tensor rows = context.tensor(new long[] {2, 0});
    Index[][] tooMany = {
      {all, all, all},
      {Slice.from(1), all, all},
      {Index.ellipsis(), all, all, all},
      {rows, all, all}
    };
    for (Index[] indices : tooMany) {
      assertThrows(StaunchException.IndexException.class, () -> grid.get(indices).longs());
      Tensor own = grid.copy();
      own.set(1, indices);
      assertThrows(StaunchException.IndexException.class, own::longs);
    }
  }

  @Test
  void aFailedWriteIsAFaultOfWhatItWouldHaveWrittenUntilThatIsOverwritten() {
    Tensor good = grid.copy();
    grid.set(1, context.tensor(new long[] {0, 9}));
    assertThrows(StaunchException.IndexException.class, grid::longs);
    grid.copy_(good);
    assertArrayEquals(good.longs(), grid.longs());
    grid.set(context.zeros(3), Index.at(0));
    assertThrows(StaunchException.ShapeException.class, grid::longs);
    grid.fill_(2);
    assertEquals(24, grid.sum().itemLong());
  }

  @Test
  void aFaultedTensorOrIndexIsTheResult() {
    Tensor bad = grid.add(context.ones(7));
    assertSame(bad.fault(), bad.get(Index.ellipsis(), Slice.every(-1)).fault());
    assertSame(bad.fault(), grid.get(bad).fault());
    assertSame(bad.fault(), grid.set(bad, Index.at(0)).fault());
  }

  @Test
  void handlesOnTheWayHoldNoMemory() {
    Tensor own = context.zeros(100, 100);
    long held = context.bytes();
    own.add_(1).mul_(2).set(3, Index.ellipsis(), Slice.every(2));
    own.set(context.tensor(5f), Index.at(0), Slice.every(-1));
    own.close();
    assertEquals(held - 40_000 + 4, context.bytes());
  }

  @Test
  void anIntegerWithoutDimensionsIsASingleIndex() {
    Tensor single = context.tensor(0L);
    Tensor three = context.zeros(DType.INT64, 3);
    assertEquals(Shape.of(1, 3), context.zeros(1, 1).get(single, Index.newAxis(), three).shape());
    assertArrayEquals(new long[] {8, 9, 10, 11}, grid.get(context.tensor(2)).longs());
    grid.get(single).fill_(5L);
    assertEquals(5, grid.get(0, 3).itemLong());
    Tensor bad = grid.get(context.tensor(3L));
    assertThrows(StaunchException.IndexException.class, bad::longs);
  }

  @Test
  void wideIntegersAreStoredExactly() {
    long odd = (1L << 53) + 1;
    Tensor x = context.zeros(DType.INT64, 1);
    Tensor all = context.tensor(new boolean[] {true});
    assertEquals(odd, x.maskedFill(all, odd).itemLong());
    assertEquals(odd, context.fullLike(x, odd).itemLong());
    assertEquals(odd, context.full(DType.INT64, odd, 1).itemLong());
    assertEquals(odd, x.set(odd, Index.at(0)).itemLong());
    assertEquals(-odd, x.set(-odd, all).itemLong());
    assertEquals(odd, x.zero_().pad(new long[] {0, 1}, odd).get(1).itemLong());
    assertEquals(odd, x.add_(context.tensor(new long[] {1}), odd).itemLong());
    assertEquals(7.5, context.zeros(1).set(7.5, Index.at(0)).item());
  }

  /** E5: single indices, slices and new dimensions of a tensor that has not arrived yet. */
  @Test
  @Timeout(60)
  void partsOfAPendingTensorAreTakenAndWrittenWithoutWaitingForIt() {
    CountDownLatch done = new CountDownLatch(1);
    try (EagerTrial trial = EagerTrial.withLater(EngineOptions.threaded(1), done)) {
      Tensor x = trial.context.apply("test::later", trial.context.arange(12).view(3, 4));
      Tensor row = x.get(1);
      Tensor part = x.get(Slice.from(1), Index.newAxis(), Index.at(2));
      Tensor missing = x.get(Slice.from(1), Index.at(9));
      x.set(7, Index.at(1), Slice.to(2));
      assertFalse(x.isSettled() || row.isSettled() || part.isSettled() || missing.isSettled());
      done.countDown();
      assertArrayEquals(new long[] {7, 7, 6, 7}, row.longs());
      assertArrayEquals(new long[] {6, 10}, part.longs());
      assertThrows(StaunchException.IndexException.class, missing::longs);
      assertArrayEquals(new long[] {0, 1, 2, 3}, x.get(0).longs());
    }
  }

  /** E4: the requested part, or a fault; never another part. */
  @Test
  @Timeout(60)
  void anInterruptWhereAShapeIsAwaitedIsAFaultOfTheResult() {
    CountDownLatch done = new CountDownLatch(1);
    try (EagerTrial trial = EagerTrial.withLater(EngineOptions.threaded(1), done)) {
      Tensor read = trial.context.apply("test::later", trial.context.arange(3));
      Tensor written = trial.context.apply("test::later", trial.context.arange(3));
      Thread.currentThread().interrupt();
      Tensor part = read.get(Slice.every(-1));
      written.set(trial.context.arange(3), Slice.every(-1));
      assertTrue(Thread.interrupted(), "the caller hears of it");
      done.countDown();
      assertThrows(StaunchException.CancelledException.class, part::longs);
      assertThrows(StaunchException.CancelledException.class, written::longs);
      assertArrayEquals(new long[] {2, 1, 0}, read.get(Slice.every(-1)).longs());
    }
  }

  /** The index is wrong, but that is known only when the tensor has arrived. */
  @Test
  @Timeout(60)
  void aWriteBesideAPendingTensorFailsTheTensor() {
    CountDownLatch done = new CountDownLatch(1);
    try (EagerTrial trial = EagerTrial.withLater(EngineOptions.threaded(1), done)) {
      Tensor x = trial.context.apply("test::later", trial.context.arange(12).view(3, 4));
      assertSame(x, x.set(7, Index.at(3), Slice.to(2)));
      done.countDown();
      assertThrows(StaunchException.IndexException.class, x::longs);
      assertEquals(24, x.fill_(2).sum().itemLong());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.eager.EagerTrial#engines")
  void aWriteThroughAViewThatFailsLeavesTheSameWhetherThatIsKnownYetOrNot(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor odd = trial.context.make(scope -> Fault.value("odd"));
      Tensor single = trial.context.ones(3).add(1).sum();
      Fault fault = single.set(odd, Index.at(0), Index.at(1)).fault();
      assertEquals("odd", fault.message(), "F6: it arose first");
      assertEquals(List.of(FaultType.INDEX), fault.suppressed().stream().map(Fault::type).toList());
      assertEquals(1, fault.reach().skipped());
      assertEquals(1, fault.suppressed().getFirst().reach().skipped());
      assertEquals(2, trial.context.faults(), "F2: no other for the write");
    }
  }

  /** As PyTorch: {@code x[1] = torch.ones(1, 1, 4)}. */
  @ParameterizedTest
  @MethodSource("dev.staunch.eager.EagerTrial#engines")
  void leadingDimensionsOfOneOfWhatIsPutCountForNothing(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Context in = trial.context;
      Tensor x = in.zeros(2, 3);
      Tensor row = in.tensor(new float[][][] {{{1, 2, 3}}});
      x.set(row, Index.at(1));
      assertArrayEquals(new float[] {0, 0, 0, 1, 2, 3}, x.floats());
      x.set(in.full(7.0, 1, 1, 1), Index.at(0), Index.at(0));
      assertArrayEquals(new float[] {7, 0, 0, 1, 2, 3}, x.floats());
      x.set(row.mul(2), in.tensor(new long[] {0}));
      assertArrayEquals(new float[] {2, 4, 6, 1, 2, 3}, x.floats());
      x.set(row.unsqueeze(0), Index.at(0), Slice.every(-1));
      assertArrayEquals(new float[] {3, 2, 1, 1, 2, 3}, x.floats());
      x.set(in.full(9.0, 1, 1).add(0), x.gt(2));
      assertArrayEquals(new float[] {9, 2, 1, 1, 2, 9}, x.floats());
      x.set(in.ones(2, 1, 3), Index.at(0));
      assertThrows(StaunchException.ShapeException.class, x::floats, "2 is no 1");
    }
  }

  /**
   * The result of {@code x = zeros(2, 4); x[index] = arange(1, n + 1).view(sizes)} in PyTorch 1.13.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          row     | 1 1 4   | 0 0 0 0 1 2 3 4
          row     | 1 1     | 0 0 0 0 1 1 1 1
          row     | 2 4     | refused
          row     | 2 1 4   | refused
          row     | 1 2 4   | refused
          element | 1       | 0 0 0 0 0 0 1 0
          element | 1 1     | 0 0 0 0 0 0 1 0
          element | 2       | refused
          left    | 1 2 2   | 1 2 0 0 3 4 0 0
          left    | 1 1 2   | 1 2 0 0 1 2 0 0
          left    | 1 2 1   | 1 1 0 0 2 2 0 0
          column  | 1 2 1   | 1 0 0 0 2 0 0 0
          nothing | 1 2 0   | 0 0 0 0 0 0 0 0
          whole   | 1 1 2 4 | 1 2 3 4 5 6 7 8
          mask    | 1 4     | 1 0 2 0 0 3 0 4
          mask    | 1 1 4   | 1 0 2 0 0 3 0 4
          mask    | 1       | 1 0 1 0 0 1 0 1
          mask    | 4 1     | refused
          rows    | 1 2 4   | 5 6 7 8 1 2 3 4
          rows    | 1 1 1 4 | 1 2 3 4 1 2 3 4
          rows    | 2 1 4   | refused
          columns | 1 2 2   | 2 1 0 0 4 3 0 0
          """)
  void whatIsPutIsStretchedAsInPyTorch(String index, String sizes, String expected) {
    try (EagerTrial trial = new EagerTrial(EngineOptions.serial())) {
      Context in = trial.context;
      Tensor swapped = in.tensor(new long[] {1, 0});
      Index[] at =
          switch (index) {
            case "row" -> new Index[] {Index.at(1)};
            case "element" -> new Index[] {Index.at(1), Index.at(2)};
            case "left" -> new Index[] {Slice.all(), Slice.to(2)};
            case "column" -> new Index[] {Slice.all(), Slice.to(1)};
            case "nothing" -> new Index[] {Slice.all(), Slice.to(0)};
            case "mask" -> new Index[] {in.tensor(new long[][] {{1, 0, 1, 0}, {0, 1, 0, 1}}).gt(0)};
            case "rows" -> new Index[] {swapped};
            case "columns" -> new Index[] {Slice.all(), swapped};
            default -> new Index[] {Index.ellipsis()};
          };
      Tensor x = in.zeros(2, 4);
      Shape shape = Shape.of(numbers(sizes));
      Tensor value = in.arange(shape.elements()).add(1).to(DType.FLOAT32);
      x.set(value.reshape(shape.toArray()), at);
      if (expected.equals("refused")) {
        assertThrows(StaunchException.ShapeException.class, x::floats);
      } else {
        assertArrayEquals(numbers(expected), x.to(DType.INT64).longs());
      }
    }
  }

  private static long[] numbers(String text) {
    return Arrays.stream(text.split(" ", -1)).mapToLong(Long::parseLong).toArray();
  }

  @Test
  void theDiagonalOfAnEmptyMatrixIsFilledWithNothing() {
    try (EagerTrial trial = new EagerTrial(EngineOptions.serial())) {
      for (boolean wrap : new boolean[] {false, true}) {
        Tensor empty = trial.context.zeros(0, 3);
        Tensor filled = trial.context.apply("aten::fill_diagonal_", empty, 1L, wrap);
        assertEquals(0, filled.floats().length);
      }
    }
  }

  /** F1: nobody can read a number that was to be overwritten at an index out of bounds. */
  @ParameterizedTest
  @MethodSource("dev.staunch.eager.EagerTrial#engines")
  void aWriteAtAnIndexThatIsNotThereIsAFaultOfTheWhole(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor x = trial.context.zeros(2, 3).add(1);
      x.set(5.0, Index.at(7), Slice.to(2));
      Tensor sum = x.sum();
      assertThrows(StaunchException.IndexException.class, x::floats);
      assertThrows(StaunchException.IndexException.class, sum::item);
      x.fill_(1.0);
      assertEquals(6, x.sum().item());
    }
  }
}
