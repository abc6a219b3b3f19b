package dev.staunch.kernel.standard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.kernel.Catalog;
import org.junit.jupiter.api.Test;

/** The index tells where an operation is defined, so that nothing else is created for it. */
class OperationIndexTest {
  private static Catalog of(String text) {
    Catalog.Builder catalog = new Catalog.Builder();
    OperationIndex.addTo(catalog, text);
    return catalog.build();
  }

  @Test
  void theBuildHasWrittenWhatTheFamiliesDefine() {
    assertEquals(OperationIndex.text(), OperationIndex.written());
  }

  @Test
  void anOperationIsMadeWithoutTheGroupsOfOthers() {
    Catalog catalog = of("POINTWISE 0 aten::add.Tensor\nSCALAR 4711 my::broken");
    assertNotNull(catalog.find("aten::add.Tensor"));
    assertSame(catalog.find("aten::add.Tensor"), catalog.find("aten::add.Tensor"));
    assertThrows(IndexOutOfBoundsException.class, () -> catalog.find("my::broken"));
  }

  @Test
  void namesAreKnownWithoutTheirOperations() {
    Catalog catalog = of("SCALAR 4711 my::broken");
    assertEquals("[my::broken]", catalog.names().toString());
    assertThrows(IndexOutOfBoundsException.class, catalog::operations);
  }

  @Test
  void anIndexThatNamesTheWrongGroupIsNotBelieved() {
    Catalog catalog = of("POINTWISE 0 aten::relu");
    assertThrows(NullPointerException.class, () -> catalog.find("aten::relu"));
    assertNull(catalog.find("aten::add.Tensor"));
  }
}
