package dev.staunch.torchscript.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a file and its contents, to tell whether it is still the same with the same bytes.
 *
 * @param key identifies the file whatever its name: its device and inode; null if the file system
 *     has no such key
 */
record FileStamp(@Nullable Object key, long size, FileTime modified) {

  /** The stamp of the file that {@code path} currently names. */
  static FileStamp of(Path path) throws IOException {
    BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
    return new FileStamp(now.fileKey(), now.size(), now.lastModifiedTime());
  }

  /**
   * Written by hand: the JVM takes milliseconds to generate this method for a record at its first
   * call.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FileStamp stamp
        && isOfSameFile(stamp)
        && size == stamp.size
        && modified.equals(stamp.modified);
  }

  @Override
  public int hashCode() {
    return Objects.hash(key, size, modified);
  }

  boolean isOfSameFile(FileStamp other) {
    return Objects.equals(key, other.key);
  }
}
