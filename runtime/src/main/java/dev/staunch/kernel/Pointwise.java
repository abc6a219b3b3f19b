package dev.staunch.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The loops of pointwise operations: broadcasting, in the result's dtype, polling for cancellation.
 */
final class Pointwise {
  private static final int POLL = 1 << 14;

  private Pointwise() {}

  /** How to combine two elements: as reals, and exactly as integers where that differs. */
  record Rule(DoubleBinaryOperator reals, LongBinaryOperator integers) {}

  /**
   * The fault of computing in {@code target}, or null once it is filled. Elements are combined as
   * {@code computed} says, which for comparisons is not the target's dtype.
   */
  static @Nullable Fault fill(
      Call call, DenseTensor target, DType computed, Object a, Object b, Rule rule) {
    if (flatFloats(target, computed, a, b)) {
      return fillFloats(call, target, (DenseTensor) a, b, rule.reals());
    }
    Shape shape = target.shape();
    Cursor left = new Cursor(a, shape);
    Cursor right = new Cursor(b, shape);
    Cursor out = new Cursor(target, shape);
    boolean real = computed.isFloating();
    for (long i = 0, count = shape.elements(); i < count; i++) {
      Fault stop = i % POLL == POLL - 1 ? call.environment().cancelled() : null;
      if (stop != null) {
        return stop;
      }
      if (real) {
        out.putReal(rule.reals().applyAsDouble(left.real(), right.real()));
      } else {
        out.putInteger(rule.integers().applyAsLong(left.integer(), right.integer()));
      }
      left.advance();
      right.advance();
      out.advance();
    }
    return null;
  }

  private static boolean flatFloats(DenseTensor target, DType computed, Object a, Object b) {
    return computed == DType.FLOAT32
        && isFlat(target, target)
        && isFlat(a, target)
        && (isFlat(b, target) || b instanceof Double || b instanceof Long);
  }

  private static boolean isFlat(Object operand, DenseTensor target) {
    return operand instanceof DenseTensor tensor
        && tensor.dtype() == DType.FLOAT32
        && tensor.isContiguous()
        && tensor.shape().equals(target.shape());
  }

  private static @Nullable Fault fillFloats(
      Call call, DenseTensor target, DenseTensor a, Object b, DoubleBinaryOperator rule) {
    MemorySegment out = target.segment();
    MemorySegment left = a.segment();
    long to = target.layout().offset();
    long from = a.layout().offset();
    double scalar = b instanceof DenseTensor ? 0 : Scalars.real(b);
    MemorySegment right = b instanceof DenseTensor tensor ? tensor.segment() : null;
    long other = b instanceof DenseTensor tensor ? tensor.layout().offset() : 0;
    for (long i = 0, count = target.elements(); i < count; i++) {
      Fault stop = i % POLL == POLL - 1 ? call.environment().cancelled() : null;
      if (stop != null) {
        return stop;
      }
      double x = left.getAtIndex(JAVA_FLOAT, from + i);
      double y = right == null ? scalar : right.getAtIndex(JAVA_FLOAT, other + i);
      out.setAtIndex(JAVA_FLOAT, to + i, (float) rule.applyAsDouble(x, y));
    }
    return null;
  }

  /** A new tensor of {@code dtype}; or a fault. */
  static Object binary(Call call, DType dtype, DType computed, Object a, Object b, Rule rule) {
    Fault unsupported = Promotion.unsupported("this operation", computed);
    if (unsupported != null) {
      return unsupported;
    }
    Object shape = shape(a, b);
    if (shape instanceof Fault fault) {
      return fault;
    }
    Object made = call.allocate(dtype, (Shape) shape);
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Fault fault = fill(call, target, computed, a, b, rule);
    if (fault != null) {
      target.close();
      return fault;
    }
    return target;
  }

  private static Object shape(Object a, Object b) {
    Shape left = a instanceof DenseTensor tensor ? tensor.shape() : Shape.SCALAR;
    Shape right = b instanceof DenseTensor tensor ? tensor.shape() : Shape.SCALAR;
    return Broadcast.shape(left, right);
  }

  /** Writes the first operand; the result is a view of it, or a fault. */
  static Object inPlace(Call call, DType computed, Object other, Rule rule) {
    DenseTensor self = call.tensor(0);
    Fault fault = Promotion.unsupported("this operation", computed);
    fault = fault == null ? Promotion.inPlace(computed, self.dtype()) : fault;
    fault = fault == null ? overlapping(self) : fault;
    if (fault != null) {
      return fault;
    }
    Object shape = shape(self, other);
    if (shape instanceof Fault mismatch) {
      return mismatch;
    }
    if (!shape.equals(self.shape())) {
      String text = "output with shape %s doesn't match the broadcast shape %s";
      return Fault.shape(text.formatted(self.shape(), shape));
    }
    fault = fill(call, self, computed, self, other, rule);
    return fault == null ? self.view(call.scope(), self.layout()) : fault;
  }

  /** The fault of writing a tensor whose elements share memory, or null. */
  static @Nullable Fault overlapping(DenseTensor self) {
    for (int i = 0; i < self.rank(); i++) {
      if (self.layout().stride(i) == 0 && self.shape().size(i) > 1) {
        return Fault.value(
            "unsupported operation: more than one element of the written-to tensor refers to a"
                + " single memory location; `clone` the tensor before the operation");
      }
    }
    return null;
  }
}
