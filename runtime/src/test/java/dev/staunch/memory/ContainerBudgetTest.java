package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Message;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process that sets no budget follows its container's limit, not the machine's memory, and may
 * use all of the budget: the system does not kill it for that (M5). Skipped where no container can
 * be created.
 */
@EnabledOnOs(OS.LINUX)
class ContainerBudgetTest {
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @ParameterizedTest
  @CsvSource({
    "1024, -XX:MaxRAMPercentage=25, 256, 576", // the heap is the JVM's default, a quarter
    "512, -Xmx128m, 128, 288",
    "256, -Xmx160m, 160, 72",
    "256, -Xmx192m, 192, 64", // the smallest budget
  })
  void m5TheDefaultBudgetIsWhatTheContainerHasForIt(
      long limit, String heapOption, long heap, long budget) throws Exception {
    assertEquals(budget << 20, MemoryOptions.defaultBudget(limit << 20, heap << 20));
    try (ControlGroup container = ControlGroup.limitedTo(limit << 20)) {
      Process process = container.start(program(heapOption));
      try {
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(Message.of("%d %d %d OUT_OF_MEMORY", heap, budget, budget), said.strip());
        assertEquals(0, process.exitValue());
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  /** With the collector whose heap has exactly the size that the option gives. */
  private static List<String> program(String heapOption) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String main = FillDefaultBudget.class.getName();
    String compiler = "-XX:TieredStopAtLevel=1";
    return List.of(java, "-XX:+UseG1GC", heapOption, compiler, "-cp", CLASS_PATH, main);
  }
}
