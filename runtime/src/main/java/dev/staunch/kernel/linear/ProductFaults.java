package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.TensorForm;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The faults of a product's operands. */
public final class ProductFaults {
  private ProductFaults() {}

  static @Nullable Fault dtypes(
      String operation, TensorForm a, TensorForm b, @Nullable TensorForm addend) {
    if (a.dtype() != b.dtype()) {
      return mixed(a.dtype(), b.dtype());
    }
    if (addend != null && addend.dtype() != a.dtype()) {
      return mixed(a.dtype(), addend.dtype());
    }
    if (!takes(a.dtype())) {
      return Fault.unsupported(Message.of("%s is not implemented for %s", operation, a.dtype()))
          .withExpected(ExpectedDType.of(DType.FLOAT32, DType.FLOAT64).ofAll(), a.dtype());
    }
    return null;
  }

  private static boolean takes(DType dtype) {
    return switch (dtype) {
      case FLOAT32, FLOAT64, INT64, INT32, INT16, INT8, UINT8 -> true;
      case FLOAT16, BFLOAT16, BOOL, COMPLEX64, COMPLEX128 -> false;
    };
  }

  private static Fault mixed(DType first, DType second) {
    return Fault.dtype(
            "the operands of a product must have one dtype, but are " + first + " and " + second)
        .withExpected(ExpectedDType.same(second), first);
  }

  /** A fault unless both are real numbers that fit; they are truncated for integers. */
  static @Nullable Fault factors(Object beta, Object alpha, DType dtype) {
    boolean alphaFits = !Scalars.isComplex(alpha);
    return alphaFits && !Scalars.isComplex(beta)
        ? OperandChecks.first(OperandChecks.fits(beta, dtype), OperandChecks.fits(alpha, dtype))
        : Fault.dtype("`alpha` and `beta` must be real for tensors of " + dtype)
            .withExpected(real(alphaFits ? "beta" : "alpha"), "beta=" + beta + ", alpha=" + alpha);
  }

  private static ExpectedDType real(String name) {
    return new ExpectedDType(name + " that is real", null, ExpectedDType.Whose.ONE, name);
  }

  /** A fault unless both are numbers that can scale elements of {@code dtype} exactly. */
  static @Nullable Fault exactFactors(Object beta, Object alpha, DType dtype) {
    boolean exact = dtype.kind() == DType.Kind.INTEGRAL || dtype.kind() == DType.Kind.BOOL;
    boolean alphaFits = !exact || !(alpha instanceof Double);
    return alphaFits && !(exact && beta instanceof Double)
        ? OperandChecks.first(OperandChecks.fits(beta, dtype), OperandChecks.fits(alpha, dtype))
        : Fault.dtype("`alpha` and `beta` must be integers for tensors of " + dtype)
            .withExpected(
                ExpectedDType.INTEGER.in(alphaFits ? "beta" : "alpha"),
                "beta=" + beta + ", alpha=" + alpha);
  }

  static Fault inner(Shape given, Shape a, Shape b) {
    long rows = a.size(a.rank() - 2);
    for (int i = 0; i < a.rank() - 2; i++) {
      rows *= a.size(i);
    }
    long k = b.size(b.rank() - 2);
    return Fault.shape(
            Message.of(
                "a %dx%d matrix cannot be multiplied by a %dx%d matrix",
                rows, a.size(a.rank() - 1), k, b.size(b.rank() - 1)))
        .withExpected(
            given.rank() == 1 ? "input [" + k + "]" : "input [*, " + k + "]", given.toString());
  }

  static Fault batches(Shape a, Shape b) {
    long[] left = Arrays.copyOf(a.toArray(), a.rank() - 2);
    long[] right = Arrays.copyOf(b.toArray(), b.rank() - 2);
    return Fault.shape(
            Message.of(
                "the batch dimensions %s and %s do not broadcast",
                Arrays.toString(left), Arrays.toString(right)))
        .withExpected("batch dimensions that broadcast to " + Arrays.toString(left), b.toString());
  }

  /** A fault unless the operand has this many dimensions. */
  public static @Nullable Fault rank(String name, TensorForm tensor, int rank) {
    if (tensor.rank() == rank) {
      return null;
    }
    String kind = rank == 1 ? "a vector" : rank == 2 ? "a matrix" : "a 3D tensor";
    return Fault.shape(name + " must be " + kind + ", but it is " + tensor.describe())
        .withExpected(Message.count(rank, "dimension"), Message.count(tensor.rank(), "dimension"));
  }

  /** A fault unless two batches of matrices have the same length. */
  static @Nullable Fault sameBatch(TensorForm a, TensorForm b) {
    if (a.shape().size(0) == b.shape().size(0) && a.shape().size(2) == b.shape().size(1)) {
      return null;
    }
    String wanted = "[" + a.shape().size(0) + ", " + a.shape().size(2) + "]";
    String found = "[" + b.shape().size(0) + ", " + b.shape().size(1) + "]";
    return Fault.shape(
            Message.of(
                "the second batch of matrices must begin with the sizes %s, but has %s",
                wanted, found))
        .withExpected(wanted, found);
  }
}
