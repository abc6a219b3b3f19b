package dev.staunch.data.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.FaultPolicy;
import dev.staunch.data.Item;
import dev.staunch.data.text.Csv;
import dev.staunch.data.text.LibSvm;
import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** D4 and D6: one seed gives one order, and any position leads to the same rest. */
class OrderTest {
  private static final int ROWS = 6000;

  private final Session session = new Session();
  @TempDir private Path folder;
  private Path csvFile = Path.of("");
  private Path svmFile = Path.of("");

  @AfterEach
  void nothingLeaks() {
    session.close();
  }

  /** Files that are large enough for several parts, with occasional bad rows. */
  @BeforeEach
  void files() throws IOException {
    Random random = new Random(5);
    List<String> csv = new ArrayList<>();
    List<String> svm = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      StringBuilder line = new StringBuilder().append(i);
      StringBuilder sparse = new StringBuilder().append(i);
      for (int k = 0; k < 15; k++) {
        line.append(',').append(random.nextInt(100_000) / 1000.0);
        if (random.nextInt(4) == 0) {
          sparse.append(' ').append(k).append(':').append(random.nextInt(100));
        }
      }
      csv.add(i % 1777 == 100 ? "oops" : line.toString());
      svm.add(i % 1777 == 100 ? "oops" : sparse.toString());
    }
    csvFile = Session.file(folder, "d.csv", csv.toArray(String[]::new));
    svmFile = Session.file(folder, "d.t", svm.toArray(String[]::new));
  }

  private List<Dataset> datasets() {
    Dataset csv = Dataset.of(Csv.of(csvFile).with("data", DType.FLOAT32, 16)).withBatch(250);
    Dataset svm = Dataset.of(LibSvm.of(15, svmFile)).withBatch(301);
    return List.of(
        csv,
        csv.withShuffle(11),
        csv.withShuffle(11, 700).withLast(LastBatch.ROLL_OVER),
        csv.withShuffle(11, 50).withShard(1, 3).withLast(LastBatch.PAD_ZERO),
        svm.withLast(LastBatch.DISCARD),
        svm.withShuffle(12, 900));
  }

  /** The digests of {@code count} epochs; faults appear as their places. */
  private List<List<Object>> epochs(DataIterator iterator, int count) {
    List<List<Object>> epochs = new ArrayList<>();
    for (int epoch = 0; epoch < count; epoch++) {
      if (epoch > 0) {
        iterator.reset(); // not after the last epoch, because the next one would be read ahead
      }
      epochs.add(digests(iterator));
    }
    return epochs;
  }

  private List<Object> digests(DataIterator iterator) {
    List<Object> seen = new ArrayList<>();
    for (TensorBatch batch : iterator) {
      seen.add(Session.digest(batch));
    }
    seen.add(iterator.skippedFaults());
    return seen;
  }

  @Test
  void oneTwoAndEightDecodersGiveTheSameBytesAndFaults() {
    for (Dataset dataset : datasets()) {
      session.reports.clear();
      List<List<Object>> one = epochs(session.skipping(dataset), 3);
      List<Object> faults = places();
      for (int decoders : new int[] {2, 8}) {
        session.reports.clear();
        assertEquals(one, epochs(session.skipping(dataset.withDecoders(decoders)), 3));
        assertEquals(faults, places());
      }
    }
  }

  private List<Object> places() {
    return List.copyOf(session.reports).stream().<Object>map(Fault::input).toList();
  }

  @Test
  void eachEpochHasAnotherOrderOfTheSameExamplesAndAnotherSeedAnother() throws IOException {
    Csv csv = Csv.of(csvFile).with("data", DType.FLOAT32, 16);
    for (Dataset dataset :
        List.of(Dataset.of(csv).withShuffle(1), Dataset.of(csv).withShuffle(1, 500))) {
      List<List<Object>> epochs = epochs(session.skipping(dataset.withLast(LastBatch.DISCARD)), 2);
      assertNotEquals(epochs.get(0), epochs.get(1));
      assertEquals(sorted(epochs.get(0)), sorted(epochs.get(1)));
    }
    assertNotEquals(
        epochs(session.skipping(Dataset.of(csv).withShuffle(1)), 1),
        epochs(session.skipping(Dataset.of(csv).withShuffle(2)), 1));
  }

  private static List<String> sorted(List<Object> digests) {
    return digests.stream().map(String::valueOf).sorted().toList();
  }

  /** With a window of 500, a row comes at most 500 places too early. */
  @Test
  void aWindowDrawsAmongItsOwnRowsOnly() {
    Csv csv = Csv.of(csvFile).with("data", DType.FLOAT32, 16);
    DataIterator iterator = session.skipping(Dataset.of(csv).withShuffle(1, 500));
    int place = 0;
    int moved = 0;
    for (TensorBatch batch : iterator) {
      try (batch) {
        int row = (int) HostTensors.toFloats(batch.data())[0];
        assertTrue(row <= place + 505, "row " + row + " at " + place);
        moved += row == place ? 0 : 1;
        place++;
      }
    }
    assertTrue(moved > ROWS / 2, "moved " + moved);
  }

  @Test
  void fromThePositionOfAnyBatchTheRestIsTheSame() {
    for (Dataset dataset : datasets()) {
      Dataset skipping = dataset.withPolicy(FaultPolicy.skip(Long.MAX_VALUE));
      DataIterator first = session.open(skipping);
      digests(first);
      first.reset();
      List<Position> positions = new ArrayList<>();
      List<Object> epoch = new ArrayList<>();
      for (TensorBatch batch : first) {
        positions.add(batch.position());
        epoch.add(Session.digest(batch));
      }
      first.reset();
      List<Object> next = digests(first).subList(0, 2);
      for (int i = 0; i < positions.size(); i += 1 + positions.size() / 7) {
        Position saved = Position.parse(positions.get(i).toString());
        DataIterator again = session.openAt(skipping, saved);
        List<Object> rest = digests(again);
        assertEquals(epoch.subList(i + 1, epoch.size()), rest.subList(0, rest.size() - 1));
        again.reset();
        assertEquals(next, digests(again).subList(0, 2));
      }
    }
  }

  @Test
  void aPositionOfOtherSettingsIsRefused() {
    Dataset dataset = datasets().getFirst();
    Position position = new Position(0, 1, 250, dataset.settings(), null);
    assertThrows(
        StaunchException.ValueException.class,
        () -> dataset.withBatch(7).openAt(session.memory, position));
    assertThrows(StaunchException.ValueException.class, () -> Position.parse("1:2"));
  }

  @Test
  void aFaultIsSubstitutedByABatchOfTheUsers() throws IOException {
    Path file = Session.file(folder, "s.csv", "1", "x", "3");
    Dataset dataset = Dataset.of(Csv.of(file).with("data", DType.FLOAT32));
    Position none = new Position(0, 0, 0, 0, null);
    DataIterator iterator =
        session.open(
            dataset.withPolicy(
                FaultPolicy.substitute(
                    1,
                    fault ->
                        new Item.Good<>(
                            new TensorBatch(
                                ResourceScope.open(session.memory, "empty"),
                                new LinkedHashMap<>(),
                                0,
                                0,
                                none,
                                0)))));
    assertEquals(List.of("[1.0]", "", "[3.0]"), Session.rest(iterator));
    assertEquals(1, iterator.skippedFaults());
  }

  @Test
  void theFirstFaultInTheFileIsTheFirstThatComesWhicheverDecoderMetIt() {
    Dataset dataset = datasets().getFirst().withDecoders(4);
    for (int round = 0; round < 20; round++) {
      DataIterator iterator = session.open(dataset);
      List<String> seen = Session.rest(iterator);
      assertEquals(1, seen.size());
      assertEquals("the shape [16] needs 16 values, but the row has 1", seen.getFirst());
      assertEquals(101, Session.bad(iterator.next()).source().line());
      iterator.close();
    }
  }

  @Test
  void whatWasReadIsCounted() {
    Dataset dataset = datasets().getFirst();
    DataIterator iterator = session.skipping(dataset);
    digests(iterator);
    DataMetrics metrics = iterator.metrics();
    assertEquals(ROWS - 4, metrics.examples());
    assertEquals(4, metrics.faults());
    assertEquals(24, metrics.batches());
    assertEquals(csvFile.toFile().length(), metrics.bytesRead());
  }
}
