package dev.staunch.data.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.data.text.Csv;
import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import dev.staunch.fault.StaunchException.DataFormatException;
import dev.staunch.tensor.ArrayText;
import dev.staunch.type.DType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The second example of MXNet's design note on exceptions: eight rows of four values, read as
 * examples of shape (4, 10). In MXNet the process ends; here the loop catches the exception.
 */
class SeedExampleTest {
  private final Session session = new Session();
  @TempDir private Path folder;
  private Path dataPath = Path.of("");

  @BeforeEach
  void manual() throws IOException {
    dataPath =
        Session.file(
            folder,
            "manual_2.csv",
            "1,2,3,4",
            "2,3,4,5",
            "3,4,5,6",
            "4,5,6,7",
            "5,6,7,8",
            "6,7,8,9",
            "9,10,11,12",
            "10,11,12,13");
  }

  @AfterEach
  void nothingLeaks() {
    session.close();
  }

  /** As in the README. */
  private static void example(Path dataPath, dev.staunch.memory.OffHeap memory, PrintWriter out) {
    Csv csv = Csv.of(dataPath).with("data", DType.FLOAT32, 4, 10);
    try (DataIterator dataTrain = Dataset.of(csv).withBatch(1).open(memory)) {
      for (TensorBatch batch : dataTrain) {
        try (batch) {
          out.println(ArrayText.of(batch.data()));
        }
      }
    } catch (StaunchException e) {
      out.println("Exception handled: " + e.getMessage() + " (" + e.fault().input() + ")");
    }
  }

  @Test
  void theExceptionIsHandledAndTheProgramGoesOn() {
    StringWriter text = new StringWriter();
    example(dataPath, session.memory, new PrintWriter(text, true));
    assertEquals(
        "Exception handled: the shape [4, 10] needs 40 values, but the row has 4"
            + " (manual_2.csv, row 1, byte 0)",
        text.toString().strip());
  }

  @Test
  void theFaultHasFileRowTextAndWhatWasExpected() {
    Csv csv = Csv.of(dataPath).with("data", DType.FLOAT32, 4, 10);
    DataIterator batches = session.open(Dataset.of(csv));
    DataFormatException thrown =
        assertThrows(DataFormatException.class, () -> batches.next().orThrow());
    Fault fault = thrown.fault();
    assertEquals(new SourceLocation("manual_2.csv", 1, 0, "1,2,3,4", null), fault.source());
    assertEquals("40 values", fault.expected());
    assertEquals("4 values", fault.actual());
    assertEquals("batch 0 of manual_2.csv", fault.path().getFirst().function());
  }

  @Test
  void underThePolicySkipEachRowIsCountedAndTheEndComes() {
    Csv csv = Csv.of(dataPath).with("data", DType.FLOAT32, 4, 10);
    DataIterator batches = session.skipping(Dataset.of(csv));
    assertEquals(List.of(), Session.rest(batches));
    assertEquals(8, batches.skippedFaults());
    assertEquals("manual_2.csv, row 8, byte 59", session.reports.get(7).input());
  }

  @Test
  void afterAResetItStartsAnew() throws IOException {
    Csv csv = Csv.of(dataPath).with("data", DType.FLOAT32, 4, 10);
    DataIterator batches = session.open(Dataset.of(csv));
    Session.bad(batches.next());
    Session.bad(batches.next());
    Session.file(folder, "manual_2.csv", "1,2,3,4" + ",5".repeat(36));
    batches.reset();
    assertEquals(1, Session.rest(batches).size());
  }

  @Test
  void theRowsAreReadIfTheShapeIsTheirs() {
    Csv csv = Csv.of(dataPath).with("data", DType.FLOAT32, 4);
    assertEquals(
        List.of(
            "[1.0, 2.0, 3.0, 4.0, 2.0, 3.0, 4.0, 5.0]",
            "[3.0, 4.0, 5.0, 6.0, 4.0, 5.0, 6.0, 7.0]",
            "[5.0, 6.0, 7.0, 8.0, 6.0, 7.0, 8.0, 9.0]",
            "[9.0, 10.0, 11.0, 12.0, 10.0, 11.0, 12.0, 13.0]"),
        session.all(csv, 2).batches());
  }
}
