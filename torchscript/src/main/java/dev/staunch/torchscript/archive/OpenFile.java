package dev.staunch.torchscript.archive;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that is read by position, in pieces, so that a file that shrinks meanwhile causes only a
 * short read. Each failure is a {@link StaunchException} that names the file.
 */
final class OpenFile implements FileBytes.Source, AutoCloseable {
  /** How often to retry opening a file while its name moves to another file. */
  private static final int TRIES = 100;

  private static final int PIECE = 1 << 20;

  private final Path path;
  private final FileChannel channel;
  private final FileStamp stamp;
  private final CancelScope cancel;

  private OpenFile(Path path, FileChannel channel, FileStamp stamp, CancelScope cancel) {
    this.path = path;
    this.channel = channel;
    this.stamp = stamp;
    this.cancel = cancel;
  }

  /**
   * @param cancel stops reading between two pieces
   */
  static OpenFile open(Path path, CancelScope cancel) {
    if (Files.isDirectory(path)) {
      throw unreadable(path, "it is a folder, not an archive").toException();
    }
    try {
      for (int i = 0; i < TRIES; i++) {
        FileStamp before = FileStamp.of(path);
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        if (isStill(path, before)) {
          return new OpenFile(path, channel, before, cancel);
        }
        channel.close();
      }
      throw unreadable(path, "another file takes its name again and again").toException();
    } catch (IOException e) {
      throw failure(path, e).toException();
    }
  }

  /** Whether {@code path} still names the file of {@code before} after it was opened. */
  private static boolean isStill(Path path, FileStamp before) {
    try {
      return FileStamp.of(path).isOfSameFile(before);
    } catch (IOException gone) {
      return false;
    }
  }

  private static Fault failure(Path path, IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> unreadable(path, "there is no such file");
      case AccessDeniedException denied -> unreadable(path, "its permissions do not allow it");
      case ClosedByInterruptException interrupted ->
          Fault.cancelled(CancelReason.USER, "reading " + path + " was interrupted")
              .withInput(String.valueOf(path.getFileName()));
      default -> unreadable(path, e.toString()).withCause(e);
    };
  }

  private static Fault unreadable(Path path, String why) {
    return Fault.data(String.valueOf(path.getFileName()), path + " cannot be read: " + why);
  }

  /** Returns a watch on the file since it was opened. */
  FileWatch watch() {
    return new FileWatch(path, stamp);
  }

  /** The file's size when it was opened. */
  @Override
  public long size() {
    return stamp.size();
  }

  @Override
  public void read(long at, ByteBuffer into) {
    int end = into.limit();
    long place = at;
    try {
      while (into.position() < end) {
        Fault stopped = cancel.check();
        if (stopped != null) {
          throw stopped.toException();
        }
        into.limit(Math.min(end, into.position() + PIECE));
        int count = channel.read(into, place);
        if (count < 0) {
          throw shrunk(place);
        }
        place += count;
      }
    } catch (IOException e) {
      throw failure(path, e).toException();
    }
  }

  private StaunchException shrunk(long at) {
    String text = "%s ends at byte %d, where it had %d bytes when it was opened; load it again";
    return Fault.data(String.valueOf(path.getFileName()), Message.of(text, path, at, stamp.size()))
        .toException();
  }

  /** Maps the whole file for reading into the memory of {@code scope}. */
  Storage map(ResourceScope scope) {
    return Fault.orThrow(scope.map(channel, path, 0, stamp.size()), Storage.class);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failure(path, e).toException();
    }
  }
}
