package dev.staunch.inference;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;

/**
 * Replaces a served file again and again: by renaming and, where that is allowed, by writing into
 * it.
 */
final class FileCorrupter {
  private final Path file;
  private final List<byte[]> versions;
  private final boolean inPlace;
  private final Random random;

  FileCorrupter(Path file, List<byte[]> versions, boolean inPlace, long seed) {
    this.file = file;
    this.versions = versions;
    this.inPlace = inPlace;
    this.random = new Random(seed);
  }

  void strike() throws IOException {
    byte[] next = versions.get(random.nextInt(versions.size()));
    switch (inPlace ? random.nextInt(4) : 0) {
      case 0 -> rename(next);
      case 1 -> overwrite(next, true);
      case 2 -> overwrite(next, false);
      default -> {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(random.nextInt(next.length));
        }
      }
    }
  }

  private void rename(byte... next) throws IOException {
    Path other = Files.write(file.resolveSibling(file.getFileName() + ".new"), next);
    Files.move(other, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** As {@code cp} does, or as {@code rsync --inplace}, piece by piece. */
  private void overwrite(byte[] next, boolean fromNothing) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      if (fromNothing) {
        channel.truncate(0);
      }
      int at = 0;
      while (at < next.length) {
        int count = Math.min(next.length - at, 1 + random.nextInt(4096));
        channel.write(ByteBuffer.wrap(next, at, count), at);
        at += count;
      }
    }
  }
}
