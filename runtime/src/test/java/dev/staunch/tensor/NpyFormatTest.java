package dev.staunch.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class NpyFormatTest {
  @TempDir private Path folder;
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private static List<String> goldens() throws IOException {
    try (InputStream in = NpyFormatTest.class.getResourceAsStream("npy-golden.txt");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8))) {
      return lines.lines().toList();
    }
  }

  private static byte[] hex(String text) {
    return text.equals("-") ? new byte[0] : HexFormat.of().parseHex(text);
  }

  @TestFactory
  Stream<DynamicTest> filesThatNumPyWroteAreRead() throws IOException {
    return goldens().stream()
        .map(line -> line.split(" ", -1))
        .map(words ->
            DynamicTest.dynamicTest(
                words[0] + " " + words[1],
                () -> {
                  try (ResourceScope own = ResourceScope.open(memory, "case")) {
                    check(own, words);
                  }
                  assertEquals(0, memory.account().bytes());
                }));
  }

  private void check(ResourceScope own, String[] words) throws IOException {
    Path file = folder.resolve("golden.npy");
    Files.write(file, hex(words[3]));
    if (words[0].equals("unsupported")) {
      Fault fault = assertInstanceOf(Fault.class, NpyFormat.read(own, file));
      assertEquals(FaultType.UNSUPPORTED, fault.type(), fault.message());
      assertTrue(fault.message().startsWith(file + ": elements of NumPy's dtype "));
      assertTrue(fault.message().contains(" are not supported; save "), fault.message());
      return;
    }
    DenseTensor tensor = assertInstanceOf(DenseTensor.class, NpyFormat.read(own, file));
    assertEquals(DType.valueOf(words[0].toUpperCase(Locale.ROOT)), tensor.dtype());
    long[] sizes =
        words[1].equals("-")
            ? new long[0]
            : Arrays.stream(words[1].split(",")).mapToLong(Long::parseLong).toArray();
    assertEquals(Shape.of(sizes), tensor.shape());
    assertArrayEquals(hex(words[2]), raw(tensor));
    ByteArrayInputStream stream = new ByteArrayInputStream(hex(words[3] + "ff"));
    Object streamed = NpyFormat.read(own, "stream", stream);
    assertArrayEquals(hex(words[2]), raw(assertInstanceOf(DenseTensor.class, streamed)));
    assertEquals(1, stream.available());
  }

  private static byte[] raw(DenseTensor tensor) {
    byte[] bytes = new byte[(int) tensor.elements() * tensor.dtype().bytes()];
    assertNull(HostTensors.copyTo(tensor, MemorySegment.ofArray(bytes)));
    return bytes;
  }

  @Test
  void whatIsWrittenIsWhatNumPyWrites() throws IOException {
    for (String line : goldens()) {
      String[] words = line.split(" ", -1);
      byte[] file = hex(words[3]);
      String header = new String(file, 0, file.length, StandardCharsets.ISO_8859_1);
      boolean plain =
          header.contains("'fortran_order': False") && !header.contains("'>") && file[6] == 1;
      if (!words[0].equals("unsupported") && plain) {
        Object read = NpyFormat.read(scope, "golden", MemorySegment.ofArray(file));
        DenseTensor tensor = assertInstanceOf(DenseTensor.class, read);
        byte[] written = new byte[(int) NpyFormat.size(tensor)];
        assertNull(NpyFormat.write(tensor, MemorySegment.ofArray(written)));
        assertArrayEquals(written, streamed(tensor));
        assertEquals(readable(file), readable(written), words[0]);
      }
    }
  }

  /** A file's text and elements; NumPy leaves more room in the header than it needs. */
  private static String readable(byte[] file) {
    int end = 10 + (file[8] & 0xff) + 256 * file[9];
    assertEquals(0, end % 64);
    return new String(file, 10, end - 10, StandardCharsets.ISO_8859_1).strip()
        + HexFormat.of().formatHex(file, end, file.length);
  }

  private static byte[] streamed(DenseTensor tensor) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertNull(NpyFormat.write(tensor, "stream", out));
    return out.toByteArray();
  }

  @Test
  void everyDTypeComesBackFromViewsToo() {
    for (DType dtype : DType.values()) {
      DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(70, 60));
      byte[] noise = new byte[70 * 60 * dtype.bytes()];
      new Random(5).nextBytes(noise);
      MemorySegment.copy(MemorySegment.ofArray(noise), 0, made.segment(), 0, noise.length);
      Layout part = new Layout(Shape.of(50, 30), new long[] {1, 120}, 7);
      DenseTensor view = (DenseTensor) made.view(scope, part);
      Path file = folder.resolve(dtype + ".npy");
      assertNull(NpyFormat.write(view, file));
      DenseTensor back = assertInstanceOf(DenseTensor.class, NpyFormat.read(scope, file));
      assertEquals(dtype, back.dtype());
      assertEquals(view.shape(), back.shape());
      assertArrayEquals(raw(view), raw(back), dtype.toString());
      assertFalse(Files.exists(folder.resolve(dtype + ".npy.part")));
    }
  }

  private byte[] small() {
    return streamed((DenseTensor) HostTensors.longs(scope, Shape.of(3), 1, 2, 3));
  }

  @Test
  void aCutFileIsADataFaultThatNamesFileAndByte() throws IOException {
    byte[] whole = small();
    for (int length = 0; length < whole.length; length++) {
      Path file = folder.resolve("cut.npy");
      Files.write(file, Arrays.copyOf(whole, length));
      Fault fault = assertInstanceOf(Fault.class, NpyFormat.read(scope, file), "" + length);
      assertEquals(FaultType.DATA_FORMAT, fault.type());
      assertEquals(file.toString(), fault.input());
      assertTrue(fault.message().startsWith(file + ", byte "), fault.message());
    }
    byte[] cut = Arrays.copyOf(whole, whole.length - 5);
    Fault fault =
        assertInstanceOf(
            Fault.class, NpyFormat.read(scope, "stream", new ByteArrayInputStream(cut)));
    assertEquals(
        "stream, byte 147: the file ends here, 5 bytes before the end of its elements",
        fault.message());
  }

  @Test
  void aSizeBeyondTheFileIsRefusedBeforeAnythingIsAllocated() {
    for (String shape :
        List.of(
            "(999999999999,)",
            "(9999999999, 9999999999)",
            "(0, 999999999999999999, 99)",
            "(99999999999999999999,)")) {
      Fault fault = read("{'descr': '<i8', 'fortran_order': False, 'shape': " + shape + ", }");
      assertEquals(FaultType.DATA_FORMAT, fault.type(), fault.message());
    }
  }

  @Test
  void aDamagedHeaderIsADataFaultAtItsByte() {
    Fault fault = read("{'descr': '<i8', 'fortran_order': Maybe, 'shape': (3,)}");
    assertEquals(
        "hostile, byte 44: the header has 'M' where True or False is expected", fault.message());
    for (String text :
        List.of(
            "",
            "{",
            "{}",
            "{'descr': '<i8'}",
            "{'descr': <i8, 'fortran_order': False, 'shape': (3,)}",
            "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), 'more': 1}",
            "{'descr': '<i8', 'fortran_order': False, 'shape': (-3,)}",
            "{'descr': '<i8', 'fortran_order': False, 'shape': (3}",
            "{'descr': '<i8', 'fortran_order': False, 'shape': 3}",
            "{'descr': '<i8' 'fortran_order': False, 'shape': (3,)}",
            "{'descr': '<i8', 'fortran_order': False, 'shape': (3,)} + 1")) {
      assertEquals(FaultType.DATA_FORMAT, read(text).type(), text);
    }
    assertEquals(
        FaultType.UNSUPPORTED, read("{'descr': '', 'fortran_order': False, 'shape': (3,)}").type());
  }

  private Fault read(String header) {
    byte[] text = header.getBytes(StandardCharsets.ISO_8859_1);
    byte[] file = Arrays.copyOf(small(), 10 + text.length + 24);
    file[8] = (byte) text.length;
    file[9] = 0;
    System.arraycopy(text, 0, file, 10, text.length);
    try (ResourceScope own = ResourceScope.open(OffHeap.withBudget(1 << 20), "hostile")) {
      Object read = NpyFormat.read(own, "hostile", MemorySegment.ofArray(file));
      assertEquals(0, own.account().peakBytes());
      return assertInstanceOf(Fault.class, read);
    }
  }

  @Test
  void noFlippedByteDoesMoreThanAFault() {
    byte[] whole = small();
    for (int at = 0; at < 128; at++) {
      for (int flip : new int[] {1, 2, 16, 64, 128, 255}) {
        byte[] damaged = whole.clone();
        damaged[at] ^= (byte) flip;
        Object read = NpyFormat.read(scope, "flipped", MemorySegment.ofArray(damaged));
        if (read instanceof Fault fault) {
          assertTrue(fault.type() != FaultType.INTERNAL);
        } else {
          assertInstanceOf(DenseTensor.class, read).close();
        }
      }
    }
  }

  @Test
  void anUnknownVersionIsUnsupported() {
    byte[] file = small();
    file[6] = 9;
    Fault fault =
        assertInstanceOf(Fault.class, NpyFormat.read(scope, "new", MemorySegment.ofArray(file)));
    assertEquals("new: version 9 of the .npy format is not supported", fault.message());
  }

  @Test
  void emptyAndSingleElementsOfEveryDTypeComeBack() {
    for (DType dtype : DType.values()) {
      for (Shape shape :
          List.of(Shape.SCALAR, Shape.of(0), Shape.of(2, 0, 3), Shape.of(1), Shape.of(1, 1))) {
        DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, dtype, shape);
        made.segment().fill((byte) 1);
        Path file = folder.resolve("small.npy");
        assertNull(NpyFormat.write(made, file));
        DenseTensor back = assertInstanceOf(DenseTensor.class, NpyFormat.read(scope, file));
        assertEquals(dtype + "" + shape, back.dtype() + "" + back.shape());
        assertArrayEquals(raw(made), raw(back));
      }
    }
  }

  private Fault unread(Path file) {
    Fault fault = assertInstanceOf(Fault.class, NpyFormat.read(scope, file));
    assertEquals(FaultType.DATA_FORMAT, fault.type());
    assertEquals(file.toString(), fault.input());
    assertEquals("a .npy file", fault.expected());
    assertFalse(fault.message().contains("Exception"), fault.message());
    return fault;
  }

  @Test
  void whatIsNoFileThatCanBeReadIsToldWithoutAnExceptionsName() throws IOException {
    Path missing = folder.resolve("missing.npy");
    Fault fault = unread(missing);
    assertEquals(missing + " cannot be read: there is no such file or folder", fault.message());
    assertInstanceOf(NoSuchFileException.class, fault.cause());
    assertEquals(folder + " cannot be read: it is a folder", unread(folder).message());
    Path closed = Files.write(folder.resolve("closed.npy"), small());
    assertTrue(closed.toFile().setReadable(false));
    if (!Files.isReadable(closed)) { // a user who may read every file gets no fault
      assertEquals(
          closed + " cannot be read: its permissions do not allow it", unread(closed).message());
    }
  }

  @Test
  void aPlaceThatCannotBeWrittenIsAFault() {
    DenseTensor one = (DenseTensor) HostTensors.longs(scope, Shape.of(1), 1);
    Path nowhere = folder.resolve("no/such/folder.npy");
    Fault fault = assertInstanceOf(Fault.class, NpyFormat.write(one, nowhere));
    assertEquals(nowhere + " cannot be written: there is no such file or folder", fault.message());
    Fault onFolder = assertInstanceOf(Fault.class, NpyFormat.write(one, folder));
    assertEquals(folder + " cannot be written: it is a folder", onFolder.message());
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no space left");
          }
        };
    Fault cut = assertInstanceOf(Fault.class, NpyFormat.write(one, "full", full));
    assertEquals("full cannot be written: the system says: no space left", cut.message());
    assertNotNull(NpyFormat.write(one, MemorySegment.ofArray(new byte[10])));
  }

  @Test
  void aSegmentThatCannotBeTouchedIsAFaultThatNamesIt() {
    DenseTensor one = (DenseTensor) HostTensors.longs(scope, Shape.of(1), 1);
    Arena arena = Arena.ofConfined();
    MemorySegment gone = arena.allocate(200);
    arena.close();
    Fault read = assertInstanceOf(Fault.class, NpyFormat.read(scope, "gone", gone));
    assertEquals(FaultType.CLOSED, read.type());
    assertEquals("the arena of the segment `bytes` is closed; read it before", read.message());
    Fault written = assertInstanceOf(Fault.class, NpyFormat.write(one, gone));
    assertEquals(FaultType.CLOSED, written.type());
    MemorySegment fixed = MemorySegment.ofArray(new byte[200]).asReadOnly();
    Fault refused = assertInstanceOf(Fault.class, NpyFormat.write(one, fixed));
    assertEquals(
        "the segment `target` is read-only; give one that may be written", refused.message());
  }

  /** Whatever is written can be read: NumPy itself supports no more dimensions. */
  @Test
  void moreDimensionsThanNumPyHasAreNotWritten() {
    long[] sizes = new long[65];
    Arrays.fill(sizes, 1);
    DenseTensor deep = (DenseTensor) HostTensors.longs(scope, Shape.of(sizes), 7);
    Path file = folder.resolve("deep.npy");
    Fault fault = assertInstanceOf(Fault.class, NpyFormat.write(deep, file));
    assertEquals(FaultType.UNSUPPORTED, fault.type());
    assertEquals(
        "a .npy file holds at most 64 dimensions, and the tensor has 65; reshape it before",
        fault.message());
    assertFalse(Files.exists(file));
    assertNotNull(NpyFormat.write(deep, MemorySegment.ofArray(new byte[1000])));
    assertNotNull(NpyFormat.write(deep, "stream", new ByteArrayOutputStream()));
    Shape most = Shape.of(Arrays.copyOf(sizes, 64));
    DenseTensor fits = (DenseTensor) HostTensors.longs(scope, most, 7);
    assertNull(NpyFormat.write(fits, file));
    DenseTensor back = assertInstanceOf(DenseTensor.class, NpyFormat.read(scope, file));
    assertEquals(most, back.shape());
  }

  /** E4: the file remains usable. */
  @Test
  void anInterruptedThreadReadsNothingAndIsInterruptedStill() throws IOException {
    Path file = Files.write(folder.resolve("whole.npy"), small());
    Thread.currentThread().interrupt();
    Fault fault = assertInstanceOf(Fault.class, NpyFormat.read(scope, file));
    assertTrue(Thread.interrupted());
    assertEquals(CancelReason.USER, fault.reason(), "E4");
    assertEquals("reading " + file + " was interrupted", fault.message());
    assertInstanceOf(DenseTensor.class, NpyFormat.read(scope, file));
  }

  /** M4: the tensor to be filled is freed at once, not with its scope. */
  @Test
  void aStreamThatFailsAmongTheElementsLeavesNoTensorBehind() {
    byte[] whole = small();
    long before = scope.account().bytes();
    InputStream failing =
        new SequenceInputStream(
            new ByteArrayInputStream(whole, 0, whole.length - 1),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("the line is dead");
              }

              @Override
              public int read(byte[] target, int offset, int length) throws IOException {
                return read();
              }
            });
    Fault fault = assertInstanceOf(Fault.class, NpyFormat.read(scope, "stream", failing));
    assertTrue(fault.message().contains("the line is dead"), fault.message());
    assertEquals(before, scope.account().bytes(), "M4");
  }
}
