package dev.staunch.data.array;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.dataset.DataIterator;
import dev.staunch.data.dataset.Dataset;
import dev.staunch.data.dataset.LastBatch;
import dev.staunch.data.dataset.Session;
import dev.staunch.data.dataset.TensorBatch;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.ResourceScope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NumPy's files, read in parts. */
class NpzTest {
  private static final int HEADER = 128;

  private final Session session = new Session();
  @TempDir private Path folder;

  @AfterEach
  void nothingLeaks() {
    session.close();
  }

  /** The header of a file as NumPy writes it, 128 bytes. */
  private static byte[] header(String descr, boolean fortran, String shape) {
    String order = fortran ? "True" : "False";
    String text = "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape;
    byte[] padded = new byte[HEADER];
    Arrays.fill(padded, (byte) ' ');
    ByteBuffer.wrap(padded)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
        .putShort((short) (HEADER - 10))
        .put((text + ", }").getBytes(StandardCharsets.ISO_8859_1));
    padded[HEADER - 1] = '\n';
    return padded;
  }

  private static byte[] joined(byte[] front, byte[] rest) {
    byte[] both = Arrays.copyOf(front, front.length + rest.length);
    System.arraycopy(rest, 0, both, front.length, rest.length);
    return both;
  }

  /** Rows of two floats, {@code (i, i / 2)}. */
  private static byte[] floats(int rows, ByteOrder order) {
    ByteBuffer values = ByteBuffer.allocate(8 * rows).order(order);
    for (int i = 0; i < rows; i++) {
      values.putFloat(i).putFloat(i / 2f);
    }
    String descr = order == ByteOrder.BIG_ENDIAN ? ">f4" : "<f4";
    return joined(header(descr, false, "(" + rows + ", 2)"), values.array());
  }

  private static byte[] labels(int rows) {
    byte[] values = new byte[rows];
    for (int i = 0; i < rows; i++) {
      values[i] = (byte) (i % 10);
    }
    return joined(header("|u1", false, "(" + rows + ",)"), values);
  }

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  private Path archive(String name, boolean packed, byte[] x, byte[] y) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      put(zip, "x.npy", packed, x);
      put(zip, "y.npy", packed, y);
    }
    return write(name, bytes.toByteArray());
  }

  private static void put(ZipOutputStream zip, String name, boolean packed, byte[] content)
      throws IOException {
    ZipEntry entry = new ZipEntry(name);
    if (!packed) {
      CRC32 sum = new CRC32();
      sum.update(content);
      entry.setMethod(ZipEntry.STORED);
      entry.setSize(content.length);
      entry.setCrc(sum.getValue());
    }
    zip.putNextEntry(entry);
    zip.write(content);
    zip.closeEntry();
  }

  private Fault faultOf(Path file) {
    Session.Seen seen = session.all(Npz.of(file), 1);
    assertEquals(List.of(), seen.batches());
    return seen.faults().getFirst();
  }

  @Test
  void theRowsOfAnArrayAreExamplesInEitherOrderOfBytes() throws IOException {
    List<String> rows = List.of("[0.0, 0.0, 1.0, 0.5]", "[2.0, 1.0, 3.0, 1.5]");
    Path little = write("little.npy", floats(4, ByteOrder.LITTLE_ENDIAN));
    Path big = write("big.npy", floats(4, ByteOrder.BIG_ENDIAN));
    assertEquals(rows, session.all(Npz.of(little), 2).batches());
    assertEquals(rows, session.all(Npz.of(big), 2).batches());
  }

  @Test
  void theArraysOfAnArchiveAreFieldsPackedOrNot() throws IOException {
    byte[] x = floats(3000, ByteOrder.LITTLE_ENDIAN);
    Path plain = archive("plain.npz", false, x, labels(3000));
    Path packed = archive("packed.npz", true, x, labels(3000));
    List<String> batches = session.all(Npz.of(plain), 2).batches();
    assertEquals("[0.0, 0.0, 1.0, 0.5] | [0, 1]", batches.getFirst());
    assertEquals("[2998.0, 1499.0, 2999.0, 1499.5] | [8, 9]", batches.getLast());
    assertEquals(batches, session.all(Npz.of(packed), 2).batches());
    assertTrue(Npz.of(plain).isIndexed());
    assertFalse(Npz.of(packed).isIndexed());
  }

  @Test
  void aFileLargerThanTheMemoryIsReadPartByPart() throws IOException {
    long rows = (session.memory.account().budgetBytes() >> 20) + 40;
    Path file = write("large.npy", header("|u1", false, "(" + rows + ", 1048576)"));
    try (RandomAccessFile hole = new RandomAccessFile(file.toFile(), "rw")) {
      hole.setLength(HEADER + (rows << 20));
    }
    try (ResourceScope scope = ResourceScope.open(session.memory, "whole")) {
      assertThrows(
          StaunchException.OutOfMemoryException.class, () -> Npz.read(scope, file), "whole");
    }
    long read = 0;
    for (TensorBatch batch : session.open(Dataset.of(Npz.of(file)).withBatch(8))) {
      try (batch) {
        read += batch.examples() - batch.pad();
      }
    }
    assertEquals(rows, read);
  }

  /** The bytes that NumPy writes for {@code np.asfortranarray(np.arange(24).reshape(4, 3, 2))}. */
  @Test
  void anArrayInFortranOrderGivesTheSameRows() throws IOException {
    ByteBuffer rowMajor = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer columnMajor = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 2; k++) {
          rowMajor.putShort((short) (6 * i + 2 * j + k));
          columnMajor.putShort(2 * (i + 4 * (j + 3 * k)), (short) (6 * i + 2 * j + k));
        }
      }
    }
    Path rows = write("c.npy", joined(header("<i2", false, "(4, 3, 2)"), rowMajor.array()));
    byte[] turned = joined(header("<i2", true, "(4, 3, 2)"), columnMajor.array());
    assertEquals(
        session.all(Npz.of(rows), 1).batches(),
        session.all(Npz.of(write("f.npy", turned)), 1).batches());
    Fault cut = faultOf(write("cut.npy", Arrays.copyOf(turned, HEADER + 40)));
    assertEquals("cut.npy, byte 168", cut.input());
    assertEquals("cut.npy ends here, 8 bytes before the end of its 4 examples", cut.message());
  }

  @Test
  void rowsOfNothingMayHaveDimensionsThatNoIntCounts() throws IOException {
    byte[] header = header("<i2", true, "(2, 3000000000, 0)");
    assertEquals(List.of("[]", "[]"), session.all(Npz.of(write("none.npy", header)), 1).batches());
  }

  @Test
  void aFileThatIsCutGivesItsWholeRowsAndThenTheFault() throws IOException {
    byte[] whole = floats(9, ByteOrder.LITTLE_ENDIAN);
    Path file = write("x.npy", Arrays.copyOf(whole, HEADER + 21));
    Session.Seen seen = session.all(Npz.of(file), 1);
    assertEquals(List.of("[0.0, 0.0]", "[1.0, 0.5]"), seen.batches());
    assertEquals(List.of("x.npy, byte 149"), seen.places());
    assertEquals(
        "x.npy ends here, 51 bytes before the end of its 9 examples",
        seen.faults().getFirst().message());
  }

  @Test
  void aFileThatGoesOnIsToldAfterItsRows() throws IOException {
    Path file = write("x.npy", joined(floats(2, ByteOrder.LITTLE_ENDIAN), new byte[3]));
    Session.Seen seen = session.all(Npz.of(file), 1);
    assertEquals(2, seen.batches().size());
    assertEquals(List.of("x.npy, byte 144"), seen.places());
  }

  @Test
  void aByteOfAMemberThatWasChangedIsToldByItsChecksum() throws IOException {
    Path file = archive("x.npz", false, floats(50, ByteOrder.LITTLE_ENDIAN), labels(50));
    byte[] bytes = Files.readAllBytes(file);
    bytes[HEADER + 100] ^= 1;
    Files.write(file, bytes);
    Session.Seen seen = session.all(Npz.of(file), 1);
    assertEquals(50, seen.batches().size());
    assertEquals(List.of("x.npz/x.npy, byte 528"), seen.places());
    assertEquals(
        "the member is damaged behind 528 unpacked bytes: its checksum is wrong",
        seen.faults().getFirst().message());
  }

  @Test
  void aMemberWhosePackedBytesAreDamagedGivesTheRowsBefore() throws IOException {
    byte[] x = floats(20_000, ByteOrder.LITTLE_ENDIAN);
    Path file = archive("x.npz", true, x, labels(20_000));
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, 60_000, 60_100, (byte) 0xff);
    List<String> good = session.all(Npz.of(file), 1).batches();
    Files.write(file, bytes);
    Session.Seen seen = session.all(Npz.of(file), 1);
    int read = seen.batches().size();
    assertTrue(read > 5000 && read < 20_000, "read " + read);
    assertEquals(good.subList(0, read - 100), seen.batches().subList(0, read - 100));
    assertEquals(1, seen.faults().size());
    assertTrue(seen.places().getFirst().startsWith("x.npz/x.npy, byte "), seen.places().toString());
  }

  @Test
  void whatIsNoArrayOfRowsIsToldBeforeAnything() throws IOException {
    List<String> told = new ArrayList<>();
    List<String> places = new ArrayList<>();
    for (byte[] bytes :
        List.of(
            header("<f4", false, "()"),
            header("<c8", false, "(2,)"),
            header("<U3", false, "(2,)"),
            header("|u1", false, "(2, 99999999)"),
            Arrays.copyOf(labels(3), 50),
            "no".getBytes(StandardCharsets.US_ASCII))) {
      Fault fault = faultOf(write("x.npy", bytes));
      told.add(fault.message());
      places.add(String.valueOf(fault.input()));
    }
    assertEquals(
        List.of("x.npy", "x.npy", "x.npy", "x.npy, byte 128", "x.npy, byte 50", "x.npy, byte 0"),
        places);
    told.add(faultOf(write("x.npz", new byte[30])).message());
    told.add(
        faultOf(archive("y.npz", true, floats(3, ByteOrder.LITTLE_ENDIAN), labels(2))).message());
    assertEquals(
        List.of(
            "x.npy has no dimension that counts examples",
            "x.npy holds complex64; complex numbers are not read as examples",
            "elements of NumPy's dtype '<U3' are not supported; save the array with"
                + " `astype` as another",
            "the header of x.npy claims 99999999 bytes an example, more than the file has",
            "the file ends in its header",
            "this is no .npy file: it does not start with \\x93NUMPY",
            "x.npz is not an archive that can be read: zip END header not found",
            "y.npz/x.npy has 3 rows, but y.npz/y.npy has 2"),
        told);
  }

  @Test
  void aFileThatIsNotThereIsAFault() {
    for (String name : List.of("no.npy", "no.npz")) {
      Npz none = Npz.of(folder.resolve(name));
      Fault fault = Session.bad(session.open(Dataset.of(none).withShuffle(1)).next());
      assertEquals(name, fault.input());
      assertEquals(FaultType.DATA_FORMAT, fault.type());
    }
  }

  @Test
  void shuffledAndShardedOnAnyNumberOfDecodersTheRowsAreTheSame() throws IOException {
    byte[] x = floats(5000, ByteOrder.LITTLE_ENDIAN);
    Path plain = archive("plain.npz", false, x, labels(5000));
    Path packed = archive("packed.npz", true, x, labels(5000));
    for (Npz npz : List.of(Npz.of(plain), Npz.of(packed))) {
      Dataset dataset = Dataset.of(npz).withBatch(7).withLast(LastBatch.PAD_ZERO);
      List<String> inOrder = session.all(dataset.withBatch(1)).batches();
      for (Dataset each : List.of(dataset, dataset.withShuffle(3), dataset.withShard(1, 3))) {
        List<List<String>> one = epochs(each);
        assertEquals(one, epochs(each.withDecoders(2)));
        assertEquals(one, epochs(each.withDecoders(8)));
      }
      List<List<String>> shuffled = epochs(dataset.withBatch(1).withShuffle(3));
      assertNotEquals(shuffled.get(0), shuffled.get(1));
      assertEquals(new TreeSet<>(inOrder), new TreeSet<>(shuffled.get(1)));
    }
  }

  private List<List<String>> epochs(Dataset dataset) {
    List<List<String>> epochs = new ArrayList<>();
    try (DataIterator iterator = session.open(dataset)) {
      epochs.add(Session.rest(iterator));
      iterator.reset();
      epochs.add(Session.rest(iterator));
    }
    return epochs;
  }
}
