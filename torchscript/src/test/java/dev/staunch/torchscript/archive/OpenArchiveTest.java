package dev.staunch.torchscript.archive;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.testkit.Conformance;
import dev.staunch.testkit.SmallArchive;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An archive that is open while its file changes (M8). */
class OpenArchiveTest {
  private static final String WEIGHT = "data/1";

  @TempDir private Path folder = Path.of("");
  private final CancelScope cancel = CancelScope.open();
  private Path file = Path.of("");
  private byte[] whole = {};

  @BeforeEach
  void write() throws IOException {
    whole = Files.readAllBytes(Conformance.torchscript().resolve("archives/wide_deep.pt"));
    file = Files.write(folder.resolve("open.pt"), whole);
  }

  private Archive open() {
    return Archive.open(file, Limits.standard(), cancel);
  }

  private static byte[] read(Archive archive) {
    byte[] bytes = new byte[(int) archive.size(WEIGHT)];
    archive.read(WEIGHT, MemorySegment.ofArray(bytes));
    return bytes;
  }

  private void cutTo(long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  private int placeOf(byte[] content) {
    for (int at = 0; ; at++) {
      if (Arrays.equals(whole, at, at + content.length, content, 0, content.length)) {
        return at;
      }
    }
  }

  @Test
  void aRecordThatTheFileNoLongerHasIsAFaultThatNamesTheFileAndItsSizes() throws IOException {
    try (Archive archive = open()) {
      assertTrue(read(archive).length > 0);
      cutTo(100);
      var thrown = assertThrows(StaunchException.DataFormatException.class, () -> read(archive));
      assertTrue(thrown.getMessage().contains("open.pt ends at byte "), thrown::getMessage);
      assertTrue(thrown.getMessage().contains(whole.length + " bytes"), thrown::getMessage);
    }
  }

  @Test
  void aRecordThatIsNotThereIsAFaultThatNamesTheFile() {
    try (Archive archive = open()) {
      var thrown =
          assertThrows(StaunchException.DataFormatException.class, () -> archive.text("absent"));
      assertEquals("open.pt has no record absent", thrown.fault().message());
    }
  }

  @Test
  void aPackedRecordThatTheFileNoLongerHasIsAFaultToo() throws IOException {
    Files.write(file, SmallArchive.of("class M(Module):\n  __parameters__ = []\n"));
    try (Archive archive = open()) {
      cutTo(0);
      assertThrows(
          StaunchException.DataFormatException.class, () -> archive.text("code/__torch__.py"));
    }
  }

  @Test
  void aRecordWhoseBytesWereChangedFailsItsChecksumCopiedOrMapped() throws IOException {
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (Archive archive = open();
        ResourceScope scope = ResourceScope.open(memory, "archive")) {
      int place = placeOf(read(archive));
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), place);
      }
      var thrown = assertThrows(StaunchException.DataFormatException.class, () -> read(archive));
      assertEquals(
          "record data/1 of open.pt is damaged: its checksum does not match; copy the archive anew",
          thrown.fault().message());
      assertThrows(StaunchException.DataFormatException.class, () -> archive.part(WEIGHT, scope));
    }
    assertEquals(0, memory.mappedBytes());
  }

  @Test
  void aFileThatWasReplacedByRenamingIsReadOnAndMappedAsItWas() throws IOException {
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (Archive archive = open();
        ResourceScope scope = ResourceScope.open(memory, "archive")) {
      byte[] before = read(archive);
      Path other = Files.write(folder.resolve("other"), new byte[whole.length]);
      Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
      assertArrayEquals(before, read(archive));
      Storage part = archive.part(WEIGHT, scope);
      assertNotNull(part);
      assertEquals(-1, part.segment().mismatch(MemorySegment.ofArray(before)));
      part.release();
    }
    assertEquals(0, memory.mappedBytes());
  }

  @Test
  void readingHeedsCancellationAndInterrupts() {
    try (Archive archive = open()) {
      Thread.currentThread().interrupt();
      var thrown = assertThrows(StaunchException.class, () -> read(archive));
      assertTrue(Thread.interrupted(), "the flag stays");
      assertEquals(FaultType.CANCELLED, thrown.fault().type());
    }
    try (Archive archive = open()) {
      cancel.cancel("enough");
      var thrown = assertThrows(StaunchException.class, () -> read(archive));
      assertEquals(FaultType.CANCELLED, thrown.fault().type());
    }
  }

  @Test
  void aWatchSeesWhatChangesTheFileInPlaceAndNothingElse() throws IOException {
    try (Archive archive = open()) {
      FileWatch watch = archive.watch();
      assertNotNull(watch);
      assertNull(watch.look());
      Path away = Files.move(file, folder.resolve("away"));
      assertNull(watch.look(), "no file of that name any more");
      Files.write(file, new byte[3]);
      assertNull(watch.look(), "another file of that name");
      Files.move(away, file, StandardCopyOption.REPLACE_EXISTING);
      assertNull(watch.look(), "the file is back");
      Files.setLastModifiedTime(file, FileTime.fromMillis(1));
      Fault change = watch.look();
      assertNotNull(change);
      assertEquals(FaultType.DATA_FORMAT, change.type());
      assertTrue(change.message().contains("was changed in place"), change::message);
      Files.delete(file);
      assertSame(change, watch.look(), "it stays");
    }
  }

  @Test
  void aWatchLooksOncePerSecondAtMostUnlessAChangeIsSuspected() throws IOException {
    try (Archive archive = open()) {
      FileWatch watch = archive.watch();
      assertNotNull(watch);
      assertNull(watch.look());
      Files.setLastModifiedTime(file, FileTime.fromMillis(1));
      watch.suspect();
      assertNotNull(watch.check());
    }
  }
}
