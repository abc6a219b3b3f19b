package dev.staunch.torchscript.archive;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a file was changed in place while it is in use (M8). The file is identified by its
 * inode: if another file takes over its name by renaming, or the name disappears, that is not a
 * change. Thread-safe.
 */
public final class FileWatch {
  private static final long PERIOD = TimeUnit.SECONDS.toNanos(1);

  private final Path file;
  private final FileStamp stamp;
  private volatile long looked = System.nanoTime();
  private volatile @Nullable Fault change;

  /** Watches the {@code file} that had {@code stamp} when it was read. */
  FileWatch(Path file, FileStamp stamp) {
    this.file = file;
    this.stamp = stamp;
  }

  /**
   * Returns the fault of a detected change, from then on permanently; otherwise null. Looks at the
   * file at most once a second; other calls only read the clock.
   */
  public @Nullable Fault check() {
    return change == null && System.nanoTime() - looked >= PERIOD ? look() : change;
  }

  /** Like {@link #check}, but always looks. */
  public @Nullable Fault look() {
    looked = System.nanoTime();
    if (change == null && isChanged()) {
      change = fault();
    }
    return change;
  }

  /** Makes the next {@link #check} look, however recently it last did. */
  public void suspect() {
    looked = System.nanoTime() - PERIOD;
  }

  private boolean isChanged() {
    try {
      FileStamp now = FileStamp.of(file);
      return now.isOfSameFile(stamp) && !now.equals(stamp);
    } catch (IOException gone) {
      return false; // its bytes stay available while they are in use
    }
  }

  private Fault fault() {
    String text =
        "the file %s was changed in place after it had been opened; load it again, and replace it by"
            + " renaming another to its name";
    return Fault.data(String.valueOf(file.getFileName()), Message.of(text, file));
  }
}
