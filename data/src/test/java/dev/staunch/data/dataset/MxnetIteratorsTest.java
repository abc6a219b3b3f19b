package dev.staunch.data.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.Item;
import dev.staunch.data.array.TensorExamples;
import dev.staunch.data.text.Csv;
import dev.staunch.data.text.LibSvm;
import dev.staunch.fault.StaunchException;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The requirements of MXNet's tests of its iterators (tests/python/unittest/test_io.py), and where
 * Staunch is better on purpose.
 */
class MxnetIteratorsTest {
  private static final int ROWS = 1000;
  private static final int BATCH = 128;

  private final Session session = new Session();
  @TempDir private Path folder;

  @AfterEach
  void nothingLeaks() {
    session.close();
  }

  /**
   * As in NDArrayIter's test: row i and its label hold the number of the tenth that row i belongs
   * to.
   */
  private static TensorExamples tenths() {
    float[] data = new float[ROWS * 2];
    long[] labels = new long[ROWS];
    for (int i = 0; i < ROWS; i++) {
      data[2 * i] = i / (float) (ROWS / 10);
      data[2 * i + 1] = i;
      labels[i] = i / (ROWS / 10);
    }
    return TensorExamples.named("tenths").with("data", data, ROWS, 2).with("label", labels);
  }

  /** The number of batches of an epoch, and how often labels 0 and 8 occurred. */
  private static int[] counted(DataIterator iterator) {
    int batches = 0;
    int[] labels = new int[10];
    for (TensorBatch batch : iterator) {
      try (batch) {
        for (long label : HostTensors.toLongs(batch.label())) {
          labels[(int) label]++;
        }
        batches++;
      }
    }
    return new int[] {batches, labels[0], labels[8]};
  }

  private void assertCounts(LastBatch last, int batches, int zeros, int eights) {
    DataIterator iterator = session.open(Dataset.of(tenths()).withBatch(BATCH).withLast(last));
    for (int epoch = 0; epoch < 2; epoch++) {
      int[] seen = counted(iterator);
      int extra = last == LastBatch.ROLL_OVER && epoch == 1 ? 1 : 0;
      assertEquals(List.of(batches + extra, zeros), List.of(seen[0], seen[1]));
      if (extra == 0) {
        assertEquals(eights, seen[2]);
      }
      iterator.reset();
    }
  }

  @Test
  void paddingTakesTheFirstRowsAgain() {
    assertCounts(LastBatch.PAD_REPEAT, 8, 124, 100);
  }

  @Test
  void discardingLeavesTheLastRowsOut() {
    assertCounts(LastBatch.DISCARD, 7, 100, 96);
  }

  @Test
  void whatRollsOverIsTheFrontOfTheNextEpoch() {
    assertCounts(LastBatch.ROLL_OVER, 7, 100, 96);
    Dataset dataset = Dataset.of(tenths()).withBatch(BATCH);
    List<String> padded = session.all(dataset).batches();
    DataIterator rolling = session.open(dataset.withLast(LastBatch.ROLL_OVER));
    Session.rest(rolling);
    rolling.reset();
    assertEquals(
        padded.getLast().replace(" pad 24", ""),
        Session.textAndClose(Session.good(rolling.next())));
  }

  @Test
  void tenRowsFillABatchOfTwoHundredAndFive() {
    float[] values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    Dataset dataset = Dataset.of(TensorExamples.named("ten").with("data", values));
    DataIterator iterator = session.open(dataset.withBatch(205));
    try (TensorBatch batch = Session.good(iterator.next())) {
      float[] seen = HostTensors.toFloats(batch.data());
      for (int i = 0; i < seen.length; i++) {
        assertEquals(values[i % 10], seen[i], "row " + i);
      }
      assertEquals(195, batch.pad());
    }
    assertTrue(iterator.next() instanceof Item.End);
  }

  @Test
  void paddingWithZerosIsZeros() {
    Dataset dataset =
        Dataset.of(TensorExamples.named("three").with("data", new float[] {1, 2, 3})).withBatch(2);
    assertEquals(
        List.of("[1.0, 2.0]", "[3.0, 0.0] pad 1"),
        session.all(dataset.withLast(LastBatch.PAD_ZERO)).batches());
  }

  @Test
  void shufflingKeepsEachRowWithItsLabel() {
    DataIterator iterator = session.open(Dataset.of(tenths()).withShuffle(3).withBatch(50));
    List<Integer> order = new ArrayList<>();
    for (TensorBatch batch : iterator) {
      try (batch) {
        float[] data = HostTensors.toFloats(batch.data());
        long[] labels = HostTensors.toLongs(batch.label());
        for (int i = 0; i < labels.length; i++) {
          int row = (int) data[2 * i + 1];
          assertEquals(row / (ROWS / 10), labels[i]);
          order.add(row);
        }
      }
    }
    assertEquals(ROWS, order.stream().distinct().count());
    assertNotEquals(order.stream().sorted().toList(), order);
  }

  /** NDArrayIter takes lists, dicts and no label at all, and sparse rows only with discard. */
  @Test
  void severalArraysAreFieldsByTheirNamesAndNobodyNeedsALabel() throws IOException {
    TensorExamples two =
        TensorExamples.named("two")
            .with("a", new float[] {1, 2, 3})
            .with("b", new long[] {4, 5, 6});
    assertEquals(
        List.of("[1.0, 2.0] | [4, 5]", "[3.0, 1.0] | [6, 4] pad 1"),
        session.all(Dataset.of(two).withBatch(2)).batches());
    TensorExamples alone = TensorExamples.named("alone").with("data", new float[] {1, 2});
    DataIterator iterator = session.open(Dataset.of(alone));
    try (TensorBatch batch = Session.good(iterator.next())) {
      assertThrows(StaunchException.ValueException.class, batch::label);
    }
    Path rows = Session.file(folder, "s.t", "1 0:1", "2 2:3", "3 1:5");
    assertEquals(
        List.of(
            "[1.0, 3.0] | [0, 2] | [0, 1, 2] | [1.0, 2.0]",
            "[5.0, 1.0] | [1, 0] | [0, 1, 2] | [3.0, 1.0] pad 1"),
        session.all(Dataset.of(LibSvm.of(3, rows)).withBatch(2)).batches());
  }

  @Test
  void csvGivesExactValuesOfEachDtype() throws IOException {
    Path file = Session.file(folder, "d.csv", "1,16777217,-3", "2147483647,5,6");
    for (DType dtype : List.of(DType.INT32, DType.INT64)) {
      assertEquals(
          List.of("[1, 16777217, -3, 2147483647, 5, 6]"),
          session.all(Csv.of(file).with("data", dtype, 3), 2).batches());
    }
    assertEquals(
        List.of("[1.0, 1.6777216E7, -3.0, 2.147483648E9, 5.0, 6.0]"),
        session.all(Csv.of(file).with("data", DType.FLOAT32, 3), 2).batches());
  }

  @Test
  void libsvmRefusesANegativeIndex() throws IOException {
    Path file = Session.file(folder, "d.t", "1 -2:3");
    assertEquals(1, session.all(LibSvm.of(4, file), 1).faults().size());
  }

  /**
   * Better on purpose: with round_batch, MXNet's second epoch starts in the middle of the file, and
   * its third has one batch fewer. Here each epoch has all rows once, starting with the first.
   */
  @Test
  void eachEpochIsCompleteAndStartsAtTheFirstRow() throws IOException {
    Path file = Session.file(folder, "five.csv", "1", "2", "3", "4", "5");
    DataIterator iterator =
        session.open(Dataset.of(Csv.of(file).with("data", DType.FLOAT32)).withBatch(3));
    List<String> epoch = List.of("[1.0, 2.0, 3.0]", "[4.0, 5.0, 1.0] pad 1");
    for (int i = 0; i < 3; i++) {
      assertEquals(epoch, Session.rest(iterator));
      iterator.reset();
    }
    Session.good(iterator.next()).close();
    iterator.reset(); // in the middle, where MXNet may lose row 1
    assertEquals(epoch, Session.rest(iterator));
  }

  /** Better on purpose: MXNet drops some, all or none of the good batches before the error. */
  @Test
  void allGoodBatchesBeforeABadRowArrive() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      lines.add(i + "," + i);
    }
    lines.add("10");
    lines.add("11,11");
    Path file = Session.file(folder, "bad.csv", lines.toArray(String[]::new));
    Dataset dataset = Dataset.of(Csv.of(file).with("data", DType.FLOAT32, 2)).withBatch(2);
    for (int round = 0; round < 200; round++) {
      DataIterator iterator = session.open(dataset);
      List<String> seen = Session.rest(iterator);
      assertEquals(6, seen.size());
      assertEquals("the shape [2] needs 2 values, but the row has 1", seen.getLast());
      iterator.close();
    }
  }
}
