package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** This process may use the memory of its machine, or what its control groups leave of it (M5). */
class MachineMemoryTest {
  private static final long MACHINE = 16L << 30;

  @TempDir Path root;

  @BeforeEach
  void aMachine() throws IOException {
    write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:          250000 kB\n");
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  @Test
  void withoutControlGroupsItIsTheMachines() {
    assertEquals(MACHINE, MachineMemory.bytes(root));
  }

  @Test
  void theLowestOfNestedLimitsHolds() throws IOException {
    write("proc/self/cgroup", "0::/pod/app\n");
    write("sys/fs/cgroup/pod/memory.max", "2000000\n");
    write("sys/fs/cgroup/pod/app/memory.max", "max\n");
    assertEquals(2_000_000, MachineMemory.bytes(root));
    write("sys/fs/cgroup/pod/app/memory.max", "1000000\n");
    assertEquals(1_000_000, MachineMemory.bytes(root));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/docker/0123", "/../../outside", "none"})
  void aContainerThatSeesItsOwnGroupAtTheRootIsLimitedByThat(String group) throws IOException {
    write("proc/self/cgroup", "0::" + group + "\n");
    write("sys/fs/cgroup/memory.max", "3000000\n");
    assertEquals(3_000_000, MachineMemory.bytes(root));
  }

  @Test
  void limitsOfTheFirstVersionHold() throws IOException {
    write("proc/self/cgroup", "12:pids:/app\n5:cpu,memory:/app\n1:name=systemd:/\n0::/\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assertEquals(MACHINE, MachineMemory.bytes(root));
    write("sys/fs/cgroup/memory/app/memory.limit_in_bytes", "4000000\n");
    assertEquals(4_000_000, MachineMemory.bytes(root));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "max", "-1", "12 kB", "99999999999999999999999", "१२३"})
  void whatIsNoLimitLimitsNothing(String text) throws IOException {
    write("proc/self/cgroup", "strange\n0::/\n");
    write("sys/fs/cgroup/memory.max", text);
    assertEquals(MACHINE, MachineMemory.bytes(root));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MemFree: 12 kB\n", "MemTotal: many kB\n"})
  void whereNothingIsSaidTheJvmIsAsked(String text) throws IOException {
    write("proc/meminfo", text);
    assertEquals(0, MachineMemory.bytes(root));
  }
}
