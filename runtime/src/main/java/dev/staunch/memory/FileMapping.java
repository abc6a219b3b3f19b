package dev.staunch.memory;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Part of a file in memory (M8), unmapped once its storage has no reference left. Pages are read
 * when first touched; if the file has been truncated by then, the JVM throws an {@code
 * InternalError} where the page is touched.
 */
final class FileMapping implements Source {
  private final MappedFiles files;
  private final Arena arena;
  private final long bytes;

  private FileMapping(MappedFiles files, Arena arena, long bytes) {
    this.files = files;
    this.arena = arena;
    this.bytes = bytes;
  }

  /** A {@link Storage} over the file's bytes, or a {@link Fault} that names the file. */
  static Object open(MappedFiles files, Path file, long offset, long length) {
    return attempt(
        file,
        offset,
        length,
        () -> {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return map(files, channel, file, offset, length);
          }
        });
  }

  /** As {@link #open}, for a file that is open for reading; the channel stays the caller's. */
  static Object of(MappedFiles files, FileChannel channel, Path file, long offset, long length) {
    return attempt(file, offset, length, () -> map(files, channel, file, offset, length));
  }

  private interface Mapping {
    Object map() throws IOException;
  }

  private static Object attempt(Path file, long offset, long length, Mapping mapping) {
    if (offset < 0 || length < 0) {
      return Fault.value(
          Message.of(
              "cannot map %d bytes of %s at %d: neither may be negative", length, file, offset));
    }
    if (offset % SizeClasses.ALIGNMENT != 0) {
      return Fault.value(
          Message.of(
              "cannot map %d bytes of %s at %d: the offset must be a multiple of %d; read the bytes into a tensor instead",
              length, file, offset, SizeClasses.ALIGNMENT));
    }
    try {
      return mapping.map();
    } catch (ClosedByInterruptException e) {
      return Fault.cancelled(CancelReason.USER, "mapping the file " + file + " was interrupted")
          .withInput(file.toString())
          .withCause(e);
    } catch (IOException e) {
      String why = Files.isDirectory(file) ? "it is a folder" : reason(e);
      return Fault.data(file.toString(), "cannot map the file " + file + ": " + why).withCause(e);
    } catch (UnsupportedOperationException e) {
      return Fault.unsupported(
              Message.of(
                  "cannot map the file %s: its file system has no mapped files; read the bytes into a tensor instead",
                  file))
          .withInput(file.toString())
          .withCause(e);
    } catch (OutOfMemoryError e) {
      return Fault.of(FaultType.OUT_OF_MEMORY, "there is no address space left to map " + file)
          .withCause(e);
    }
  }

  private static Fault tooShort(Path file, long size, long offset, long length) {
    String more =
        offset > size ? "none at " + offset : "should have " + (length - (size - offset)) + " more";
    return Fault.data(
            file.toString(),
            Message.of("the file %s is too short: it has %d bytes and %s", file, size, more))
        .withExpected(length + " bytes at " + offset, size + " bytes");
  }

  @SuppressWarnings("MustBeClosedChecker")
  private static Object map(
      MappedFiles files, FileChannel channel, Path file, long offset, long length)
      throws IOException {
    long size = channel.size();
    if (length > size - offset) {
      return tooShort(file, size, offset, length);
    }
    Arena arena = Arena.ofShared();
    boolean mapped = false;
    try {
      MemorySegment segment = channel.map(MapMode.READ_ONLY, offset, length, arena);
      files.count(length);
      mapped = true;
      return new Storage(segment, new FileMapping(files, arena, length), 0, null);
    } finally {
      if (!mapped) {
        arena.close();
      }
    }
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> "it does not exist";
      case AccessDeniedException denied -> "this process has no right to open it";
      default -> String.valueOf(e.getMessage());
    };
  }

  @Override
  public void giveBack(int generation) {
    files.count(-bytes);
    if (!Arenas.close(arena)) {
      files.closeLater(arena);
    }
  }
}
