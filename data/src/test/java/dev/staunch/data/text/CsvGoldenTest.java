package dev.staunch.data.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.dataset.Session;
import dev.staunch.data.row.DenseColumn;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.RowStream;
import dev.staunch.data.row.Rows;
import dev.staunch.fault.Fault;
import dev.staunch.type.DType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scanner of plain numbers gives a text the same meaning as reading all of it as strings does.
 */
class CsvGoldenTest {
  /** A text of two columns and its result: rows, and faults in their places. */
  private record Golden(String name, String text, String... seen) {}

  private static final List<Golden> GOLDEN =
      List.of(
          new Golden("two rows", "1,2\n3,4\n", "1.0 2.0", "3.0 4.0"),
          new Golden("no line end at the end", "1,2\n3,4", "1.0 2.0", "3.0 4.0"),
          new Golden("CRLF", "1,2\r\n3,4\r\n", "1.0 2.0", "3.0 4.0"),
          new Golden("CR alone", "1,2\r3,4\r", "1.0 2.0", "3.0 4.0"),
          new Golden("a byte-order mark", "\ufeff1,2\n", "1.0 2.0"),
          new Golden(
              "blank lines count and are passed over",
              "\n1,2\n\n\r\n3,x\n",
              "1.0 2.0",
              "5:2 `x` is not a number"),
          new Golden("signs and points", "-1.5,+2.\n.5,-.25\n", "-1.5 2.0", "0.5 -0.25"),
          new Golden("exponents", "1e3,2E-2\n1.5e+1,-0e0\n", "1000.0 0.02", "15.0 -0.0"),
          new Golden("blanks around numbers", " 1 ,\t2\n", "1.0 2.0"),
          new Golden(
              "names of what is not a number",
              "nan,inf\n-Infinity,NaN\n",
              "NaN Infinity",
              "-Infinity NaN"),
          new Golden("ten is written 010", "010,08\n", "10.0 8.0"),
          new Golden("quoted fields", "\"1\",\"2\"\n3,\"4\"\n", "1.0 2.0", "3.0 4.0"),
          new Golden(
              "a line end in quotes", "\"1\n\",2\n3,x\n", "1.0 2.0", "3:2 `x` is not a number"),
          new Golden("5x is not 5", "5x,1\n1,2\n", "1:1 `5x` is not a number", "1.0 2.0"),
          new Golden(
              "a Java suffix is not a number",
              "1f,2\n1,2d\n",
              "1:1 `1f` is not a number",
              "2:2 `2d` is not a number"),
          new Golden("hexadecimal is not a number", "0x10,1\n", "1:1 `0x10` is not a number"),
          new Golden("1e400 is refused", "1,1e400\n", "1:2 `1e400` is out of the range of float32"),
          new Golden("-1e39 is refused", "-1e39,1\n", "1:1 `-1e39` is out of the range of float32"),
          new Golden("too small is zero", "1e-400,1\n", "0.0 1.0"),
          new Golden(
              "an empty field", "1,\n,2\n", "1:2 the field is empty", "2:1 the field is empty"),
          new Golden(
              "too few and too many",
              "1\n1,2,3\n1,2\n",
              "1:0 the shape [2] needs 2 values, but the row has 1",
              "2:0 the shape [2] needs 2 values, but the row has 3",
              "1.0 2.0"),
          new Golden(
              "a comma at the end",
              "1,2,\n",
              "1:0 the shape [2] needs 2 values, but the row has 3"),
          new Golden(
              "a quote that never closes costs one row",
              "1,2\n\"3,4\n5,6\n",
              "1.0 2.0",
              "2:0 a quotation mark that opens is never closed",
              "5.0 6.0"),
          new Golden(
              "a quote inside a field costs one row",
              "1\"5,2\n3,4\n",
              "1:1 `1\"5` is not a number",
              "3.0 4.0"),
          new Golden(
              "text after a closing quote costs one row",
              "\"1\"5,2\n3,4\n",
              "1:0 the row is not quoted as it should be",
              "3.0 4.0"),
          new Golden(
              "a quote in quotes", "\"1\"\"\",2\n3,4\n", "1:1 `1\"` is not a number", "3.0 4.0"),
          new Golden("control characters are shown", "1,\u0000\n", "1:2 `\\u0000` is not a number"),
          new Golden("bytes that are no UTF-8", "1,\ufffd\n", "1:2 `\\ufffd` is not a number"));

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> theScannerAndTheStringsGiveTheSame() {
    return GOLDEN.stream()
        .flatMap(golden ->
            Stream.of(true, false)
                .map(scanning ->
                    DynamicTest.dynamicTest(
                        golden.name + (scanning ? ", scanned" : ", as strings"),
                        () -> assertGolden(golden, scanning))));
  }

  private void assertGolden(Golden golden, boolean scanning) throws IOException {
    Path file = Session.bytes(folder, "golden.csv", golden.text);
    List<String> seen = seen(Csv.of(file).with("data", DType.FLOAT32, 2), scanning);
    assertEquals(golden.seen.length, seen.size(), () -> "saw " + seen);
    for (int i = 0; i < seen.size(); i++) {
      assertTrue(
          seen.get(i).startsWith(golden.seen[i]), "expected " + golden.seen[i] + ", saw " + seen);
    }
  }

  private static List<String> seen(Csv csv, boolean scanning) {
    List<String> seen = new ArrayList<>();
    try (RowStream stream = csv.open(ReadOptions.PLAIN, scanning)) {
      for (Rows rows = stream.next(); rows != null; rows = stream.next()) {
        for (int at = 0; at < rows.count(); at++) {
          Fault fault = rows.faultAt(at);
          seen.add(fault == null ? values(rows, at) : told(fault));
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    return seen;
  }

  private static String told(Fault fault) {
    return fault.source().line() + ":" + fault.source().column() + " " + fault.message();
  }

  private static String values(Rows rows, int at) {
    DenseColumn column = (DenseColumn) rows.columns().getFirst();
    ByteBuffer values = ByteBuffer.wrap(column.bytes()).order(ByteOrder.nativeOrder());
    int from = at * column.width();
    return values.getFloat(from) + " " + values.getFloat(from + 4);
  }

  /** Many kinds of float texts; the scanner gives the same float as Java's own parser. */
  @Test
  void theScannerRoundsAsJavaDoes() {
    long seed = Long.getLong("csv.seed", 1);
    Random random = new Random(seed);
    NumberScanner scanner = new NumberScanner();
    int taken = 0;
    for (int i = 0; i < 200_000; i++) {
      String text = text(random);
      byte[] bytes = (text + "\n".repeat(16)).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
      int end = scanner.scan(bytes, 0);
      if (end < 0) {
        continue;
      }
      assertEquals(text.length(), end, text);
      float value = scanner.float32();
      if (!Float.isNaN(value)) {
        taken++;
        assertEquals(Float.parseFloat(text), value, () -> text + ", seed " + seed);
      }
      double wide = scanner.float64();
      if (!Double.isNaN(wide)) {
        assertEquals(Double.parseDouble(text), wide, () -> text + ", seed " + seed);
      }
    }
    assertTrue(taken > 100_000, "few were scanned: " + taken);
  }

  private static String text(Random random) {
    float bits = Float.intBitsToFloat(random.nextInt());
    return switch (random.nextInt(6)) {
      case 0 -> Float.isFinite(bits) ? Float.toString(bits) : "1";
      case 1 -> Double.toString(random.nextGaussian());
      case 2 -> String.format(Locale.ROOT, "%.6f", random.nextGaussian());
      case 3 -> Long.toString(random.nextLong() >> random.nextInt(64));
      case 4 -> middle(random);
      default ->
          random.nextInt(1000)
              + "."
              + random.nextInt(1_000_000_000)
              + "e"
              + (random.nextInt(60) - 30);
    };
  }

  /** A number exactly or nearly halfway between two floats, where rounding twice goes wrong. */
  private static String middle(Random random) {
    float low = random.nextInt(1 << 20) + random.nextFloat();
    double middle = (low + (double) Math.nextUp(low)) / 2;
    String text = new java.math.BigDecimal(middle).toPlainString();
    String cut = text.substring(0, Math.min(text.length(), 18));
    return random.nextBoolean() ? cut : cut + random.nextInt(3);
  }

  /** A double rounded to a float would be wrong here, so the test above can fail. */
  @Test
  void theScannerLeavesTheMiddleToOthers() {
    NumberScanner scanner = new NumberScanner();
    // 1 + 2^-24 + 10^-17: above the midpoint of 1 and the next float, but not as a double.
    byte[] bytes =
        "1.00000005960464479\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
            .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    assertEquals(19, scanner.scan(bytes, 0));
    assertTrue(Float.isNaN(scanner.float32()));
  }
}
