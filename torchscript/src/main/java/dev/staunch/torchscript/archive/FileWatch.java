package dev.staunch.torchscript.archive;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a file was changed in place while it is in use (M8). The file is told apart from
 * others by its inode: one that takes over its name, by renaming, or that the name is gone, is no
 * change. Thread-safe.
 */
public final class FileWatch {
  private static final long PERIOD = TimeUnit.SECONDS.toNanos(1);

  private final Path file;
  private final FileStamp stamp;
  private volatile long looked = System.nanoTime();
  private volatile @Nullable Fault change;

  /** Watches the {@code file} that was read when it had {@code stamp}. */
  FileWatch(Path file, FileStamp stamp) {
    this.file = file;
    this.stamp = stamp;
  }

  /**
   * The fault of a change that was noticed, which stays; else null. Looks at the file at most once
   * a second, and otherwise reads the clock only.
   */
  public @Nullable Fault check() {
    return change == null && System.nanoTime() - looked >= PERIOD ? look() : change;
  }

  /** As {@link #check}, looking now. */
  public @Nullable Fault look() {
    looked = System.nanoTime();
    if (change == null && isChanged()) {
      change = fault();
    }
    return change;
  }

  /** Lets the next {@link #check} look, however short ago the last one did. */
  public void suspect() {
    looked = System.nanoTime() - PERIOD;
  }

  private boolean isChanged() {
    try {
      FileStamp now = FileStamp.of(file);
      return now.isOfSameFile(stamp) && !now.equals(stamp);
    } catch (IOException gone) {
      return false; // its bytes live as long as somebody uses them
    }
  }

  private Fault fault() {
    String text =
        "the file %s was changed in place after it had been opened; load it again, and replace it by"
            + " renaming another to its name";
    return Fault.data(String.valueOf(file.getFileName()), Message.of(text, file));
  }
}
