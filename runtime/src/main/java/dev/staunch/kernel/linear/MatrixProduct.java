package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Environment;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/**
 * The product of two matrices, in plain Java: {@code c += alpha * a * b}.
 *
 * <p>Works on one panel of {@code b} at a time, copied to the heap, since C2 vectorises loops over
 * arrays but not over memory segments. Sums of {@link #DEPTH} products are formed apart and then
 * added to {@code c}, which keeps float32 close to the exact result for long rows.
 */
public final class MatrixProduct {
  /** Rows of a panel of {@code b}. */
  static final int DEPTH = 128;

  /** Columns of a panel of {@code b}. */
  static final int WIDTH = 512;

  private MatrixProduct() {}

  static boolean supports(DType dtype) {
    return switch (dtype) {
      case FLOAT32, FLOAT64, INT64, INT32, INT16, INT8, UINT8 -> true;
      case FLOAT16, BFLOAT16, BOOL, COMPLEX64, COMPLEX128 -> false;
    };
  }

  /**
   * Adds the product to {@code c}. All three have one dtype, which {@link #supports} accepts;
   * {@code c} has column stride 1 and shares no memory with the others.
   *
   * @return the fault of a cancellation; {@code c} is then undefined
   */
  public static @Nullable Fault add(
      Environment environment, MatrixView a, MatrixView b, MatrixView c, Object alpha) {
    if (a.columns() == 0 || c.rows() == 0 || c.columns() == 0) {
      return null;
    }
    boolean narrow = c.columns() == 1 && c.rows() > 1 && c.rowStride() == 1;
    return narrow
        ? addWide(environment, b.transposed(), a.transposed(), c.transposed(), alpha)
        : addWide(environment, a, b, c, alpha);
  }

  private static @Nullable Fault addWide(
      Environment environment, MatrixView a, MatrixView b, MatrixView c, Object alpha) {
    return switch (c.dtype()) {
      case FLOAT32 -> {
        float factor = ((Number) alpha).floatValue();
        yield new FloatProduct(environment, a, b, c, factor).run();
      }
      case FLOAT64 -> {
        double factor = ((Number) alpha).doubleValue();
        yield new DoubleProduct(environment, a, b, c, factor).run();
      }
      default -> new LongProduct(environment, a, b, c, ((Number) alpha).longValue()).run();
    };
  }
}
