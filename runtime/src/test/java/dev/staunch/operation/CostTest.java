package dev.staunch.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a call costs is told from forms. */
class CostTest {
  private static TensorForm floats(long... sizes) {
    return TensorForm.contiguous(DType.FLOAT32, Shape.of(sizes));
  }

  private static Cost cost(String name, Object... operands) {
    CatalogEntry entry =
        Objects.requireNonNull(StandardOperations.catalog().find("aten::" + name), name);
    Operands given = Operands.of(operands);
    Object results = Objects.requireNonNull(entry.inference()).infer(given);
    return entry.definition().cost(given, results);
  }

  @Test
  void whatIsReadAndWrittenIsToldFromForms() {
    assertEquals(
        new Cost(12, 0, 4 * (2 * 5 + 2), 4 * 10),
        cost("add.Tensor", floats(2, 5), floats(2, 1), 1L));
  }

  @Test
  void whatGrowsIsAsLargeAsItsResult() {
    assertEquals(new Cost(600, 0, 12, 2400), cost("repeat", floats(3), List.of(200L)));
  }

  @Test
  void aListOfTensorsIsReadWhole() {
    assertEquals(new Cost(7, 0, 28, 28), cost("cat", List.of(floats(3), floats(4)), 0L));
  }

  @Test
  void aProductMultipliesForEachElementOfItsResult() {
    assertEquals(2 * 5 * 3, cost("mm", floats(2, 3), floats(3, 5)).multiplyAdds());
    assertEquals(2 * 5 * 3, cost("linear", floats(2, 3), floats(5, 3), None.NONE).multiplyAdds());
    assertEquals(
        2 * 5 * 3, cost("addmm", floats(5), floats(2, 3), floats(3, 5), 1L, 1L).multiplyAdds());
    assertEquals(4 * 2 * 5 * 3, cost("matmul", floats(4, 2, 3), floats(3, 5)).multiplyAdds());
  }

  @Test
  void aViewCostsNothing() {
    assertEquals(Cost.NONE, cost("t", floats(300, 400)));
  }
}
