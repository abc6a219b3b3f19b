package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.StaunchException;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code linalg_eig}: the order of eigenvectors is unspecified, so the tests check the properties
 * that make them eigenvectors.
 */
class EigenvectorsTest extends OpenContext {
  private Tensor complex(Tensor real) {
    return context.apply("aten::complex", real, context.apply("aten::zeros_like", real));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 25})
  void aMatrixTimesAnEigenvectorIsItTimesTheEigenvalue(int size) {
    double[] numbers = new Random(size).doubles((long) size * size, -1, 1).toArray();
    Tensor matrix = context.of(Shape.of(size, size), numbers);
    Object[] eigen = (Object[]) context.applyValue("aten::linalg_eig", matrix);
    Tensor turned = context.apply("aten::matmul", complex(matrix), eigen[1]);
    Tensor scaled = context.apply("aten::mul.Tensor", eigen[1], eigen[0]);
    assertArrayEquals(parts(scaled), parts(turned), 1e-12);
    Tensor lengths = context.apply("aten::abs", eigen[1]);
    double[] squares =
        context
            .apply(
                "aten::sum.dim_IntList",
                context.apply("aten::mul.Tensor", lengths, lengths),
                List.of(0L))
            .doubles();
    for (double each : squares) {
      assertEquals(1, each, 1e-12);
    }
  }

  @Test
  void complexEigenvaluesOfARealMatrixComeInPairs() {
    Tensor quarterTurn = context.of(Shape.of(2, 2), 0.0, 1, -1, 0);
    Tensor values = context.apply("aten::linalg_eigvals", quarterTurn);
    assertEquals(DType.COMPLEX128, values.dtype());
    assertArrayEquals(new double[] {0, 1, 0, -1}, parts(values), 1e-15);
  }

  @Test
  void realEigenvaluesAreRealToTheLastBit() {
    Tensor matrix = context.of(Shape.of(3, 3), 2.0, 1, 0, 1, 3, 5, 0, 0, 7);
    double[] values = parts(context.apply("aten::linalg_eigvals", matrix));
    assertArrayEquals(new double[3], new double[] {values[1], values[3], values[5]});
  }

  @Test
  void whatIsNoSquareMatrixOfNumbersHasNone() {
    assertThrows(
        StaunchException.class,
        () -> parts(context.apply("aten::linalg_eigvals", context.of(Shape.of(1, 2), 1.0, 2))));
    assertThrows(
        StaunchException.class,
        () -> parts(context.apply("aten::linalg_eigvals", context.of(Shape.of(1, 1), Double.NaN))));
  }
}
