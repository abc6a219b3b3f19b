package dev.staunch.data.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.data.row.RowWriter;
import dev.staunch.data.text.Csv;
import dev.staunch.fault.Fault;
import dev.staunch.type.DType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A substitute takes the place of an example that cannot be read (D3); what is reported about it.
 */
class SubstitutesTest {
  @TempDir Path folder;
  private final Session session = new Session();
  private Dataset dataset;

  @BeforeEach
  void write() throws IOException {
    Path file = Session.file(folder, "a.csv", "1,2", "3,x", "5,6", "7", "9,10");
    dataset =
        Dataset.of(Csv.of(file).with("data", DType.FLOAT32, 2))
            .withBatch(2)
            .withLast(LastBatch.PAD_REPEAT);
  }

  private static void minus(Fault fault, RowWriter row) {
    row.put(0, -1.0, -2.0);
  }

  @AfterEach
  void close() {
    session.close();
  }

  @Test
  void batchesStayFullAndEachFaultIsCountedAndTold() {
    DataIterator iterator = session.open(dataset.withSubstitutes(9, SubstitutesTest::minus));
    assertEquals(
        List.of("[1.0, 2.0, -1.0, -2.0]", "[5.0, 6.0, -1.0, -2.0]", "[9.0, 10.0, 1.0, 2.0] pad 1"),
        Session.rest(iterator));
    assertEquals(2, iterator.metrics().faults());
    assertEquals(5, iterator.metrics().examples());
    assertEquals(
        List.of("a.csv, row 2, column 2, byte 6", "a.csv, row 4, byte 12"),
        session.reports.stream().map(Fault::input).toList());
  }

  @Test
  void whatIsBeyondTheLimitIsLeftToThePolicyAndTheNextEpochBeginsAnew() {
    DataIterator iterator = session.open(dataset.withSubstitutes(1, SubstitutesTest::minus));
    for (int epoch = 0; epoch < 2; epoch++) {
      List<String> seen = Session.rest(iterator);
      assertEquals("[1.0, 2.0, -1.0, -2.0]", seen.get(0));
      assertEquals(2, seen.size(), seen.toString());
      assertEquals("the shape [2] needs 2 values, but the row has 1", seen.get(1));
      iterator.reset();
    }
  }

  @Test
  void anExampleThatThrowsOrLacksElementsIsAFaultInItsPlace() {
    List<BiConsumer<Fault, RowWriter>> wrong =
        List.of(
            (fault, row) -> row.put(0, 1.0),
            (fault, row) -> {
              throw new IllegalStateException("no example for you");
            });
    List<String> expected = List.of("has 1 of the 2 elements", "no example for you");
    for (int i = 0; i < wrong.size(); i++) {
      List<String> seen = Session.rest(session.open(dataset.withSubstitutes(9, wrong.get(i))));
      assertEquals(1, seen.size());
      assertEquals(true, seen.get(0).contains(expected.get(i)), seen.get(0));
    }
    assertThrows(
        IllegalArgumentException.class, () -> dataset.withSubstitutes(-1, SubstitutesTest::minus));
  }

  @Test
  void shufflingAndPositionsGoOverSubstitutesAsOverOtherExamples() {
    for (Dataset each : List.of(dataset, dataset.withShuffle(7))) {
      Dataset mended = each.withSubstitutes(9, SubstitutesTest::minus);
      DataIterator whole = session.open(mended);
      TensorBatch first = Session.good(whole.next());
      Position position = first.position();
      first.close();
      List<String> rest = Session.rest(whole);
      assertEquals(2, rest.size());
      assertEquals(rest, Session.rest(session.openAt(mended, position)));
    }
  }

  @Test
  void flightRecorderSeesTheFaultsAndTheEpoch() throws IOException {
    Path file = folder.resolve("data.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("dev.staunch.DataFault");
      recording.enable("dev.staunch.DataEpoch");
      recording.start();
      Session.rest(session.open(dataset.withSubstitutes(9, SubstitutesTest::minus)));
      recording.stop();
      recording.dump(file);
    }
    List<String> seen = new ArrayList<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      switch (event.getEventType().getName()) {
        case "dev.staunch.DataFault" -> seen.add(event.getString("place"));
        case "dev.staunch.DataEpoch" ->
            seen.add("epoch of " + event.getLong("examples") + ", " + event.getLong("faults"));
        default -> {} // events of the JVM itself
      }
    }
    assertEquals(
        List.of("a.csv, row 2, column 2, byte 6", "a.csv, row 4, byte 12", "epoch of 5, 2"), seen);
  }
}
