package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  private int run(Object... arguments) {
    String[] texts = new String[arguments.length + 1];
    texts[0] = "data";
    for (int i = 0; i < arguments.length; i++) {
      texts[i + 1] = String.valueOf(arguments[i]);
    }
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), texts);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void shapesRangesAndTheFirstRowsAreShown() throws IOException {
    assertEquals(0, run(file("a.csv", "x,y\n1,2\n3,-4\n5,6\n"), "--head", 2), err::toString);
    assertEquals(
        "data: float32[3, 2], from -4 to 6\ndata:\n  1   2\n  3  -4\n",
        out.toString().replace("\r\n", "\n"));
  }

  @Test
  void aCheckListsWhatIsWrongWithItsPlace() throws IOException {
    assertEquals(3, run(file("a.csv", "1,2\n3,5x\n7\n8,9\n"), "--check"), err::toString);
    assertEquals(
        """
        a.csv, row 2, column 2, byte 6: `5x` is not a number
        a.csv, row 3, byte 9: the shape [2] needs 2 values, but the row has 1
        data: float32[2, 2], from 1 to 9
        2 examples, 2 faults
        """,
        out.toString().replace("\r\n", "\n"));
    assertTrue(err.toString().startsWith("15 B in "), err.toString());
  }

  @Test
  void anOptionForAnotherKindOfFileIsRefused() throws IOException {
    Path csv = file("a.csv", "x,y\n1,2\n");
    assertEquals(2, run(csv, "--labels", csv));
    assertTrue(err.toString().contains("--labels is for an idx file"), err.toString());
    assertEquals(2, run(csv, "--width", 3));
    assertEquals(2, run(csv, "--side", 3));
    assertEquals(0, run(file("b.t", "1 0:2\n"), "--width", 3));
  }

  @Test
  void sparseRowsAreShownAsTheirThreeTensors() throws IOException {
    assertEquals(0, run(file("a.t", "1 0:2 7:3\n0 1:4\n"), "--batch", 2), err::toString);
    assertTrue(out.toString().contains("data.indices: int64[3], from 0 to 7"), out.toString());
  }

  @Test
  void whatFillsUpABatchIsNotShownAsData() throws IOException {
    assertEquals(0, run(file("a.csv", "1.5,7\n20.25,8\n"), "--batch", 4), err::toString);
    assertEquals(0, run(file("a.t", "1 0:2 7:3\n0 1:4\n"), "--batch", 4), err::toString);
    assertEquals(
        """
        data: float32[2, 2], from 1.5 to 20.25
        data:
            1.5  7
          20.25  8
        data.values: float32[3], from 2 to 4
        data.indices: int64[3], from 0 to 7
        data.offsets: int64[3], from 0 to 3
        label: float32[2], from 0 to 1
        data.values:
          2  3  4
        data.indices:
        [0 7 1]
        data.offsets:
        [0 2 3]
        label:
          1  0
        """,
        out.toString().replace("\r\n", "\n"));
  }

  @Test
  void wholeNumbersOfManyColumnsHaveNoPoint() throws IOException {
    String row = "1,2,3,4,5,6,7,8,9,10,11,12,13\n";
    assertEquals(0, run(file("a.csv", row)), err::toString);
    assertTrue(out.toString().contains("[[ 1  2  3  4  5  6"), out.toString());
    assertEquals(0, run(file("b.csv", "0.5," + row)), err::toString);
    assertTrue(out.toString().contains("[[ 0.5  1.   2. "), out.toString());
  }

  @Test
  void aCheckOfSeveralBatchesCountsTheExamplesOfAll() throws IOException {
    Path csv = file("a.csv", "1,2\n3,4\n5,0.1\n");
    assertEquals(0, run(csv, "--check", "--batch", 2), err::toString);
    Path sparse = file("a.t", "1 0:2\n0 1:4\n1 2:5\n");
    assertEquals(0, run(sparse, "--check", "--batch", 2), err::toString);
    String said = out.toString();
    assertTrue(said.contains("data: float32[3, 2], from 0.1 to 5"), said);
    assertTrue(said.contains("data.offsets: int64[4]"), said);
    assertTrue(said.contains("label: float32[3], from 0 to 1"), said);
  }

  /**
   * The bytes that {@code numpy.save} writes for {@code arange(6, dtype=uint8).reshape(3, 2)}, then
   * truncated.
   */
  @Test
  void anArrayOfNumPyIsCheckedRowByRow() throws IOException {
    String header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2), }";
    String front = "\u0093NUMPY\1\0\166\0" + header + " ".repeat(117 - header.length()) + "\n";
    byte[] whole = (front + "\0\1\2\3\4\5").getBytes(StandardCharsets.ISO_8859_1);
    Path path = Files.write(folder.resolve("a.npy"), whole);
    assertEquals(0, run(path, "--check"), err::toString);
    Files.write(path, Arrays.copyOf(whole, whole.length - 1));
    assertEquals(3, run(path, "--check"), err::toString);
    assertEquals(
        """
        data: uint8[3, 2], from 0 to 5
        3 examples, 0 faults
        a.npy, byte 133: a.npy ends here, 1 bytes before the end of its 3 examples
        data: uint8[2, 2], from 0 to 3
        2 examples, 1 fault
        """,
        out.toString().replace("\r\n", "\n"));
  }

  @Test
  void aFileThatIsNotThereIsToldInOneLine() {
    for (String name : List.of("none.csv", "none.csv.gz", "none.npy", "none.npz", "none.rec")) {
      out.getBuffer().setLength(0);
      err.getBuffer().setLength(0);
      assertEquals(1, run(folder.resolve(name)));
      String said = out.toString() + err;
      assertTrue(said.contains(name + " cannot be read: there is no such file\n"), said);
      assertFalse(said.contains("cause:"), said);
    }
  }

  @Test
  void aNameThatDoesNotSayTheFormatIsAUsageError() throws IOException {
    assertEquals(2, run(file("mystery", "1,2\n")));
    assertTrue(err.toString().contains("give --format"), err.toString());
    assertEquals(0, run(file("mystery", "1,2\n"), "--format", "csv"), err::toString);
  }
}
