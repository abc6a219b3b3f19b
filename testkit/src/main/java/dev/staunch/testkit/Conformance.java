package dev.staunch.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Where cases that real systems produced lie, beside the project; tests skip without them. */
public final class Conformance {
  private Conformance() {}

  /** Archives saved by PyTorch, with recorded calls. */
  public static Path torchscript() {
    return folder("torchscript");
  }

  /** Programs in MLIR text. */
  public static Path mlir() {
    return folder("mlir");
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

  private static Path folder(String name) {
    Path folder = root().resolveSibling("shared").resolve("conformance").resolve(name);
    Assumptions.assumeTrue(
        Files.isDirectory(folder), () -> "skipped: there is no folder " + folder);
    return folder;
  }
}
