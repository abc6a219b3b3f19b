package dev.staunch.kernel;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

/** Reads an operand, a tensor or a scalar, element by element in the order of the result. */
final class Cursor {
  private final Object scalar;
  private final MemorySegment segment;
  private final DType dtype;
  private final Layout layout;
  private final long[] index;
  private final boolean flat;
  private long at;

  Cursor(Object operand, Shape target) {
    if (operand instanceof DenseTensor tensor) {
      scalar = Kernel.None.NONE;
      segment = tensor.segment();
      dtype = tensor.dtype();
      layout = Broadcast.stretch(tensor.layout(), target);
    } else {
      scalar = operand;
      segment = MemorySegment.NULL;
      dtype = DType.FLOAT64;
      layout = Layout.contiguous(Shape.SCALAR);
    }
    index = new long[layout.shape().rank()];
    flat = layout.isContiguous();
    at = layout.offset();
  }

  double real() {
    return scalar == Kernel.None.NONE
        ? Elements.asDouble(segment, dtype, at)
        : Scalars.real(scalar);
  }

  long integer() {
    return scalar == Kernel.None.NONE
        ? Elements.asLong(segment, dtype, at)
        : scalar instanceof Double real ? (long) (double) real : Scalars.integer(scalar);
  }

  void putReal(double value) {
    Elements.putDouble(segment, dtype, at, value);
  }

  void putInteger(long value) {
    Elements.putLong(segment, dtype, at, value);
  }

  void advance() {
    if (scalar != Kernel.None.NONE) {
      return;
    }
    if (flat) {
      at++;
      return;
    }
    for (int d = index.length - 1; d >= 0; d--) {
      at += layout.stride(d);
      if (++index[d] < layout.shape().size(d)) {
        return;
      }
      at -= layout.stride(d) * layout.shape().size(d);
      index[d] = 0;
    }
  }
}
