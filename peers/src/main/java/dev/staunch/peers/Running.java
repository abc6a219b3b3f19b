package dev.staunch.peers;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** The call that is running, in a file that outlives the process. */
final class Running {
  private static final int LONGEST = 1 << 16;

  private final MappedByteBuffer text;

  Running(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      text = channel.map(FileChannel.MapMode.READ_WRITE, 0, LONGEST);
    }
  }

  void set(String call) {
    byte[] bytes = (call + "\0").getBytes(StandardCharsets.UTF_8);
    text.put(0, bytes, 0, Math.min(bytes.length, LONGEST));
  }

  static String of(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return new String(Arrays.copyOf(bytes, end), StandardCharsets.UTF_8);
  }
}
