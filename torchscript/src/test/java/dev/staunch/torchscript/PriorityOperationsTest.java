package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.operation.SchemaText;
import dev.staunch.testkit.Conformance;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The operations that archives were found to use have kernels; operations without one are refused
 * by name.
 */
class PriorityOperationsTest {
  private static final String LIST = "conformance/torchscript/ops-by-priority.txt";

  /**
   * Operations that loading turns into the structure of the program: none of these names is left to
   * run.
   */
  private static final Set<String> LOWERED =
      Set.of(
          "prim::TupleUnpack",
          "prim::TupleIndex",
          "prim::Uninitialized",
          "prim::Print",
          "prim::tolist",
          "aten::wait");

  /** A line consists of three counts and a schema. */
  private static List<String> names() throws IOException {
    return Files.readAllLines(Conformance.root().resolve(LIST)).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> SchemaText.name(line.strip().replaceFirst("^(\\d+\\s+){3}", "")))
        .toList();
  }

  @Test
  void whatArchivesUseHasAKernel() throws IOException {
    Catalog catalog = StandardOperations.catalog();
    assertTrue(names().contains("aten::linear"));
    assertEquals(
        List.of(),
        names().stream()
            .filter(name -> !LOWERED.contains(name))
            .filter(name -> {
              CatalogEntry entry = catalog.find(name);
              return entry == null || entry.kernel() == null;
            })
            .toList());
  }
}
