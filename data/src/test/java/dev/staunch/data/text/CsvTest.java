package dev.staunch.data.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.dataset.Dataset;
import dev.staunch.data.dataset.LastBatch;
import dev.staunch.data.dataset.Session;
import dev.staunch.data.decode.Inputs;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.type.DType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {
  private final Session session = new Session();
  @TempDir private Path folder;

  @AfterEach
  void nothingLeaks() {
    session.close();
  }

  @Test
  void columnsBecomeFieldsInTheirOrder() throws IOException {
    Path file = Session.file(folder, "a.csv", "1,2,7", "3,4,8");
    Csv csv = Csv.of(file).with("data", DType.FLOAT32, 2).with("label", DType.INT64);
    assertEquals(List.of("[1.0, 2.0, 3.0, 4.0] | [7, 8]"), session.all(csv, 2).batches());
  }

  @Test
  void aFieldWithoutElementsTakesNoColumn() throws IOException {
    Path file = Session.file(folder, "a.csv", "1,2", "3,4");
    Csv none = Csv.of(file).with("none", DType.FLOAT32, 0);
    assertEquals(
        List.of("[] | [1.0, 2.0, 3.0, 4.0]"),
        session.all(none.with("data", DType.FLOAT32, 2), 2).batches());
    Session.Seen seen = session.all(none, 2);
    assertEquals(List.of(), seen.batches());
    assertEquals(
        "the shape [0] needs 0 values, but the row has 2", seen.faults().getFirst().message());
  }

  @Test
  void aHeaderNamesColumnsInAnyOrderAndTheOthersAreLeftOut() throws IOException {
    Path file =
        Session.file(folder, "a.csv", "id,age, income,class", "x,30,1.5,1", "\"y\",40,2.5,0");
    Csv csv =
        Csv.of(file)
            .withNamed("data", DType.FLOAT64, "income", "age")
            .withNamed("label", DType.BOOL, "class");
    assertEquals(
        List.of("[1.5, 30.0, 2.5, 40.0] | [1, 0]"), session.all(csv.ignoringOthers(), 2).batches());
  }

  @Test
  void aColumnThatTheHeaderLacksIsAFaultOfThatFileAlone() throws IOException {
    Path bad = Session.file(folder, "bad.csv", "age,class", "30,1");
    Path good = Session.file(folder, "good.csv", "class,income", "1,2.5");
    Csv csv = Csv.of(bad, good).withNamed("data", DType.FLOAT32, "income").ignoringOthers();
    Session.Seen seen = session.all(csv, 1);
    assertEquals(List.of("[2.5]"), seen.batches());
    Fault fault = seen.faults().getFirst();
    assertEquals(
        "the header of bad.csv has no column `income`; it has age, class", fault.message());
    assertEquals("bad.csv, row 1, byte 0", fault.input());
  }

  @Test
  void aColumnThatNoFieldWantsHasToBeIgnoredOnPurpose() throws IOException {
    Path file = Session.file(folder, "a.csv", "1,2,3");
    Csv csv = Csv.of(file).with("data", DType.FLOAT32, 2);
    assertEquals(
        "the shape [2] needs 2 values, but the row has 3",
        session.all(csv, 1).faults().getFirst().message());
    assertEquals(List.of("[1.0, 2.0]"), session.all(csv.ignoringOthers(), 1).batches());
    Csv behind = Csv.of(file).withFrom(1, "data", DType.FLOAT32, 2);
    assertEquals(
        "column 1 of a.csv belongs to no field; add it to one, or skip such columns by"
            + " ignoringOthers",
        session.all(behind, 1).faults().getFirst().message());
    assertEquals(List.of("[2.0, 3.0]"), session.all(behind.ignoringOthers(), 1).batches());
  }

  @Test
  void eachColumnOfAHeaderBelongsToOneField() throws IOException {
    Path file = Session.file(folder, "a.csv", "x,y,label", "1,2,3");
    Csv lacking = Csv.of(file).withNamed("data", DType.FLOAT32, "x", "y");
    Fault fault = session.all(lacking, 1).faults().getFirst();
    assertEquals(
        "column 3 of a.csv, `label`, belongs to no field; add it to one, or skip such columns by"
            + " ignoringOthers",
        fault.message());
    assertEquals("a.csv, row 1, byte 0", fault.input());
    assertEquals(List.of("[1.0, 2.0]"), session.all(lacking.ignoringOthers(), 1).batches());
    Csv twice = lacking.withNamed("label", DType.INT64, "y");
    assertEquals(
        "column 2 of a.csv, `y`, is in two fields",
        session.all(twice, 1).faults().getFirst().message());
    Csv placed = Csv.of(file).withFrom(1, "a", DType.FLOAT32).withFrom(1, "b", DType.FLOAT32);
    Fault both = session.all(placed.ignoringOthers(), 1).faults().getFirst();
    assertEquals("column 2 of a.csv is in two fields", both.message());
    assertEquals(FaultType.VALUE, both.type());
  }

  @Test
  void integersAreExactAndInTheirRange() throws IOException {
    Path file =
        Session.file(
            folder,
            "a.csv",
            "9007199254740993",
            "-9223372036854775808",
            "1.0",
            "1e2",
            "9223372036854775808");
    Session.Seen seen = session.all(Csv.of(file).with("data", DType.INT64), 1);
    assertEquals(List.of("[9007199254740993]", "[-9223372036854775808]"), seen.batches());
    assertEquals(
        List.of(
            "`1.0` is not an integer",
            "`1e2` is not an integer",
            "`9223372036854775808` is out of the range of int64"),
        seen.faults().stream().map(Fault::message).toList());
  }

  /**
   * A quote anywhere in a row makes it pass another way, which must not change what is a number.
   */
  @Test
  void quotesDoNotChangeWhatIsAnInteger() throws IOException {
    String[] numbers = {"5.", "1.5e1", "7e0", ".5e1", "+12", "-007", "1", "00", "+1"};
    for (DType dtype : List.of(DType.INT64, DType.INT8, DType.BOOL)) {
      Path plain = Session.file(folder, "plain.csv", numbers);
      String[] marked = Arrays.stream(numbers).map(n -> '"' + n + '"').toArray(String[]::new);
      Path quoted = Session.file(folder, "quoted.csv", marked);
      Session.Seen seen = session.all(Csv.of(plain).with("data", dtype), 1);
      Session.Seen other = session.all(Csv.of(quoted).with("data", dtype), 1);
      assertEquals(other.batches(), seen.batches());
      assertEquals(dtype == DType.BOOL ? 1 : 5, seen.batches().size());
    }
  }

  @Test
  void smallIntegersAreRefusedIfTheyDoNotFit() throws IOException {
    Path file = Session.file(folder, "a.csv", "255,-128", "256,1", "1,128");
    Csv csv = Csv.of(file).with("a", DType.UINT8).with("b", DType.INT8);
    Session.Seen seen = session.all(csv, 1);
    assertEquals(List.of("[255] | [-128]"), seen.batches());
    assertEquals(
        List.of("a.csv, row 2, column 1, byte 9", "a.csv, row 3, column 2, byte 17"),
        seen.places());
  }

  @Test
  void anEmptyFieldIsANumberIfOneIsGiven() throws IOException {
    Path file = Session.file(folder, "a.csv", "1,", ",\"\"");
    Csv csv = Csv.of(file).with("data", DType.FLOAT32, 2).withEmpty(-1);
    assertEquals(List.of("[1.0, -1.0, -1.0, -1.0]"), session.all(csv, 2).batches());
  }

  @Test
  void aNumberForEmptyFieldsIsHeldToTheDType() throws IOException {
    Path file = Session.file(folder, "a.csv", "1.5,3", "2.5,");
    for (double none : new double[] {Double.NaN, 0.5, 1e19, -1}) {
      Csv csv = Csv.of(file).with("data", DType.FLOAT32).with("label", DType.UINT8).withEmpty(none);
      assertEquals(
          "the field is empty, and the number for it, " + none + ", is not uint8",
          session.all(csv, 1).faults().getFirst().message());
    }
    Csv whole = Csv.of(file).with("data", DType.FLOAT32).with("label", DType.UINT8).withEmpty(255);
    assertEquals(List.of("[1.5, 2.5] | [3, 255]"), session.all(whole, 2).batches());
    Path gap = Session.file(folder, "b.csv", ",3");
    Csv missing =
        Csv.of(gap).with("data", DType.FLOAT16).with("label", DType.INT64).withEmpty(Double.NaN);
    assertEquals(List.of("[NaN] | [3]"), session.all(missing, 1).batches());
  }

  @Test
  void numbersAreOutOfRangeWhereRoundingWouldMakeThemInfinite() throws IOException {
    Path file = Session.file(folder, "a.csv", "65519.9", "-65519", "65520", "inf", "1e400");
    Session.Seen half = session.all(Csv.of(file).with("data", DType.FLOAT16), 1);
    assertEquals(List.of("[65504.0]", "[-65504.0]", "[Infinity]"), half.batches());
    assertEquals(
        List.of("`65520` is out of the range of float16", "`1e400` is out of the range of float16"),
        half.faults().stream().map(Fault::message).toList());
    Path wide = Session.file(folder, "b.csv", "3.3961e38", "3.3962e38");
    Session.Seen brain = session.all(Csv.of(wide).with("data", DType.BFLOAT16), 1);
    assertEquals(List.of("[3.3895313892515355E38]"), brain.batches());
    assertEquals(
        List.of("`3.3962e38` is out of the range of bfloat16"),
        brain.faults().stream().map(Fault::message).toList());
  }

  @Test
  void anotherDelimiterIsTaken() throws IOException {
    Path file = Session.file(folder, "a.tsv", "1\t2", "3\t\"4\"");
    Csv csv = Csv.of(file).with("data", DType.FLOAT32, 2).withDelimiter('\t');
    assertEquals(List.of("[1.0, 2.0, 3.0, 4.0]"), session.all(csv, 2).batches());
  }

  @Test
  void aPackedFileIsUnpacked() throws IOException {
    Path file = packed("a.csv.gz", "1,2\n3,x\n");
    Session.Seen seen = session.all(Csv.of(file).with("data", DType.FLOAT32, 2), 1);
    assertEquals(List.of("[1.0, 2.0]"), seen.batches());
    assertEquals(List.of("a.csv.gz, row 2, column 2, byte 6"), seen.places());
  }

  @Test
  void aPackedFileThatWasCutGivesItsGoodRowsAndThenTheFault() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      text.append(i).append(',').append(i * 31 % 1009).append('\n');
    }
    Path file = packed("a.csv.gz", text.toString());
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    Session.Seen seen = session.all(Csv.of(file).with("data", DType.FLOAT32, 2), 1);
    assertTrue(seen.batches().size() > 1000, "good rows: " + seen.batches().size());
    assertEquals(1, seen.faults().size());
    assertTrue(seen.faults().getFirst().message().startsWith("the gzip stream ends early"));
  }

  private Path packed(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  @Test
  void filesOfAFolderComeByNameAndEachCountsItsOwnRows() throws IOException {
    Session.file(folder, "b.csv", "3", "x");
    Session.file(folder, "a.csv", "1", "y");
    Session.file(folder, ".hidden.csv", "9");
    Csv csv = Csv.of(Inputs.of(folder.toString())).with("data", DType.FLOAT32);
    Session.Seen seen = session.all(csv, 1);
    assertEquals(List.of("[1.0]", "[3.0]"), seen.batches());
    assertEquals(
        List.of("a.csv, row 2, column 1, byte 2", "b.csv, row 2, column 1, byte 2"), seen.places());
  }

  @Test
  void aPatternPicksFiles() throws IOException {
    Session.file(folder, "day-1.csv", "1");
    Session.file(folder, "day-2.csv", "2");
    Session.file(folder, "night-1.csv", "3");
    Csv csv = Csv.of(Inputs.of(folder + "/day-*.csv")).with("data", DType.FLOAT32);
    assertEquals(List.of("[1.0]", "[2.0]"), session.all(csv, 1).batches());
  }

  @Test
  void aFileThatIsNotThereOrEmptyIsAFaultInItsPlace() throws IOException {
    Path good = Session.file(folder, "good.csv", "1");
    Path empty = Session.bytes(folder, "empty.csv", "");
    Csv csv = Csv.of(folder.resolve("none.csv"), empty, good).with("data", DType.FLOAT32);
    Session.Seen seen = session.all(csv, 1);
    assertEquals(List.of("[1.0]"), seen.batches());
    assertEquals(List.of("none.csv", "empty.csv"), seen.places());
  }

  @Test
  void aPatternThatFitsNothingIsAFault() {
    Csv csv = Csv.of(Inputs.of(folder + "/*.csv")).with("data", DType.FLOAT32);
    assertEquals(
        "there is no file to read in *.csv",
        Session.bad(session.open(Dataset.of(csv)).next()).message());
  }

  @Test
  void textInUtf16IsToldSo() throws IOException {
    Path file = folder.resolve("a.csv");
    Files.write(file, "1,2\n".getBytes(StandardCharsets.UTF_16));
    Session.Seen seen = session.all(Csv.of(file).with("data", DType.FLOAT32, 2), 1);
    assertTrue(seen.faults().getFirst().message().startsWith("a.csv is in UTF-16"));
  }

  @Test
  void aRowWithoutEndIsOneFault() throws IOException {
    String endless = "7".repeat(5 << 20);
    Path file = Session.file(folder, "a.csv", "1", endless, "2");
    Session.Seen seen = session.all(Csv.of(file).with("data", DType.FLOAT32), 1);
    assertEquals(List.of("[1.0]", "[2.0]"), seen.batches());
    assertEquals(List.of("a.csv, row 2, byte 2"), seen.places());
  }

  @Test
  void rowsOverManyPartsKeepTheirNumbers() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 1; i <= 200_000; i++) {
      lines.add(i % 50_000 == 0 ? "bad" : Integer.toString(i));
    }
    Path file = Session.file(folder, "a.csv", lines.toArray(String[]::new));
    Dataset dataset = Dataset.of(Csv.of(file).with("data", DType.FLOAT32)).withBatch(4);
    Session.Seen seen = session.all(dataset.withDecoders(3));
    assertEquals(
        List.of(50_000, 100_000, 150_000, 200_000),
        seen.faults().stream().map(fault -> fault.source().line()).toList());
    assertEquals(49_999, seen.batches().size());
  }

  @Test
  void shardsAreAllRowsOnceAndKeepTheirNumbers() throws IOException {
    List<Path> files = new ArrayList<>();
    List<String> all = new ArrayList<>();
    String zeros = "0".repeat(40);
    for (int file = 0; file < 3; file++) {
      List<String> lines = new ArrayList<>();
      for (int row = 0; row < 5_000 * file + 7; row++) {
        String value = zeros + file + "." + row; // enough bytes for several parts
        lines.add(row % 1000 == 5 ? "\"" + value + "\n\"" : row == 777 ? "oops" : value);
        if (row != 777) {
          all.add("[" + Double.parseDouble(value) + "]");
        }
      }
      files.add(Session.file(folder, "f" + file + ".csv", lines.toArray(String[]::new)));
    }
    Csv csv = Csv.of(files.toArray(Path[]::new)).with("data", DType.FLOAT64);
    Dataset dataset = Dataset.of(csv).withLast(LastBatch.DISCARD);
    for (int count : new int[] {1, 2, 5, 11}) {
      List<String> seen = new ArrayList<>();
      List<String> places = new ArrayList<>();
      for (int part = 0; part < count; part++) {
        Session.Seen one = session.all(dataset.withShard(part, count));
        seen.addAll(one.batches());
        places.addAll(one.places());
      }
      assertEquals(all, seen, count + " parts");
      assertEquals(
          List.of("f1.csv, row 779, column 1, byte 35635", "f2.csv, row 779, column 1, byte 35635"),
          places,
          count + " parts");
    }
  }

  /** The limit is 4 MiB, whatever the size and the contents of the buffer when the row begins. */
  @ParameterizedTest
  @ValueSource(ints = {2, 100, 550_000})
  void aRowThatIsTooLongIsAFaultWhereverItLies(int before) throws IOException {
    String first = "0".repeat(3 << 20) + "\n";
    String rows = first + "1\n".repeat(before - 1) + "0".repeat(5 << 20) + "\n2\n";
    Csv csv = Csv.of(Session.bytes(folder, "a.csv", rows)).with("data", DType.UINT8);
    Session.Seen seen = session.all(Dataset.of(csv).withBatch(before + 1));
    assertEquals(1, seen.batches().size(), "all rows but one");
    int at = first.length() + 2 * (before - 1);
    assertEquals(List.of("a.csv, row " + (before + 1) + ", byte " + at), seen.places());
    assertEquals("the row has no end within 4194304 bytes", seen.faults().getFirst().message());
  }

  @Test
  void aRowOfFourMebibytesIsRead() throws IOException {
    String longest = "0".repeat((4 << 20) - 2) + "7";
    Path file = Session.bytes(folder, "a.csv", "1\n" + longest + "\n2\n");
    Csv csv = Csv.of(file).with("data", DType.UINT8);
    assertEquals(List.of("[1]", "[7]", "[2]"), session.all(csv, 1).batches());
  }

  @Test
  void fieldsThatMakeNoSenseAreRefusedAtOnce() {
    Csv csv = Csv.of(Path.of("a.csv"));
    assertThrows(IllegalArgumentException.class, () -> csv.open(ReadOptions.PLAIN));
    Csv two = csv.with("a", DType.FLOAT32);
    assertThrows(IllegalArgumentException.class, () -> two.with("a", DType.FLOAT32));
    assertThrows(IllegalArgumentException.class, () -> csv.withDelimiter('"'));
    assertThrows(IllegalArgumentException.class, () -> csv.with("c", DType.COMPLEX64));
  }
}
