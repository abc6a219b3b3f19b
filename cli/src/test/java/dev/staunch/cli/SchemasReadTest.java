package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.staunch.inference.Model;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.operation.Schema;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.torchscript.TorchScriptModule.OperationUse;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;

/** A model pays for the schemas of its own operations, not for those of the whole catalog. */
class SchemasReadTest {
  private final Set<String> read = new ConcurrentSkipListSet<>();

  @Test
  void loadingTheDemosModelAndAnsweringReadsTheSchemasOfItsOperationsOnly() throws IOException {
    try (DemoModel demo = new DemoModel();
        Model model = Model.load(demo.archive, demo.memory, noting())) {
      assertFalse(model.predict(demo.request(0), "forward").failed());
      Set<String> used = new TreeSet<>();
      for (OperationUse use : model.module().operations(StandardOperations.catalog())) {
        used.add(use.name());
      }
      Set<String> unused = new TreeSet<>(read);
      unused.removeAll(used);
      assertEquals(Set.of(), unused, () -> "the model has " + used);
      assertFalse(read.isEmpty());
    }
  }

  private LoadOptions noting() {
    Catalog standard = StandardOperations.catalog();
    Catalog.Builder builder =
        new Catalog.Builder().closesOnFailure().deferred().kernels(standard.kernels());
    for (CatalogEntry operation : standard.operations()) {
      builder.define(operation.name(), () -> noted(operation), operation.kernel());
    }
    return LoadOptions.standard().withCatalog(builder.build());
  }

  private Schema noted(CatalogEntry operation) {
    read.add(operation.name());
    return operation.schema();
  }
}
