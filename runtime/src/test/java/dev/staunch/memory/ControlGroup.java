package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.opentest4j.TestAbortedException;

/**
 * A Linux control group with a memory limit, as a container has one. In version 1 it is created
 * below this process's own group; in version 2 beside it, because a group with processes may have
 * no groups with limits below it.
 */
final class ControlGroup implements AutoCloseable {
  private static final int MOST_TRIES = 100_000;

  private final Path folder;

  private ControlGroup(Path folder) {
    this.folder = folder;
  }

  /**
   * A group whose processes may use {@code bytes} together.
   *
   * @throws TestAbortedException with the reason, if this system does not let this process create
   *     one
   */
  static ControlGroup limitedTo(long bytes) {
    ControlGroup group = null;
    try {
      Path folder = home().resolve("staunch-test-" + ProcessHandle.current().pid());
      Files.createDirectory(folder);
      group = new ControlGroup(folder);
      Path newer = folder.resolve("memory.max");
      Path limit = Files.exists(newer) ? newer : folder.resolve("memory.limit_in_bytes");
      Files.writeString(limit, Long.toString(bytes));
      return group;
    } catch (IOException e) {
      if (group != null) {
        group.close();
      }
      throw new TestAbortedException("no control group with a limit can be made here: " + e, e);
    }
  }

  /** The directory for new groups, at this process's place in the hierarchy that limits memory. */
  private static Path home() throws IOException {
    List<String> own = Files.readAllLines(Path.of("/proc/self/cgroup"));
    List<Mount> mounts =
        Files.readAllLines(Path.of("/proc/self/mountinfo")).stream().map(Mount::of).toList();
    for (String line : own) {
      String[] group = line.split(":", 3); // number:controllers:path
      boolean first = Arrays.asList(group[1].split(",", -1)).contains("memory");
      for (Mount mount : mounts) {
        if (first && mount.type().equals("cgroup") && mount.options().contains("memory")) {
          return mount.folder(group[2]);
        }
      }
    }
    for (String line : own) {
      for (Mount mount : mounts) {
        if (line.startsWith("0::") && mount.type().equals("cgroup2")) {
          Path folder = mount.folder(line.substring(3));
          return folder.equals(mount.point()) ? folder : folder.getParent();
        }
      }
    }
    throw new IOException("this system has no control groups that limit memory");
  }

  /** A line of {@code mountinfo}: which part of which file system is mounted where. */
  private record Mount(Path root, Path point, String type, List<String> options) {
    static Mount of(String line) {
      List<String> words = List.of(line.split(" ", -1));
      int dash = words.indexOf("-");
      return new Mount(
          Path.of(words.get(3)),
          Path.of(words.get(4)),
          words.get(dash + 1),
          List.of(words.getLast().split(",", -1)));
    }

    Path folder(String group) {
      return point.resolve(root.relativize(Path.of(group)));
    }
  }

  /** Starts {@code command} as a process of this group, with one stream for all its output. */
  Process start(List<String> command) throws IOException {
    List<String> enter =
        List.of(
            "sh",
            "-c",
            "echo $$ > \"$0\" && exec \"$@\"",
            folder.resolve("cgroup.procs").toString());
    List<String> all = new ArrayList<>(enter);
    all.addAll(command);
    return new ProcessBuilder(all).redirectErrorStream(true).start();
  }

  /** Removes the group, whose processes have ended. */
  @Override
  public void close() {
    boolean gone = false;
    for (int i = 0; i < MOST_TRIES && !gone; i++) { // the last process may still be ending
      gone = folder.toFile().delete();
    }
    assertTrue(gone, () -> folder + " could not be taken away");
  }
}
