package dev.staunch.torchscript.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What tells whether a file is still the same one, with the same bytes.
 *
 * @param key the file itself, whatever its name: its device and inode; null where files have none
 */
record FileStamp(@Nullable Object key, long size, FileTime modified) {

  /** The stamp of the file that now has the name {@code path}. */
  static FileStamp of(Path path) throws IOException {
    BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
    return new FileStamp(now.fileKey(), now.size(), now.lastModifiedTime());
  }

  /** Written out: what the JVM makes for a record takes milliseconds when it is first called. */
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
