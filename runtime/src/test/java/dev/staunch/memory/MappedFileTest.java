package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in memory: shared pages, no budget, unmapped with the last reference (M8). */
class MappedFileTest {
  private static final int SIZE = 1 << 20;

  @TempDir Path folder;
  private final OffHeap memory = OffHeap.withBudget(4096);
  private final ResourceScope scope = ResourceScope.open(memory, "model");

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    assertEquals(0, memory.account().bytes());
    assertEquals(0, memory.mappedBytes());
  }

  private Path file() throws IOException {
    byte[] bytes = new byte[SIZE];
    for (int i = 0; i < SIZE; i++) {
      bytes[i] = (byte) (i * 31);
    }
    return Files.write(folder.resolve("weights.bin"), bytes);
  }

  private static byte at(Storage storage, long index) {
    return storage.segment().get(ValueLayout.JAVA_BYTE, index);
  }

  private Storage map(Path file, long offset, long length) {
    return assertInstanceOf(Storage.class, scope.map(file, offset, length));
  }

  @Test
  void m8AnyMultipleOf64IsMappedAndAligned() throws IOException {
    Path file = file();
    for (long offset : List.of(0L, 64L, 4096L, 5056L, 65536L + 192)) {
      Storage storage = map(file, offset, 1000);
      assertEquals((byte) (offset * 31), at(storage, 0));
      assertEquals((byte) ((offset + 999) * 31), at(storage, 999));
      assertEquals(0, storage.segment().address() % 64);
      assertTrue(storage.isReadOnly());
      storage.release();
    }
  }

  @Test
  void m8MappedBytesAreShownApartAndCountInNoBudget() throws IOException {
    Storage storage = map(file(), 0, SIZE);
    assertEquals(SIZE, memory.mappedBytes());
    assertEquals(SIZE, memory.metrics().mappedBytes());
    assertEquals(0, memory.account().bytes());
    storage.release();
  }

  @Test
  void m8ATensorOverAMappingKeepsItUntilTheLastReferenceGoes() throws IOException {
    Storage storage = map(file(), 0, SIZE);
    DenseTensor weight =
        assertInstanceOf(
            DenseTensor.class,
            DenseTensor.over(scope, storage, Layout.contiguous(Shape.of(4, 8)), DType.UINT8));
    storage.release();
    assertTrue(weight.retain());
    weight.close();
    assertEquals(31, at(storage, 1), "still mapped while held");
    assertEquals(SIZE, memory.mappedBytes());
    weight.release();
    assertEquals(0, memory.mappedBytes());
    assertThrows(IllegalStateException.class, () -> at(storage, 1), "an error, not a crash");
  }

  @Test
  void m8MappedBytesCannotBeWritten() throws IOException {
    Path file = file();
    byte[] before = Files.readAllBytes(file);
    Storage shared = map(file, 0, 4096);
    assertThrows(
        IllegalArgumentException.class,
        () -> shared.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
    assertTrue(shared.isReadOnly());
    assertArrayEquals(before, Files.readAllBytes(file));
    shared.release();
  }

  @Test
  void m8TwoMappingsOfOneFileShareItsPages() throws IOException {
    assumeTrue(Files.isReadable(Path.of("/proc/self/smaps")));
    Path file = file();
    Storage first = map(file, 0, SIZE);
    Storage second = map(file, 0, SIZE);
    long sum = 0;
    for (int i = 0; i < SIZE; i += 512) {
      sum += at(first, i) + at(second, i);
    }
    assertEquals(0, sum % 2);
    long resident = 0;
    long proportional = 0;
    String mapping = "";
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        mapping = line;
      } else if (mapping.endsWith("weights.bin")) {
        resident += line.startsWith("Rss:") ? kibibytes(line) : 0;
        proportional += line.startsWith("Pss:") ? kibibytes(line) : 0;
      }
    }
    assertEquals(2 * SIZE / 1024, resident);
    assertEquals(SIZE / 1024, proportional, "each page counted once, though mapped twice");
    first.release();
    second.release();
  }

  private static long kibibytes(String line) {
    return Long.parseLong(line.replaceAll("\\D", ""));
  }

  @Test
  void m8APartKeepsTheWholeAndIsCopiedWhenItIsFirstWritten() throws IOException {
    Path file = file();
    Storage whole = map(file, 0, SIZE);
    Storage part = assertInstanceOf(Storage.class, scope.part(whole, 128, 64));
    Storage twin = assertInstanceOf(Storage.class, scope.part(whole, 128, 64));
    whole.release();
    assertEquals((byte) (128 * 31), at(part, 0));
    assertEquals(0, memory.account().bytes());
    assertEquals(null, part.makeWritable());
    part.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 7);
    assertEquals(null, part.makeWritable(), "once is enough");
    assertEquals(7, at(part, 0));
    assertEquals((byte) (129 * 31), at(part, 1), "the rest was copied");
    assertEquals((byte) (128 * 31), at(twin, 0), "nobody else sees it");
    assertEquals(64, memory.account().bytes(), "the copy is charged");
    part.release();
    assertEquals(0, memory.account().bytes());
    assertEquals(SIZE, memory.mappedBytes(), "the twin still keeps the whole");
    twin.release();
    assertEquals(0, memory.mappedBytes());
    assertEquals(FaultType.CLOSED, fault(scope.part(whole, 0, 64)).type());
  }

  @Test
  void m8WhatIsMappedForReadingAloneOrDoesNotFitTheBudgetIsNotWritten() throws IOException {
    Storage whole = map(file(), 0, SIZE);
    Fault alone = whole.makeWritable();
    assertTrue(alone != null && alone.message().contains("clone it"), String.valueOf(alone));
    Storage large = assertInstanceOf(Storage.class, scope.part(whole, 0, 8192));
    assertEquals(FaultType.OUT_OF_MEMORY, fault(large.makeWritable()).type());
    assertTrue(large.isReadOnly());
    for (long[] outside : new long[][] {{-64, 64}, {0, SIZE + 1}, {SIZE, 1}, {64, -1}}) {
      assertEquals(FaultType.VALUE, fault(scope.part(whole, outside[0], outside[1])).type());
    }
    large.release();
    whole.release();
  }

  /** M4, F1: if a lost page prevents a copy, the copy's bytes are given back. */
  @Test
  void m8APartOfAFileThatWasCutShortCannotBeWrittenAndCostsNothing() throws IOException {
    Path file = file();
    Storage whole = map(file, 0, SIZE);
    Storage part = assertInstanceOf(Storage.class, scope.part(whole, SIZE / 2, 64));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
    Fault lost = fault(part.makeWritable());
    assertEquals(FaultType.DATA_FORMAT, lost.type());
    assertTrue(part.isReadOnly());
    assertEquals(0, memory.account().bytes(), "M4");
    part.release();
    whole.release();
  }

  /** E4: the file remains usable. */
  @Test
  void m8AnInterruptedThreadMapsNothingAndIsInterruptedStill() throws IOException {
    Path file = file();
    Thread.currentThread().interrupt();
    Fault interrupted = fault(scope.map(file, 0, 64));
    assertTrue(Thread.interrupted());
    assertEquals(CancelReason.USER, interrupted.reason(), "E4");
    assertEquals("mapping the file " + file + " was interrupted", interrupted.message());
    assertEquals(file.toString(), interrupted.input());
    map(file, 0, 64).release();
  }

  /** M3: what was moved out of a scope outlives it. */
  @Test
  void m8APartIsCopiedAlsoAfterItsScope() throws IOException {
    Storage whole = map(file(), 0, SIZE);
    ResourceScope loading = ResourceScope.open(memory, "loading");
    Storage part = assertInstanceOf(Storage.class, loading.part(whole, 0, 64));
    loading.close();
    assertEquals(null, part.makeWritable());
    assertEquals(64, memory.account().bytes());
    part.release();
    whole.release();
  }

  private static Fault fault(@org.jspecify.annotations.Nullable Object outcome) {
    return assertInstanceOf(Fault.class, outcome);
  }

  @Test
  void m8AShortOrMissingFileIsAFaultThatNamesIt() throws IOException {
    Path file = file();
    Fault tooShort = assertInstanceOf(Fault.class, scope.map(file, 64, SIZE));
    assertEquals(FaultType.DATA_FORMAT, tooShort.type());
    assertEquals(file.toString(), tooShort.input());
    assertEquals(
        "the file " + file + " is too short: it has 1048576 bytes and should have 64 more",
        tooShort.message());
    Path gone = folder.resolve("gone.bin");
    Fault missing = assertInstanceOf(Fault.class, scope.map(gone, 0, 1));
    assertEquals("cannot map the file " + gone + ": it does not exist", missing.message());
    assertEquals(FaultType.DATA_FORMAT, missing.type());
    assertInstanceOf(Fault.class, scope.map(folder, 0, 1));
    assertInstanceOf(Fault.class, scope.map(file, Long.MAX_VALUE - 63, 64));
  }

  @Test
  void m8AnOffsetThatWouldBreakTheAlignmentIsAFaultWithAWayOut() throws IOException {
    Fault fault = assertInstanceOf(Fault.class, scope.map(file(), 100, 10));
    assertTrue(
        fault
            .message()
            .endsWith("the offset must be a multiple of 64; read the bytes into a tensor instead"),
        fault.message());
    assertInstanceOf(Fault.class, scope.map(file(), -64, 10));
    assertInstanceOf(Fault.class, scope.map(file(), 0, -1));
  }

  @Test
  void m8AnEmptyMappingIsPossible() throws IOException {
    Storage storage = map(file(), 0, 0);
    assertEquals(0, storage.byteSize());
    storage.release();
  }

  private Fault unmapped(Path file, long offset, long length) {
    return assertInstanceOf(Fault.class, scope.map(file, offset, length));
  }

  @Test
  void m8WhatIsWrongWithAMappingIsSaidAsItIs() throws IOException {
    Path file = file();
    assertEquals(
        "cannot map the file " + folder + ": it is a folder", unmapped(folder, 0, 1).message());
    assertEquals(
        "cannot map -1 bytes of " + file + " at 0: neither may be negative",
        unmapped(file, 0, -1).message());
    assertEquals(
        "cannot map 10 bytes of " + file + " at -64: neither may be negative",
        unmapped(file, -64, 10).message());
    Fault beyond = unmapped(file, Long.MAX_VALUE - 63, Long.MAX_VALUE);
    assertEquals(
        "the file " + file + " is too short: it has 1048576 bytes and none at 9223372036854775744",
        beyond.message());
    assertEquals("9223372036854775807 bytes at 9223372036854775744", beyond.expected());
  }

  @Test
  void m8AFileOfAnArchiveCannotBeMappedAndTheFaultSaysWhatCanBeDone() throws IOException {
    Path archive = folder.resolve("weights.zip");
    try (FileSystem files = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      Path inside = Files.write(files.getPath("/weights.bin"), new byte[SIZE]);
      Fault fault = unmapped(inside, 0, SIZE);
      assertEquals(FaultType.UNSUPPORTED, fault.type());
      assertEquals(
          "cannot map the file /weights.bin: its file system has no mapped files; read the bytes into"
              + " a tensor instead",
          fault.message());
    }
  }
}
