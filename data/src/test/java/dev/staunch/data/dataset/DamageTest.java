package dev.staunch.data.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.array.Idx;
import dev.staunch.data.array.Npz;
import dev.staunch.data.record.RecordReader;
import dev.staunch.data.record.RecordWriter;
import dev.staunch.data.row.Examples;
import dev.staunch.data.row.Field;
import dev.staunch.data.text.Csv;
import dev.staunch.data.text.LibSvm;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.type.DType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files damaged in many ways. Whatever the damage is, all examples before it arrive and equal those
 * of the whole file. Every fault is a data fault that names the file and the row of its byte. The
 * result does not depend on the number of decoders. The end arrives, and no bytes stay allocated.
 *
 * <p>{@code -Ddamage.cases=10000} runs all cases; {@code -Ddamage.cases=1 -Ddamage.seed=N} repeats
 * one.
 */
class DamageTest {
  private static final int ROWS = 60;
  private static final int CASES =
      Integer.getInteger("damage.cases", Boolean.getBoolean("tests.whole") ? 400 : 150);
  private static final Pattern ROW_AND_BYTE = Pattern.compile("row (\\d+).* byte (\\d+)");

  /** The kind of file and how it is read. */
  private enum Kind {
    CSV("d.csv"),
    QUOTED("q.csv"),
    PACKED("p.csv.gz"),
    LIBSVM("d.t"),
    IDX("images"),
    NPY("d.npy"),
    NPZ("d.npz"),
    RECORDS("d.rec");

    final String file;

    Kind(String file) {
      this.file = file;
    }

    boolean isText() {
      return this == CSV || this == QUOTED || this == LIBSVM;
    }

    Examples examples(Path path) {
      return switch (this) {
        case CSV, QUOTED, PACKED -> Csv.of(path).with("data", DType.FLOAT32, 3);
        case LIBSVM -> LibSvm.of(8, path);
        case IDX -> Idx.of(path);
        case NPY, NPZ -> Npz.of(path);
        case RECORDS -> records(path);
      };
    }
  }

  @TempDir private Path folder;
  private final Map<Kind, byte[]> whole = new EnumMap<>(Kind.class);
  private final Map<Kind, List<String>> rows = new EnumMap<>(Kind.class);

  /** A user's own source over raw records of four bytes. */
  private static Examples records(Path path) {
    return Examples.of(
        "d.rec",
        List.of(Field.of("data", DType.UINT8, 4)),
        () -> {
          RecordReader reader;
          try {
            reader = RecordReader.open(path);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return row -> {
            RecordReader.Entry entry = reader.next();
            if (entry == null) {
              reader.close();
              return false;
            }
            Fault fault = entry.fault();
            if (fault != null) {
              row.fail(fault);
            } else if (entry.bytes().length != 4) {
              row.fail(Fault.data("d.rec, byte " + entry.offset(), "a record of another size"));
            } else {
              for (byte each : entry.bytes()) {
                row.put(0, (long) each);
              }
            }
            return true;
          };
        });
  }

  @BeforeEach
  void wholeFiles() throws IOException {
    StringBuilder csv = new StringBuilder();
    StringBuilder quoted = new StringBuilder();
    StringBuilder svm = new StringBuilder();
    ByteBuffer idx = ByteBuffer.allocate(12 + 5 * ROWS).putInt(0x802).putInt(ROWS).putInt(5);
    Path rec = folder.resolve(Kind.RECORDS.file);
    try (RecordWriter writer = RecordWriter.open(rec)) {
      for (int i = 0; i < ROWS; i++) {
        csv.append(i).append(',').append(i * 0.37f).append(',').append(-i * 1e-3).append('\n');
        quoted.append('"').append(i).append("\",").append(i * 0.5).append(",\"1\"\r\n");
        svm.append(i % 2).append(" 0:").append(i).append(" 5:").append(i * 0.25).append('\n');
        idx.put(new byte[] {(byte) i, 1, 2, 3, 4});
        writer.write(i, new byte[] {(byte) i, 9, 8, 7});
      }
    }
    whole.put(Kind.CSV, ascii(csv));
    whole.put(Kind.QUOTED, ascii(quoted));
    whole.put(Kind.PACKED, packed(ascii(csv)));
    whole.put(Kind.LIBSVM, ascii(svm));
    whole.put(Kind.IDX, idx.array());
    whole.put(Kind.NPY, npy());
    whole.put(Kind.NPZ, npz(npy()));
    whole.put(Kind.RECORDS, Files.readAllBytes(rec));
    for (Kind kind : Kind.values()) {
      Path path = Files.write(folder.resolve(kind.file), whole.get(kind));
      try (Session session = new Session()) {
        Session.Seen seen = session.all(kind.examples(path), 1);
        assertEquals(ROWS, seen.batches().size(), kind.name());
        assertEquals(List.of(), seen.faults());
        rows.put(kind, seen.batches());
      }
    }
  }

  private static byte[] ascii(CharSequence text) {
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] packed(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] npy() {
    String header = "{'descr': '<i4', 'fortran_order': False, 'shape': (60, 3), }";
    ByteBuffer npy = ByteBuffer.allocate(128 + 12 * ROWS).order(ByteOrder.LITTLE_ENDIAN);
    npy.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) 118);
    npy.put(ascii(header)).put(ascii(" ".repeat(117 - header.length()) + "\n"));
    for (int i = 0; i < ROWS; i++) {
      npy.putInt(i).putInt(-i).putInt(1000 * i);
    }
    return npy.array();
  }

  private static byte[] npz(byte[] npy) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("x.npy"));
      zip.write(npy);
    }
    return out.toByteArray();
  }

  @Test
  void whateverWasDoneToAFileItsGoodFrontComesAndThenTheFault() throws IOException {
    long seed = Long.getLong("damage.seed", 1);
    for (int i = 0; i < CASES; i++) {
      long one = CASES == 1 ? seed : seed + i;
      try {
        assertCase(new Random(one));
      } catch (AssertionError e) {
        throw new AssertionError("-Ddamage.cases=1 -Ddamage.seed=" + one, e);
      }
    }
  }

  private void assertCase(Random random) throws IOException {
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    byte[] good = whole.get(kind);
    int at = random.nextInt(good.length);
    byte[] damaged = damaged(good, at, random);
    Path path = Files.write(folder.resolve(kind.file), damaged);
    Session.Seen seen = seen(kind, path, 1);
    assertEquals(seen.toString(), seen(kind, path, 1 + random.nextInt(3)).toString());
    int front = front(kind, good, at);
    assertTrue(seen.batches().size() >= front, () -> "only " + seen.batches().size());
    assertEquals(rows.get(kind).subList(0, front), seen.batches().subList(0, front));
    for (Fault fault : seen.faults()) {
      boolean typed = kind == Kind.NPY || kind == Kind.NPZ; // the header may name any dtype
      if (!typed || fault.type() != FaultType.UNSUPPORTED) {
        assertEquals(FaultType.DATA_FORMAT, fault.type(), fault::toString);
      }
      assertTrue(String.valueOf(fault.input()).startsWith(kind.file), fault.input());
      assertFalse(fault.message().isBlank());
      if (kind.isText()) {
        assertRow(damaged, fault);
      }
    }
  }

  private Session.Seen seen(Kind kind, Path path, int decoders) {
    try (Session session = new Session()) {
      Dataset dataset = Dataset.of(kind.examples(path)).withLast(LastBatch.DISCARD);
      return session.all(dataset.withDecoders(decoders));
    }
  }

  /** Checks that the row of a fault is the row of its byte. */
  private static void assertRow(byte[] bytes, Fault fault) {
    Matcher place = ROW_AND_BYTE.matcher(String.valueOf(fault.input()));
    if (place.find()) {
      int at = Integer.parseInt(place.group(2));
      int row = 1;
      for (int i = 0; i < at; i++) {
        boolean carriage = bytes[i] == '\r' && (i + 1 == bytes.length || bytes[i + 1] != '\n');
        row += bytes[i] == '\n' || carriage ? 1 : 0;
      }
      assertEquals(row, Integer.parseInt(place.group(1)), fault.input());
    }
  }

  /** The number of examples that end before byte {@code at}. */
  private static int front(Kind kind, byte[] good, int at) {
    return switch (kind) {
      case CSV, QUOTED, LIBSVM -> {
        int lines = 0;
        for (int i = 0; i < at; i++) {
          lines += good[i] == '\n' ? 1 : 0;
        }
        yield lines;
      }
      case IDX -> Math.max(0, (at - 12) / 5);
      case NPY -> Math.max(0, (at - 128) / 12);
      case RECORDS -> at / 12;
      case PACKED, NPZ -> 0; // there is no telling how much of it can be unpacked
    };
  }

  private static byte[] damaged(byte[] good, int at, Random random) {
    byte[] bytes = good.clone();
    switch (random.nextInt(7)) {
      case 0 -> bytes = Arrays.copyOf(good, at);
      case 1 -> {
        for (int i = at; i < Math.min(bytes.length, at + 1 + random.nextInt(4)); i++) {
          bytes[i] = (byte) random.nextInt(256);
        }
      }
      case 2 -> bytes[at] = '"';
      case 3 -> bytes = with(good, at, ascii("7".repeat(1 + random.nextInt(3000))));
      case 4 -> bytes = with(good, at, ascii(random.nextBoolean() ? "\n" : ",,x\r"));
      case 5 -> bytes = without(good, at, Math.min(good.length, at + 1 + random.nextInt(40)));
      default -> bytes = with(good, at, Arrays.copyOfRange(good, 0, random.nextInt(good.length)));
    }
    return bytes;
  }

  private static byte[] with(byte[] bytes, int at, byte[] more) {
    return ByteBuffer.allocate(bytes.length + more.length)
        .put(bytes, 0, at)
        .put(more)
        .put(bytes, at, bytes.length - at)
        .array();
  }

  private static byte[] without(byte[] bytes, int from, int to) {
    return ByteBuffer.allocate(bytes.length - to + from)
        .put(bytes, 0, from)
        .put(bytes, to, bytes.length - to)
        .array();
  }
}
