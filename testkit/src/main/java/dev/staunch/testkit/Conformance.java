package dev.staunch.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The locations of cases that real systems produced. */
public final class Conformance {
  private Conformance() {}

  /** Archives saved by PyTorch, with recorded calls; part of the project. */
  public static Path torchscript() {
    return root().resolve("conformance").resolve("torchscript");
  }

  /**
   * TensorFlow Runtime's own programs, stored beside the project; tests are skipped without them.
   */
  public static Path mlir() {
    Path folder = root().resolveSibling("shared").resolve("conformance").resolve("mlir");
    Assumptions.assumeTrue(
        Files.isDirectory(folder), () -> "skipped: there is no folder " + folder);
    return folder;
  }

  /** The project's root folder. */
  public static Path root() {
    Path at = Path.of("").toAbsolutePath();
    while (at != null && !Files.exists(at.resolve("staunch"))) {
      at = at.getParent();
    }
    if (at == null) {
      throw new IllegalStateException("the tests run outside the project");
    }
    return at;
  }
}
