package dev.staunch.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException.DataFormatException;
import dev.staunch.type.Shape;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Eight rows of four values, read as batches of one item of shape (4, 10). In MXNet this ends the
 * process, because the iterator's thread throws where nothing can catch the exception. Here, each
 * row that does not fit is a fault in its place.
 */
@Timeout(60)
class MismatchedCsvTest {
  private static final List<String> ROWS =
      List.of(
          "1,2,3,4",
          "2,3,4,5",
          "3,4,5,6",
          "4,5,6,7",
          "5,6,7,8",
          "6,7,8,9",
          "9,10,11,12",
          "10,11,12,13");
  private static final Shape WANTED = Shape.of(4, 10);

  private final Trial trial = new Trial();

  @TempDir private Path folder;
  private Path file = Path.of("manual_2.csv");

  @BeforeEach
  void eightRowsOfFour() throws IOException {
    file = folder.resolve("manual_2.csv");
    Files.write(file, ROWS);
  }

  @AfterEach
  void nothingLeaks() {
    trial.close();
  }

  @Test
  void aRowThatDoesNotFillTheShapeIsAFaultThatNamesFileAndRowAndTheProgramGoesOn()
      throws IOException {
    var batches = trial.open(new CsvRows(trial, file, WANTED));
    DataFormatException thrown =
        assertThrows(DataFormatException.class, () -> batches.next().orThrow());
    assertEquals("the shape [4, 10] needs 40 values, but the row has 4", thrown.getMessage());
    assertEquals("manual_2.csv, row 1", thrown.fault().input());
    assertEquals("40 values", thrown.fault().expected());
    assertEquals("batch 0 of manual_2.csv", thrown.fault().path().getFirst().function());

    Files.writeString(file, String.join(",", ROWS.subList(0, 1)) + ",5".repeat(36) + "\n");
    batches.reset();
    Trial.good(batches.next()).close();
    assertEquals(new Item.End<NumberBatch>(), batches.next());
  }

  @Test
  void eachRowHasAFaultOfItsOwnIfTheyArePassedOver() {
    var batches =
        trial.open(new CsvRows(trial, file, WANTED), trial.options, FaultPolicy.skip(ROWS.size()));
    assertEquals(new Item.End<NumberBatch>(), batches.next());
    assertEquals(ROWS.size(), batches.skippedFaults());
    List<String> places = new ArrayList<>();
    for (Fault fault : List.copyOf(trial.reports)) {
      places.add(String.valueOf(fault.input()));
    }
    List<String> wanted = new ArrayList<>();
    for (int row = 1; row <= ROWS.size(); row++) {
      wanted.add("manual_2.csv, row " + row);
    }
    assertEquals(wanted, places);
  }

  @Test
  void theSameRowsAreReadIfTheShapeIsTheirs() {
    var batches = trial.open(new CsvRows(trial, file, Shape.of(4)));
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L), Trial.rest(batches));
    assertEquals(0, batches.skippedFaults());
  }

  /**
   * One batch for each row that has as many values as the shape; the number of the batch is the
   * row.
   */
  private static final class CsvRows implements Source<NumberBatch> {
    private final Trial trial;
    private final Path file;
    private final Shape shape;
    private @Nullable BufferedReader reader;
    private int row;

    CsvRows(Trial trial, Path file, Shape shape) {
      this.trial = trial;
      this.file = file;
      this.shape = shape;
    }

    @Override
    public String name() {
      return "manual_2.csv";
    }

    @Override
    public Item<NumberBatch> next() throws IOException {
      if (reader == null) {
        reader = Files.newBufferedReader(file);
      }
      String line = reader.readLine();
      if (line == null) {
        return new Item.End<>();
      }
      row++;
      int found = line.split(",", -1).length;
      return found == shape.elements()
          ? new Item.Good<>(trial.batch(0, row, 4L * found))
          : new Item.Bad<>(mismatch(found));
    }

    private Fault mismatch(int found) {
      String wanted = shape.elements() + " values";
      return Fault.data(
              name() + ", row " + row,
              Message.of("the shape %s needs %s, but the row has %d", shape, wanted, found))
          .withExpected(wanted, found + " values");
    }

    @Override
    public @Nullable Fault reset() throws IOException {
      close();
      return null;
    }

    @Override
    public void close() throws IOException {
      if (reader != null) {
        reader.close();
      }
      reader = null;
      row = 0;
    }
  }
}
