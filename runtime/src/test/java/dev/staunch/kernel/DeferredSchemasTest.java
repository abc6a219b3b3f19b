package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.operation.Schema;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;

/**
 * Schemas are parsed when they are first requested, and those of the standard catalog are valid.
 */
class DeferredSchemasTest {
  private static final String UNREADABLE = "my::broken(Tensor self, ";

  @Test
  void everyStandardEntryHasASchemaThatFitsItsNameAndKernel() {
    for (CatalogEntry operation : StandardOperations.catalog().operations()) {
      assertEquals(operation.name(), operation.schema().qualifiedName());
    }
  }

  @Test
  void openingAContextReadsNoSchema() {
    Set<String> read = new ConcurrentSkipListSet<>();
    ContextOptions options = ContextOptions.standard().withCatalog(noting(read));
    try (Context context = Context.open(OffHeap.withBudget(1 << 20), options)) {
      assertEquals(Set.of(), read);
      Tensor sum = context.ones(2).add(context.ones(2));
      assertEquals(2, sum.floats()[0]);
      assertEquals(Set.of("aten::ones", "aten::add.Tensor"), read);
    }
  }

  @Test
  void aDeferredSchemaIsCheckedWhenItIsFirstAskedFor() {
    Catalog catalog =
        new Catalog.Builder()
            .deferred()
            .one(UNREADABLE, call -> 1L)
            .none("my::full() -> int", call -> null)
            .one("my::good() -> int", call -> 1L)
            .build();
    assertEquals(1, catalog.find("my::good").schema().results().size());
    for (String broken : new String[] {"my::broken", "my::full"}) {
      assertThrows(IllegalArgumentException.class, () -> catalog.find(broken).schema(), broken);
    }
  }

  @Test
  void allOthersAreCheckedWhenTheyAreDefined() {
    Catalog.Builder builder = new Catalog.Builder();
    assertThrows(
        IllegalArgumentException.class, () -> builder.one(UNREADABLE, call -> 1L), UNREADABLE);
    IllegalArgumentException wrong =
        assertThrows(
            IllegalArgumentException.class, () -> builder.none("my::full() -> int", call -> null));
    assertTrue(wrong.getMessage().contains("does not return what"), wrong::getMessage);
  }

  /** The standard catalog, which adds the names of requested schemas to {@code read}. */
  private static Catalog noting(Set<String> read) {
    Catalog.Builder builder = new Catalog.Builder().closesOnFailure().deferred();
    for (CatalogEntry operation : StandardOperations.catalog().operations()) {
      builder.define(operation.name(), () -> noted(operation, read), operation.kernel());
    }
    return builder.build();
  }

  private static Schema noted(CatalogEntry operation, Set<String> read) {
    read.add(operation.name());
    return operation.schema();
  }
}
