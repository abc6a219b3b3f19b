package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process that sets no budget gets what the container leaves outside the heap, less a quarter
 * (M5).
 */
class DefaultBudgetTest {
  @ParameterizedTest
  @CsvSource({
    "16384, 4096, 9216", // a machine whose heap is a quarter, the JVM's default
    "2048, 512, 1152", // a container
    "512, 128, 288", // a small one
    "256, 192, 64", // less is left than the smallest budget
    "128, 128, 64", // nothing is left
    "1024, 4096, 64", // a heap larger than the memory
  })
  void theBudgetIsThreeQuartersOfWhatTheHeapLeaves(long machine, long heap, long budget) {
    assertEquals(budget << 20, MemoryOptions.defaultBudget(machine << 20, heap << 20));
  }

  @Test
  void theDefaultsGoByThisProcess() {
    var os =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long heap = Runtime.getRuntime().maxMemory();
    long budget = MemoryOptions.defaultBudget(os.getTotalMemorySize(), heap);
    MemoryOptions defaults = MemoryOptions.defaults();
    assertEquals(budget, defaults.budgetBytes());
    assertEquals(Math.min(1L << 30, budget / 4), defaults.cachedBytes());
    assertEquals(Math.min(256L << 20, budget), defaults.idleBytes());
    OffHeap memory = OffHeap.withDefaultBudget();
    assertEquals(budget, memory.budgetBytes());
    assertEquals(0, memory.account().bytes());
    memory.close();
  }
}
