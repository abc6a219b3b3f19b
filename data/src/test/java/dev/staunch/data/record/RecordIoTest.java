package dev.staunch.data.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.StaunchException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordIoTest {
  private static final int MAGIC = 0xced7230a;
  @TempDir private Path folder;

  private static byte[] words(int... words) {
    ByteBuffer bytes =
        ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int word : words) {
      bytes.putInt(word);
    }
    return bytes.array();
  }

  private static List<byte[]> records() {
    return List.of(
        new byte[0],
        new byte[] {1},
        words(1, 2, 3),
        words(MAGIC),
        words(7, MAGIC, MAGIC, 8),
        words(MAGIC, 5),
        Arrays.copyOf(words(9, MAGIC), 11),
        new byte[600_000]);
  }

  private Path write(List<byte[]> records) throws IOException {
    Path file = folder.resolve("x.rec");
    try (RecordWriter writer = RecordWriter.open(file, folder.resolve("x.idx"))) {
      for (int i = 0; i < records.size(); i++) {
        writer.write(i, records.get(i));
      }
    }
    return file;
  }

  /** The contents of the records; faults appear as their messages. */
  private static List<Object> read(Path file) throws IOException, InterruptedException {
    List<Object> seen = new ArrayList<>();
    try (RecordReader reader = RecordReader.open(file)) {
      for (var entry = reader.next(); entry != null; entry = reader.next()) {
        var fault = entry.fault();
        seen.add(fault == null ? entry.bytes() : fault.input() + ": " + fault.message());
      }
    }
    return seen;
  }

  @Test
  void whatIsWrittenIsReadAlsoIfItHoldsTheMagicNumber() throws Exception {
    List<Object> seen = read(write(records()));
    assertEquals(records().size(), seen.size());
    for (int i = 0; i < seen.size(); i++) {
      assertArrayEquals(records().get(i), (byte[]) seen.get(i), "record " + i);
    }
  }

  /** The bytes that dmlc's own writer gives for one record of five bytes. */
  @Test
  void theBytesAreThoseOfTheFormat() throws IOException {
    Path file = write(List.of(new byte[] {1, 2, 3, 4, 5}));
    assertArrayEquals(
        new byte[] {0x0a, 0x23, (byte) 0xd7, (byte) 0xce, 5, 0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0},
        Files.readAllBytes(file));
    assertEquals("0\t0\n", Files.readString(folder.resolve("x.idx")));
  }

  @Test
  void anIndexLeadsToEachRecord() throws Exception {
    Path file = write(records());
    RecordIndex index = RecordIndex.read(folder.resolve("x.idx"));
    try (RecordReader reader = RecordReader.open(file)) {
      for (int i = index.count() - 1; i >= 0; i--) {
        reader.seek(index.offset(i), i);
        assertArrayEquals(records().get(i), reader.next().bytes());
      }
    }
  }

  @Test
  void anyKeyThatIsWrittenIsRead() throws IOException {
    Path index = folder.resolve("keys.idx");
    try (RecordWriter writer = RecordWriter.open(folder.resolve("keys.rec"), index)) {
      writer.write(Long.MAX_VALUE, new byte[0]);
      writer.write(Long.MIN_VALUE, new byte[0]);
    }
    assertEquals(2, RecordIndex.read(index).count());
  }

  @Test
  void anIndexThatIsNoneNamesItsLine() throws IOException {
    Path index = Files.writeString(folder.resolve("y.idx"), "0\t0\noops\n");
    assertEquals(
        "y.idx, row 2",
        assertThrows(StaunchException.class, () -> RecordIndex.read(index)).fault().input());
  }

  @Test
  void damageCostsTheRecordThatItTouches() throws Exception {
    Path file = write(List.of(words(1, 1), words(2, 2), words(3, 3)));
    byte[] bytes = Files.readAllBytes(file);
    bytes[16] ^= 1; // the second record's magic number
    Files.write(file, bytes);
    List<Object> seen = read(file);
    assertEquals(3, seen.size());
    assertArrayEquals(words(1, 1), (byte[]) seen.get(0));
    assertEquals("x.rec, record 2, byte 16: there is no record here", seen.get(1));
    assertArrayEquals(words(3, 3), (byte[]) seen.get(2));
  }

  @Test
  void aLengthThatLiesCostsOneRecord() throws Exception {
    Path file = write(List.of(words(1, 1), words(2, 2), words(3, 3)));
    byte[] bytes = Files.readAllBytes(file);
    bytes[16 + 6] = 0x1f;
    Files.write(file, bytes);
    List<Object> seen = read(file);
    assertEquals(
        "x.rec, record 2, byte 16: the record ends behind the end of the file", seen.get(1));
    assertArrayEquals(words(3, 3), (byte[]) seen.get(2));
  }

  @Test
  void aFileThatIsCutGivesItsWholeRecordsAndThenTheFault() throws Exception {
    Path file = write(List.of(words(1, 1), words(2, 2)));
    byte[] whole = Files.readAllBytes(file);
    for (int length = 17; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      List<Object> seen = read(file);
      assertEquals(2, seen.size(), "cut at " + length);
      assertEquals(String.class, seen.get(1).getClass());
    }
  }

  @Test
  void imageHeadersAreThoseOfIm2rec() {
    ImageRecord one = new ImageRecord(new float[] {3}, 17, new byte[] {1, 2});
    ImageRecord read = ImageRecord.of(one.toBytes());
    assertArrayEquals(new float[] {3}, read.labels());
    assertEquals(17, read.id());
    assertArrayEquals(new byte[] {1, 2}, read.image());
    ImageRecord two = new ImageRecord(new float[] {1, 2, 3}, 5, new byte[] {9});
    assertArrayEquals(new float[] {1, 2, 3}, ImageRecord.of(two.toBytes()).labels());
    assertEquals(24 + 12 + 1, two.toBytes().length);
    assertEquals(null, ImageRecord.of(new byte[23]));
    byte[] lying = one.toBytes();
    lying[3] = 0x7f;
    assertEquals(null, ImageRecord.of(lying));
  }
}
