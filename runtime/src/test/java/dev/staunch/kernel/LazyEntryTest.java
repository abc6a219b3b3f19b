package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.operation.SchemaText;
import org.junit.jupiter.api.Test;

/** A catalog entry may be made when it is first requested. */
class LazyEntryTest {
  private int made;

  private CatalogEntry make() {
    made++;
    if (made == 1) {
      throw new StackOverflowError();
    }
    return new CatalogEntry(SchemaText.parse("my::one() -> int"), (Kernel.One) call -> 1L);
  }

  private Catalog catalog() {
    return new Catalog.Builder().onDemand("my::one", this::make).build();
  }

  @Test
  void itIsNotMadeBeforeItIsAskedFor() {
    assertEquals("[my::one]", catalog().toBuilder().build().names().toString());
    assertEquals(0, made);
  }

  @Test
  void itIsMadeOnceForAllCatalogsThatHaveIt() {
    Catalog catalog = catalog();
    made = 1;
    Object entry = catalog.find("my::one");
    assertSame(entry, catalog.toBuilder().build().find("my::one"));
    assertEquals(2, made);
  }

  @Test
  void whatFailedIsTriedAgain() {
    Catalog catalog = catalog();
    assertThrows(StackOverflowError.class, () -> catalog.find("my::one"));
    assertNotNull(catalog.find("my::one"));
  }
}
