package dev.staunch.data.decode;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one file from front to end, decompressed if its name ends in {@code .gz}, or of a
 * member of a zip archive. An interrupt ends a read of a file, as it does for the channel. Not
 * thread-safe.
 */
public final class ByteInput implements AutoCloseable {
  private static final int UNPACK_BYTES = 1 << 16;
  private static final String FILE = "file";
  private static final long MOST_PASSED = 1 << 20;

  /** Opens the underlying stream at its front; called again to go back. */
  private interface Front {
    InputStream open() throws IOException;
  }

  private final String name;
  private final String stream;
  private final long fileSize;
  private final Front front;
  private final @Nullable FileChannel plain;
  private final Closeable owner;
  private final long checksum;
  private InputStream bytes;
  private @Nullable CRC32 sum;
  private long at;
  private long bytesRead;
  private @Nullable IOException damage;

  /** An uncompressed file. */
  private ByteInput(String name, FileChannel channel) throws IOException {
    this.name = name;
    this.stream = FILE;
    this.fileSize = channel.size();
    this.plain = channel;
    this.front = () -> Channels.newInputStream(channel);
    this.owner = channel;
    this.checksum = -1;
    this.bytes = front.open();
  }

  /**
   * A sequential stream.
   *
   * @param stream its name in messages
   * @param owner closed together with this
   * @param checksum of all its bytes (CRC-32); -1 if it is not known, or if the stream checks it
   *     itself
   */
  private ByteInput(
      String name, String stream, long fileSize, Front front, Closeable owner, long checksum)
      throws IOException {
    this.name = name;
    this.stream = stream;
    this.fileSize = fileSize;
    this.plain = null;
    this.front = front;
    this.owner = owner;
    this.checksum = checksum;
    this.sum = checksum < 0 ? null : new CRC32();
    this.bytes = opened(name, stream, front);
  }

  private static InputStream opened(String name, String stream, Front front) throws IOException {
    try {
      return front.open();
    } catch (EOFException | ZipException e) {
      throw damaged(name, stream, 0, e).toException();
    }
  }

  /**
   * Opens a file.
   *
   * @throws dev.staunch.fault.StaunchException.DataFormatException if there is no such file, or it
   *     cannot be read
   */
  public static ByteInput open(Path file) throws IOException {
    String name = name(file);
    if (Files.isDirectory(file)) {
      throw Fault.data(name, file + " is a folder, not a file").toException();
    }
    try {
      return isPacked(file)
          ? new ByteInput(
              name, "gzip stream", Files.size(file), () -> unpacking(file), () -> {}, -1)
          : new ByteInput(name, FileChannel.open(file, StandardOpenOption.READ));
    } catch (NoSuchFileException e) {
      throw Fault.data(name, file + " cannot be read: there is no such file").toException();
    } catch (AccessDeniedException e) {
      throw Fault.data(name, file + " cannot be read: its permissions do not allow it")
          .toException();
    }
  }

  private static InputStream unpacking(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      return new GZIPInputStream(Channels.newInputStream(channel), UNPACK_BYTES);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Opens a member of an archive; closing it closes the archive. If it is read whole, from front to
   * end, its checksum is verified.
   *
   * @param archiveName the archive's name in messages
   */
  public static ByteInput member(ZipFile archive, String archiveName, ZipEntry member)
      throws IOException {
    return new ByteInput(
        archiveName + "/" + member.getName(),
        "member",
        member.getCompressedSize(),
        () -> archive.getInputStream(member),
        archive,
        member.getCrc());
  }

  /** Bytes on the heap, presented as a file. */
  public static ByteInput of(String name, byte[] content) throws IOException {
    Front front = () -> new ByteArrayInputStream(content);
    return new ByteInput(name, "array", content.length, front, () -> {}, -1);
  }

  /** Whether a file is compressed, by its name. */
  public static boolean isPacked(Path file) {
    return file.toString().endsWith(".gz");
  }

  /** The name of a file in messages. */
  public static String name(Path file) {
    Path last = file.getFileName();
    return last == null ? file.toString() : last.toString();
  }

  public String name() {
    return name;
  }

  /** The position of the next byte, counted in decompressed bytes. */
  public long position() {
    return at;
  }

  /** How many bytes were read, decompressed; skipped bytes do not count. */
  public long bytesRead() {
    return bytesRead;
  }

  /** The size of the file as stored. */
  public long fileSize() {
    return fileSize;
  }

  /** Whether reaching a byte requires reading all bytes before it. */
  public boolean packed() {
    return plain == null;
  }

  /**
   * Reads until {@code length} bytes have been read or the input ends.
   *
   * @return how many were read; fewer than requested at the end, or at {@link #damage}
   */
  public int read(byte[] target, int offset, int length) throws IOException, InterruptedException {
    int done = 0;
    try {
      while (done < length && damage == null) {
        int count = some(target, offset + done, length - done);
        if (count < 0) {
          compareEnd();
          break;
        }
        if (sum != null) {
          sum.update(target, offset + done, count);
        }
        done += count;
        at += count;
        bytesRead += count;
      }
    } catch (ClosedByInterruptException e) {
      throw interrupted(e);
    } catch (EOFException | ZipException e) {
      damage = e;
    }
    return done;
  }

  /**
   * Goes to a byte. In an uncompressed file this is immediate; otherwise everything up to the byte
   * is decompressed, from the front if the byte lies further back. After the end, or {@link
   * #damage}, nothing more is read.
   */
  public void seek(long offset) throws IOException, InterruptedException {
    if (plain != null) {
      plain.position(offset);
      at = offset;
      damage = null;
      return;
    }
    sum = null;
    try {
      if (offset < at) {
        bytes.close();
        bytes = front.open();
        damage = null;
        at = 0;
      }
      pass(offset);
    } catch (ClosedByInterruptException e) {
      throw interrupted(e);
    } catch (EOFException | ZipException e) {
      damage = e;
    }
  }

  private void pass(long offset) throws IOException, InterruptedException {
    while (at < offset && damage == null) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the read was interrupted");
      }
      long passed = bytes.skip(Math.min(offset - at, MOST_PASSED));
      if (passed == 0) {
        if (bytes.read() < 0) {
          return;
        }
        passed = 1;
      }
      at += passed;
    }
  }

  /** Checks, at the end of the input, that it was complete. */
  private void compareEnd() {
    if (plain != null && at < fileSize) {
      damage = new EOFException("it was cut short while it was read");
    }
    if (sum != null && sum.getValue() != checksum) {
      damage = new ZipException("its checksum is wrong");
    }
  }

  /**
   * The fault if the file was truncated after it was opened, or if a compressed file ended early or
   * turned out to be damaged; otherwise null.
   */
  public @Nullable Fault damage() {
    return damage == null ? null : damaged(name, stream, at, damage);
  }

  private static InterruptedException interrupted(IOException e) {
    Thread.interrupted();
    InterruptedException told = new InterruptedException("the read was interrupted");
    told.initCause(e);
    return told;
  }

  private int some(byte[] target, int offset, int length) throws IOException {
    return plain == null
        ? bytes.read(target, offset, length)
        : plain.read(ByteBuffer.wrap(target, offset, length));
  }

  /** The fault for a file that is truncated or damaged after its first {@code good} bytes. */
  private static Fault damaged(String name, String stream, long good, IOException e) {
    boolean cut = e instanceof EOFException;
    String text =
        stream.equals(FILE)
            ? "the %s ends early, behind %d bytes: %s"
            : cut
                ? "the %s ends early, behind %d unpacked bytes"
                : "the %s is damaged behind %d unpacked bytes: %s";
    return Place.at(name, good)
        .fault(
            Message.of(text, stream, good, e.getMessage()),
            "a whole " + stream,
            cut ? "its front" : "damage")
        .withCause(e);
  }

  @Override
  public void close() throws IOException {
    try {
      bytes.close();
    } finally {
      owner.close();
    }
  }
}
