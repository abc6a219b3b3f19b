package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.kernel.standard.StandardOperations;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A catalog entry tells how its operation is computed. */
class BodyTest {
  /**
   * Operations whose tensors are unknown until they have run: lower this number, never raise it.
   */
  private static final int OPAQUE = 26;

  private final Catalog catalog = StandardOperations.catalog();

  private Body body(String name) {
    return Objects.requireNonNull(Objects.requireNonNull(catalog.find(name), name).body());
  }

  @Test
  void whatCombinesElementsIsPointwise() {
    assertInstanceOf(PointwiseBody.class, body("aten::add.Tensor"));
    assertInstanceOf(PointwiseBody.class, body("aten::relu_"));
    assertInstanceOf(PointwiseBody.class, body("aten::where.self"));
  }

  @Test
  void whatIsMadeOfOthersIsAComposite() {
    assertInstanceOf(Body.Composed.class, body("aten::glu"));
    assertInstanceOf(Body.Composed.class, body("aten::aminmax"));
    assertInstanceOf(Body.Composed.class, body("aten::masked_select"));
    assertInstanceOf(Body.Composed.class, body("aten::add.out"));
    assertInstanceOf(Body.Composed.class, body("aten::_unique2"));
  }

  @Test
  void whatFillsATensorIsAPrimitive() {
    assertInstanceOf(PrimitiveBody.class, body("aten::arange"));
    assertInstanceOf(PrimitiveBody.class, body("aten::tril"));
  }

  @Test
  void whatMakesNoElementsIsStructural() {
    assertInstanceOf(Body.Structural.class, body("aten::add.int"));
    assertInstanceOf(Body.Structural.class, body("aten::append.t"));
    assertInstanceOf(Body.Structural.class, body("aten::size"));
    assertInstanceOf(Body.Structural.class, body("aten::transpose.int"));
  }

  @Test
  void whoseResultsAreInferredIsNotOpaque() {
    assertInstanceOf(Body.Inferred.class, body("aten::matmul"));
    assertInstanceOf(Body.Inferred.class, body("aten::scatter_.src"));
  }

  @Test
  void whoseResultsHangOnElementsOrMayShareMemoryIsOpaque() {
    assertInstanceOf(Body.Opaque.class, body("aten::nonzero"));
    assertInstanceOf(Body.Opaque.class, body("aten::reshape"));
  }

  @Test
  void noOperationBecomesOpaque() {
    long opaque =
        catalog.operations().stream()
            .filter(operation -> operation.body() instanceof Body.Opaque)
            .count();
    assertEquals(OPAQUE, opaque);
  }
}
