package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * No vector is loaded from a mapped file: if its pages went away, that would end the process (M8).
 */
class MappedOperandsTest {
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @TempDir private Path folder = Path.of("");

  @Test
  void m8PackingWhatWasCutShortThrowsAndTheProcessLives() throws Exception {
    assertEndsWell(LostPages.class, 0.1, folder.resolve("weights").toString());
  }

  /** Each call is run so often that HotSpot compiles it for operands in files, too. */
  @Test
  @EnabledIfSystemProperty(named = "tests.whole", matches = "true")
  @Timeout(600)
  void m8AnOperandThatWasCutShortThrowsAndTheProcessLives() throws Exception {
    assertEndsWell(LostOperands.class, 0.02, folder.toString());
  }

  /**
   * @param scaling how many of the runs that HotSpot usually waits for are enough to compile
   */
  private void assertEndsWell(Class<?> program, double scaling, String argument) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xbatch", // so that the loops are compiled when they reach the file
                "-XX:CompileThresholdScaling=" + scaling,
                "-XX:ErrorFile=" + folder.resolve("crash.txt"),
                "--enable-native-access=ALL-UNNAMED",
                "--add-modules",
                "jdk.incubator.vector",
                "-cp",
                CLASS_PATH,
                program.getName(),
                argument)
            .redirectErrorStream(true)
            .start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), said);
    } finally {
      process.destroyForcibly();
    }
  }

  /** A loop on vectors that were given an operand in a file would refuse it. */
  @TestFactory
  Stream<DynamicTest> anOperandInAFileGivesWhatThePlainKernelsGive() {
    OffHeap memory = OffHeap.withBudget(1L << 26);
    ResourceScope scope = ResourceScope.open(memory, "calls");
    return MappedCalls.all(scope).stream()
        .flatMap(call -> MappedCalls.operands(call).stream().map(operand -> agrees(call, operand)))
        .onClose(() -> {
          scope.close();
          memory.close();
        });
  }

  private DynamicTest agrees(SetCall call, DenseTensor operand) {
    String name = call + " with " + RandomOperands.describe(operand) + " in a file";
    return DynamicTest.dynamicTest(
        name,
        () -> {
          try (OffHeap memory = OffHeap.withBudget(1L << 26);
              ResourceScope scope = ResourceScope.open(memory, "call")) {
            SetCall far = MappedCalls.mapped(call, operand, folder.resolve("operand"), scope);
            assertNull(Agreement.difference(scope, far, 1));
          }
        });
  }
}
