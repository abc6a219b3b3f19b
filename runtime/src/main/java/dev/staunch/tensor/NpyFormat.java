package dev.staunch.tensor;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.memory.ResourceScope;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * NumPy's .npy files, with one tensor each. Reads formats 1.0, 2.0 and 3.0, in both dimension
 * orders and both byte orders; writes 1.0, row-major and little-endian, which every NumPy version
 * reads.
 *
 * <p>Every dtype of Staunch survives a round trip; bfloat16, which NumPy lacks, is stored as two
 * raw bytes ({@code V2}). Other NumPy dtypes, including structures and objects, are an unsupported
 * fault. A damaged or truncated file is a data-format fault that names the file and the byte.
 * Nothing is allocated before the header has been checked, and never more than the file holds.
 *
 * <p>Source: the NumPy enhancement proposal 1 and {@code numpy.lib.format}.
 */
public final class NpyFormat {
  private static final int ALIGNMENT = 64;
  private static final int PREFIX = NpyHeader.MAGIC.length + 4;

  private NpyFormat() {}

  /**
   * The tensor in a file, owned by {@code scope}; or a fault. If the thread is interrupted, the
   * result is a fault and the interrupt flag stays set.
   */
  public static Object read(ResourceScope scope, Path file) {
    if (Files.isDirectory(file)) {
      return folder(file, "read");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return told(
          file.toString(), new NpyReader(file.toString(), channel, channel.size()).read(scope));
    } catch (IOException e) {
      return unreadable(file.toString(), e);
    }
  }

  /**
   * The tensor at the start of a stream, which stays open, positioned behind the tensor; or a
   * fault.
   */
  public static Object read(ResourceScope scope, String name, InputStream stream) {
    return readFrom(scope, name, Channels.newChannel(stream), Long.MAX_VALUE);
  }

  /**
   * The {@link NpyHeader} at the start of a stream, which stays open, positioned where the elements
   * begin; or a fault, whose {@linkplain Fault#input input}, but not its message, names the byte.
   */
  public static Object header(String name, InputStream stream) {
    try {
      return new NpyReader(name, Channels.newChannel(stream), Long.MAX_VALUE).header();
    } catch (IOException e) {
      return unreadable(name, e);
    }
  }

  /** The tensor at the start of {@code bytes}; or a fault. */
  public static Object read(ResourceScope scope, String name, MemorySegment bytes) {
    Fault untouchable = HostTensors.untouchable("bytes", bytes);
    return untouchable == null
        ? readFrom(scope, name, new SegmentChannel(bytes), bytes.byteSize())
        : untouchable;
  }

  private static Object readFrom(
      ResourceScope scope, String name, ReadableByteChannel channel, long size) {
    try {
      return told(name, new NpyReader(name, channel, size).read(scope));
    } catch (IOException e) {
      return unreadable(name, e);
    }
  }

  /**
   * Writes a file, or replaces an existing one; if that fails, the old file is still there.
   *
   * @return the fault, or null
   */
  public static @Nullable Fault write(DenseTensor tensor, Path file) {
    if (Files.isDirectory(file)) {
      return folder(file, "written");
    }
    Fault tooDeep = tooDeep(tensor);
    if (tooDeep != null) {
      return tooDeep;
    }
    Path target = file.toAbsolutePath();
    Path fresh = target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      try (OutputStream out = Files.newOutputStream(fresh, StandardOpenOption.CREATE_NEW)) {
        Fault closed = writeTo(tensor, out);
        if (closed != null) {
          return closed;
        }
      }
      Files.move(fresh, target, StandardCopyOption.REPLACE_EXISTING);
      return null;
    } catch (IOException e) {
      return unwritten(file.toString(), e);
    } finally {
      deleteIfLeft(fresh);
    }
  }

  private static void deleteIfLeft(Path fresh) {
    try {
      Files.deleteIfExists(fresh);
    } catch (IOException e) {
      // the reason why the file could not be written is more useful
    }
  }

  /** Writes to a stream, which stays open. @return the fault, or null */
  public static @Nullable Fault write(DenseTensor tensor, String name, OutputStream out) {
    Fault tooDeep = tooDeep(tensor);
    if (tooDeep != null) {
      return tooDeep;
    }
    try {
      return writeTo(tensor, out);
    } catch (IOException e) {
      return unwritten(name, e);
    }
  }

  /** The bytes that {@link #write(DenseTensor, MemorySegment)} needs. */
  public static long size(DenseTensor tensor) {
    return header(tensor).length + tensor.elements() * tensor.dtype().bytes();
  }

  /**
   * Writes to the start of {@code target}.
   *
   * @return the fault if it is too small or may not be written, or null
   */
  public static @Nullable Fault write(DenseTensor tensor, MemorySegment target) {
    Fault unwritable = HostTensors.unwritable(target);
    Fault hindrance = unwritable == null ? tooDeep(tensor) : unwritable;
    if (hindrance != null) {
      return hindrance;
    }
    byte[] header = header(tensor);
    if (target.byteSize() < size(tensor)) {
      return Fault.shape("the target of " + target.byteSize() + " bytes is too small for the file")
          .withExpected(size(tensor) + " bytes", target.byteSize() + " bytes");
    }
    MemorySegment.copy(MemorySegment.ofArray(header), 0, target, 0, header.length);
    return HostTensors.copyTo(tensor, target.asSlice(header.length));
  }

  private static @Nullable Fault tooDeep(DenseTensor tensor) {
    String text =
        "a .npy file holds at most %d dimensions, and the tensor has %d; reshape it before";
    return tensor.rank() <= NpyHeader.MOST_DIMENSIONS
        ? null
        : Fault.unsupported(Message.of(text, NpyHeader.MOST_DIMENSIONS, tensor.rank()));
  }

  /** Writes everything; or writes nothing and returns the fault of a closed tensor. */
  private static @Nullable Fault writeTo(DenseTensor tensor, OutputStream out) throws IOException {
    if (!tensor.storage().retain()) {
      return tensor.closedFault();
    }
    try {
      writeOpen(tensor, out);
      return null;
    } finally {
      tensor.release();
    }
  }

  private static void writeOpen(DenseTensor tensor, OutputStream out) throws IOException {
    out.write(header(tensor));
    int width = tensor.dtype().bytes();
    byte[] tile = new byte[1 << 13];
    MemorySegment raw = MemorySegment.ofArray(tile);
    if (tensor.isContiguous()) {
      long from = tensor.layout().offset() * width;
      long bytes = tensor.elements() * width;
      for (long done = 0; done < bytes; done += tile.length) {
        int count = (int) Math.min(tile.length, bytes - done);
        MemorySegment.copy(tensor.segment(), from + done, raw, 0, count);
        out.write(tile, 0, count);
      }
      return;
    }
    int filled = 0;
    for (long position : Elements.positions(tensor.layout())) {
      MemorySegment.copy(tensor.segment(), position * width, raw, filled, width);
      filled += width;
      if (filled == tile.length) {
        out.write(tile);
        filled = 0;
      }
    }
    out.write(tile, 0, filled);
  }

  /** The prefix and the dictionary, padded so that the elements start aligned. */
  private static byte[] header(DenseTensor tensor) {
    String text = NpyHeader.text(tensor.dtype(), tensor.shape());
    int length = (PREFIX + text.length() + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - PREFIX;
    String padded = text + " ".repeat(length - text.length() - 1) + "\n";
    byte[] header = new byte[PREFIX + length];
    System.arraycopy(NpyHeader.MAGIC, 0, header, 0, NpyHeader.MAGIC.length);
    header[NpyHeader.MAGIC.length] = 1;
    header[PREFIX - 2] = (byte) length;
    header[PREFIX - 1] = (byte) (length >>> 8);
    System.arraycopy(
        padded.getBytes(StandardCharsets.ISO_8859_1), 0, header, PREFIX, padded.length());
    return header;
  }

  private static Fault folder(Path file, String what) {
    return Fault.data(file.toString(), file + " cannot be " + what + ": it is a folder")
        .withExpected("a .npy file", "a folder");
  }

  /** Puts the place of a file's fault into the message, since many readers see only that. */
  private static Object told(String name, Object read) {
    return read instanceof Fault fault && fault.input() != null
        ? fault.withMessage(fault.input() + ": " + fault.message()).withInput(name)
        : read;
  }

  private static Fault unreadable(String name, IOException e) {
    if (e instanceof ClosedByInterruptException) {
      return Fault.cancelled(CancelReason.USER, "reading " + name + " was interrupted")
          .withInput(name)
          .withCause(e);
    }
    String why = reason(e);
    return Fault.data(name, name + " cannot be read: " + why)
        .withExpected("a .npy file", why)
        .withCause(e);
  }

  private static Fault unwritten(String name, IOException e) {
    return Fault.data(name, name + " cannot be written: " + reason(e)).withCause(e);
  }

  /** The reason in words, because the JDK's messages repeat the file's name or say nothing. */
  private static String reason(IOException e) {
    String text = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
    if (e instanceof NoSuchFileException) {
      return "there is no such file or folder";
    }
    if (e instanceof AccessDeniedException) {
      return "its permissions do not allow it";
    }
    return text == null ? "the system gives no reason" : "the system says: " + text;
  }
}
