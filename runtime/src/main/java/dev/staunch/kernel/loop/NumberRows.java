package dev.staunch.kernel.loop;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Rows of float32 numbers, for a loop that takes rows only: each operand that is one number, in as
 * many copies as a tile has elements.
 */
final class NumberRows implements AutoCloseable {
  private final @Nullable DenseTensor[] rows;

  private NumberRows(int operands) {
    rows = new DenseTensor[operands];
  }

  /** Whether {@code operand} is one number of the dtype of the others. */
  static boolean fits(Object operand, DType computed) {
    return computed == DType.FLOAT32
        && (operand instanceof DenseTensor tensor
            ? tensor.elements() == 1 && tensor.dtype() == computed
            : !(operand instanceof ComplexNumber));
  }

  /** Rows for those of the operands that {@link #fits} holds for; null if there is no memory. */
  static @Nullable NumberRows of(Call call, Object[] operands, long width) {
    Shape shape = Shape.of(Math.min(width, Tile.SIZE));
    NumberRows made = new NumberRows(operands.length);
    for (int k = 0; k < operands.length; k++) {
      if (fits(operands[k], DType.FLOAT32)) {
        if (!(DenseTensor.allocate(call.scope(), DType.FLOAT32, shape)
            instanceof DenseTensor row)) {
          made.close();
          return null;
        }
        made.rows[k] = row;
        float number = (float) number(operands[k]);
        for (long i = 0; i < shape.elements(); i++) {
          row.segment().setAtIndex(JAVA_FLOAT, i, number);
        }
      }
    }
    return made;
  }

  private static double number(Object operand) {
    return operand instanceof DenseTensor tensor
        ? Elements.asDouble(tensor.segment(), DType.FLOAT32, tensor.layout().offset())
        : Scalars.real(operand, DType.FLOAT32);
  }

  /** Whether a row stands for operand {@code k}. */
  boolean has(int k) {
    return rows[k] != null;
  }

  /** What is read for operand {@code k}: its row, or else the memory of {@code source}. */
  MemorySegment segment(int k, Object source) {
    DenseTensor row = rows[k];
    return row == null ? ((Operand) source).segment() : row.segment();
  }

  @Override
  public void close() {
    for (DenseTensor row : rows) {
      if (row != null) {
        row.close();
      }
    }
  }
}
