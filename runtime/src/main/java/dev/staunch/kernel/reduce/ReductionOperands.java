package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** The arguments of reductions: dimensions, dtype, and the resulting shape. */
final class ReductionOperands {
  private ReductionOperands() {}

  /** Adds an operation that first casts elements that the requested dtype would not hold. */
  static void casting(
      Catalog.Builder catalog,
      String name,
      String tail,
      int dtypeAt,
      Inference inference,
      Kernel.One kernel) {
    catalog
        .withInference(operands ->
            makesComplex(operands, dtypeAt)
                ? Inference.Unknown.NOT_INFERRED
                : inference.infer(operands))
        .one(
            "aten::" + name + tail,
            call ->
                makesComplex(call, dtypeAt)
                        || casts(call.tensor(0).dtype(), call.optionalDType(dtypeAt))
                    ? Steps.within(call, (steps, inner) -> cast(steps, inner, name, dtypeAt))
                    : kernel.run(call));
  }

  private static boolean casts(DType own, @Nullable DType asked) {
    if (asked == DType.BOOL) {
      return own != DType.BOOL;
    }
    boolean narrows = asked != null && asked.isFloating() && asked.bytes() < own.bytes();
    return own.isFloating() && (narrows || (asked != null && asked.kind() == DType.Kind.INTEGRAL));
  }

  /** Whether complex numbers are requested of reals, which are then cast before. */
  static boolean makesComplex(Operands operands, int dtypeAt) {
    DType asked = operands.optionalDType(dtypeAt);
    return asked != null
        && asked.kind() == DType.Kind.COMPLEX
        && operands.dtype(0).kind() != DType.Kind.COMPLEX;
  }

  /** The operation on elements cast to the dtype in which it computes. */
  static Object cast(Steps steps, Call call, String name, int dtypeAt) {
    Object[] arguments = call.arguments();
    arguments[0] = steps.cast(call.tensor(0), accumulated(call, dtypeAt));
    return steps.run(name, arguments);
  }

  /** An optional list of dimensions; none means all. */
  static long[] dims(Operands operands, int i) {
    return operands.isNone(i) ? new long[0] : operands.integers(i);
  }

  /** The dtype of sums and products: integers become int64. */
  static DType accumulated(Operands operands, int dtypeAt) {
    DType asked = operands.optionalDType(dtypeAt);
    DType own = operands.dtype(0);
    boolean exact = own.kind() == DType.Kind.INTEGRAL || own.kind() == DType.Kind.BOOL;
    return asked != null ? asked : exact ? DType.INT64 : own;
  }

  /** The groups to reduce; or a fault, also for complex dtypes. */
  static Object over(Call call, String name, DType dtype, long[] dims, boolean keep) {
    Fault fault = complex(call, name, dtype);
    return fault == null ? Reduction.over(call.tensor(0), dims, keep) : fault;
  }

  /** The shape that a reduction leaves; or a fault, also for complex dtypes. */
  static Object shape(Operands operands, String name, DType dtype, long[] dims, boolean keep) {
    Fault fault = complex(operands, name, dtype);
    return fault == null ? Reduction.shape(operands.shape(0), dims, keep) : fault;
  }

  private static @Nullable Fault complex(Operands operands, String name, DType dtype) {
    return dtype.kind() == DType.Kind.COMPLEX || operands.dtype(0).kind() == DType.Kind.COMPLEX
        ? Fault.unsupported(
            name + " is not implemented for complex numbers; reduce `real` and `imag` apart")
        : null;
  }
}
