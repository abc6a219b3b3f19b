package dev.staunch.torchscript;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.Conformance;
import dev.staunch.testkit.ReadBack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The program of every archive is printed as text that parses to the same program (S8). */
class PrintedProgramTest {
  /** Archives that are not loaded, because they need native code. */
  private static final List<String> REFUSED = List.of("quirk_custom_op_torchvision_nms.pt");

  @TestFactory
  Stream<DynamicTest> theProgramOfAnArchiveIsReadBack() throws IOException {
    try (Stream<Path> files = Files.walk(Conformance.torchscript())) {
      return files
          .filter(file -> file.toString().endsWith(".pt"))
          .filter(file -> REFUSED.stream().noneMatch(file::endsWith))
          .sorted()
          .toList()
          .stream()
          .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)));
    }
  }

  private static void check(Path archive) {
    try (ResourceScope scope = ResourceScope.open(OffHeap.withBudget(1L << 30), "printed")) {
      ReadBack.assertSameProgram(RecordedLoweringTest.load(archive, scope).program());
    }
  }
}
