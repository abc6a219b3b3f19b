package dev.staunch.data.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.data.dataset.Dataset;
import dev.staunch.data.dataset.Session;
import dev.staunch.data.row.Examples;
import dev.staunch.fault.Fault;
import dev.staunch.type.DType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibSvmTest {
  private final Session session = new Session();
  @TempDir private Path folder;

  @AfterEach
  void nothingLeaks() {
    session.close();
  }

  /** MXNet's own test: four rows in batches of three; the second batch wraps to the first rows. */
  @Test
  void sparseRowsKeepExplicitZerosAndTheLastBatchWraps() throws IOException {
    Path file =
        Session.file(
            folder, "data.t", "1.0 0:0.5 2:1.2", "-2.0", "-3.0 0:0.6 1:2.4 2:1.2", "4 2:-1.2 3:0");
    assertEquals(
        List.of(
            "[0.5, 1.2000000476837158, 0.6000000238418579, 2.4000000953674316, 1.2000000476837158]"
                + " | [0, 2, 0, 1, 2] | [0, 2, 2, 5] | [1.0, -2.0, -3.0]",
            "[-1.2000000476837158, 0.0, 0.5, 1.2000000476837158]"
                + " | [2, 3, 0, 2] | [0, 2, 4, 4] | [4.0, 1.0, -2.0] pad 2"),
        session.all(Dataset.of(LibSvm.of(4, file)).withBatch(3)).batches());
  }

  @Test
  void theSameRowsAreReadDense() throws IOException {
    Path file = Session.file(folder, "data.t", "1 1:2 3:4 # a comment", "", "0 2:5\t3:6");
    assertEquals(
        List.of("[2.0, 0.0, 4.0, 0.0, 5.0, 6.0] | [1.0, 0.0]"),
        session.all(LibSvm.of(3, file).oneBased().dense(), 2).batches());
  }

  @Test
  void aDenseRowHasNothingOfTheRowThatStoodThereBefore() throws IOException {
    Path file = Session.file(folder, "data.t", "1 0:7 1:x", "1 1:2");
    assertEquals(
        List.of("[0.0, 2.0] | [1.0]"), session.all(LibSvm.of(2, file).dense(), 1).batches());
  }

  @Test
  void whatIsWrongIsToldWithItsPlace() throws IOException {
    Path file =
        Session.file(
            folder,
            "bad.t",
            "1 -1:2",
            "1 4:2",
            "1 0:5x",
            "1 2:1 1:1",
            "x 0:1",
            "1 0",
            "1 0:1",
            "1 1e1:3",
            "1 1.5e1:3",
            "1 1.:3",
            "1 0: 5");
    Session.Seen seen = session.all(LibSvm.of(4, file), 1);
    assertEquals(List.of("[1.0] | [0] | [0, 1] | [1.0]"), seen.batches());
    assertEquals(
        List.of(
            "the index -1 is out of range",
            "the index 4 is out of range; if the file counts from 1, say oneBased()",
            "`5x` is not a number",
            "the index 1 does not come behind the one before",
            "`x` is not a number",
            "`0` is not an index with a value",
            "`1e1` is not an index",
            "`1.5e1` is not an index",
            "`1.` is not an index",
            "the field is empty"),
        seen.faults().stream().map(Fault::message).toList());
    assertEquals("bad.t, row 3, column 5, byte 17", seen.places().get(2));
  }

  @Test
  void labelsOfAnotherFileComeBeside() throws IOException {
    Path data = Session.file(folder, "data.t", "9 0:1", "9 1:2");
    Path labels = Session.file(folder, "label.csv", "1,2", "3,4");
    Examples both =
        Examples.zip(
            LibSvm.of(2, data).dense().withoutLabel(),
            Csv.of(labels).with("label", DType.FLOAT32, 2));
    assertEquals(
        List.of("[1.0, 0.0, 0.0, 2.0] | [1.0, 2.0, 3.0, 4.0]"), session.all(both, 2).batches());
  }

  @Test
  void fewerLabelsThanRowsAreAFaultInThePlaceOfTheFirstWithout() throws IOException {
    Path data = Session.file(folder, "data.csv", "1", "2", "3");
    Path labels = Session.file(folder, "label.csv", "1", "2");
    Examples both =
        Examples.zip(
            Csv.of(data).with("data", DType.FLOAT32), Csv.of(labels).with("label", DType.FLOAT32));
    Session.Seen seen = session.all(both, 1);
    assertEquals(2, seen.batches().size());
    assertEquals(
        List.of("label.csv ends after 2 examples, but data.csv has more"),
        seen.faults().stream().map(Fault::message).toList());
  }
}
