package dev.staunch.memory;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How much memory this process may use: that of its machine, or what the control groups of its
 * container leave of it. On Linux that is read from files, because asking the JVM's management
 * beans takes a tenth of all the time up to a first answer. Elsewhere the management beans are
 * asked.
 */
final class MachineMemory {
  private static final Path LINUX = Path.of("/");
  private static final String TOTAL = "MemTotal:";

  private MachineMemory() {}

  /** The number of bytes in total. */
  static long bytes() {
    long known = bytes(LINUX);
    return known > 0 ? known : managedBytes();
  }

  /** As the files of Linux below {@code root} say; 0 if they say nothing. */
  static long bytes(Path root) {
    for (String line : lines(root.resolve("proc/meminfo"))) {
      if (line.startsWith(TOTAL)) {
        String kibibytes = line.substring(TOTAL.length()).replace("kB", "").strip();
        long total = number(kibibytes);
        return total == Long.MAX_VALUE ? 0 : Math.min(total << 10, lowestLimit(root));
      }
    }
    return 0;
  }

  /** The lowest limit of the control groups, of either version, that contain this process. */
  private static long lowestLimit(Path root) {
    long least = Long.MAX_VALUE;
    for (String line : lines(root.resolve("proc/self/cgroup"))) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3) {
        continue;
      }
      Path all = root.resolve("sys/fs/cgroup");
      if (parts[1].isEmpty()) {
        least = Math.min(least, lowestLimit(all, parts[2], "memory.max"));
      } else if (List.of(parts[1].split(",", -1)).contains("memory")) {
        least =
            Math.min(least, lowestLimit(all.resolve("memory"), parts[2], "memory.limit_in_bytes"));
      }
    }
    return least;
  }

  /**
   * The lowest limit of {@code group} and its ancestors. A container may see its own group as the
   * root, and none of the names that its processes' groups have outside.
   */
  private static long lowestLimit(Path all, String group, String file) {
    long least = Long.MAX_VALUE;
    Path named = all.resolve(group.substring(group.startsWith("/") ? 1 : 0)).normalize();
    for (Path at = named; at != null && at.startsWith(all); at = at.getParent()) {
      least = Math.min(least, limit(at.resolve(file)));
    }
    return named.startsWith(all) ? least : limit(all.resolve(file));
  }

  private static long limit(Path file) {
    long least = Long.MAX_VALUE;
    for (String line : lines(file)) {
      least = Math.min(least, number(line));
    }
    return least;
  }

  /** Empty if there is no such file, or it cannot be read. */
  private static List<String> lines(Path file) {
    try {
      return List.of(Files.readString(file).split("\n", -1));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The maximum if {@code text} is not a number: {@code max} means unlimited. */
  private static long number(String text) {
    boolean isNumber = !text.isEmpty() && text.length() < 19; // anything longer is above 2^59
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      isNumber &= c >= '0' && c <= '9';
    }
    return isNumber ? Long.parseLong(text) : Long.MAX_VALUE;
  }

  private static long managedBytes() {
    OperatingSystemMXBean bean = ManagementFactory.getOperatingSystemMXBean();
    return bean instanceof com.sun.management.OperatingSystemMXBean os
        ? os.getTotalMemorySize()
        : 4 * Runtime.getRuntime().maxMemory();
  }
}
