package dev.staunch.data.decode;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
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
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one file from front to end, unpacked if its name ends in {@code .gz}. An interrupt
 * ends a read, as the channel's. Not thread-safe.
 */
public final class ByteInput implements AutoCloseable {
  private static final int UNPACK_BYTES = 1 << 16;

  private final String name;
  private final FileChannel channel;
  private final boolean packed;
  private final InputStream unpacked;
  private long at;
  private @Nullable IOException damage;

  private ByteInput(Path file, FileChannel channel) throws IOException {
    this.name = name(file);
    this.channel = channel;
    this.packed = isPacked(file);
    InputStream plain = Channels.newInputStream(channel);
    this.unpacked = packed ? new GZIPInputStream(plain, UNPACK_BYTES) : plain;
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
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      try {
        return new ByteInput(file, channel);
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    } catch (NoSuchFileException e) {
      throw Fault.data(name, file + " cannot be read: there is no such file")
          .withCause(e)
          .toException();
    } catch (AccessDeniedException e) {
      throw Fault.data(name, file + " cannot be read: its permissions do not allow it")
          .withCause(e)
          .toException();
    } catch (EOFException | ZipException e) {
      throw damaged(name, 0, e).toException();
    }
  }

  /** Whether a file is packed, by its name. */
  public static boolean isPacked(Path file) {
    return file.toString().endsWith(".gz");
  }

  /** How messages name a file. */
  public static String name(Path file) {
    Path last = file.getFileName();
    return last == null ? file.toString() : last.toString();
  }

  public String name() {
    return name;
  }

  /** How many bytes were read, unpacked. */
  public long position() {
    return at;
  }

  /** The size of the file as it lies there. */
  public long fileSize() throws IOException {
    return channel.size();
  }

  public boolean packed() {
    return packed;
  }

  /**
   * Reads until {@code length} bytes are there or the input ends.
   *
   * @return how many were read; fewer than asked for at the end, or at {@link #damage}
   */
  public int read(byte[] target, int offset, int length) throws IOException, InterruptedException {
    int done = 0;
    try {
      while (done < length && damage == null) {
        int count = some(target, offset + done, length - done);
        if (count < 0) {
          break;
        }
        done += count;
        at += count;
      }
    } catch (ClosedByInterruptException e) {
      throw interrupted(e);
    } catch (EOFException | ZipException e) {
      damage = e;
    }
    return done;
  }

  /** The fault of a packed file that ended early or turned out damaged, if it did; or null. */
  public @Nullable Fault damage() {
    return damage == null ? null : damaged(name, at, damage);
  }

  private static InterruptedException interrupted(IOException e) {
    Thread.interrupted();
    InterruptedException told = new InterruptedException("the read was interrupted");
    told.initCause(e);
    return told;
  }

  private int some(byte[] target, int offset, int length) throws IOException {
    return packed
        ? unpacked.read(target, offset, length)
        : channel.read(ByteBuffer.wrap(target, offset, length));
  }

  /** Goes to a byte of a file that is not packed. */
  public void seek(long offset) throws IOException {
    channel.position(offset);
    at = offset;
  }

  /** The fault of a packed file that is cut or damaged behind its first {@code good} bytes. */
  private static Fault damaged(String name, long good, IOException e) {
    boolean cut = e instanceof EOFException;
    String text =
        cut
            ? "the gzip stream ends early, behind %d unpacked bytes"
            : "the gzip stream is damaged behind %d unpacked bytes: %s";
    return Place.at(name, good)
        .fault(
            Message.of(text, good, e.getMessage()),
            "a whole gzip stream",
            cut ? "its front" : "damage")
        .withCause(e);
  }

  @Override
  public void close() throws IOException {
    unpacked.close();
  }
}
