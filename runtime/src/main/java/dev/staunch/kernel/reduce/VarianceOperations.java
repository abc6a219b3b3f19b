package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;

/** Variances and standard deviations, alone or together with the means. */
final class VarianceOperations {
  /** The indices of the arguments; -1 for none. */
  private record Form(int dims, int unbiased, int correction, int keep) {}

  private static final Form ALL = new Form(-1, 1, -1, -1);
  private static final Form DIMS = new Form(1, 2, -1, 3);
  private static final Form CORRECTED = new Form(1, -1, 2, 3);

  private VarianceOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (boolean root : new boolean[] {false, true}) {
      String name = root ? "std" : "var";
      forms(catalog, name, root, false);
      forms(catalog, name + "_mean", root, true);
    }
  }

  private static void forms(Catalog.Builder catalog, String name, boolean root, boolean mean) {
    form(catalog, name + "(Tensor self, bool unbiased=True)", ALL, root, mean);
    form(
        catalog,
        name + ".dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False)",
        DIMS,
        root,
        mean);
    form(
        catalog,
        name
            + ".correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None,"
            + " bool keepdim=False)",
        CORRECTED,
        root,
        mean);
  }

  private static void form(
      Catalog.Builder catalog, String head, Form form, boolean root, boolean mean) {
    if (mean) {
      catalog
          .withInference(operands ->
              switch (result(operands, form)) {
                case TensorForm known -> new Object[] {known, known};
                case Object fault -> fault;
              })
          .many(
              "aten::" + head + " -> (Tensor, Tensor)",
              call -> {
                Object spread = spread(call, form, root);
                Object means = spread instanceof Fault ? spread : means(call, form);
                if (means instanceof Fault && spread instanceof DenseTensor made) {
                  made.close();
                }
                return means instanceof Fault ? means : new Object[] {spread, means};
              });
    } else {
      catalog
          .withInference(operands -> result(operands, form))
          .one("aten::" + head + " -> Tensor", call -> spread(call, form, root));
    }
  }

  private static Object result(Operands operands, Form form) {
    DType dtype = operands.dtype(0);
    if (dtype.kind() != DType.Kind.COMPLEX && !dtype.isFloating()) {
      return Fault.dtype("std and var take a floating dtype, but the tensor is " + dtype)
          .withExpected(ExpectedDType.FLOATING_POINT, dtype);
    }
    Object shape =
        ReductionOperands.shape(
            operands, "var", dtype, dims(operands, form), keeps(operands, form));
    return shape instanceof Shape left ? TensorForm.contiguous(dtype, left) : shape;
  }

  private static long[] dims(Operands operands, Form form) {
    return form.dims() < 0 ? new long[0] : ReductionOperands.dims(operands, form.dims());
  }

  private static boolean keeps(Operands operands, Form form) {
    return form.keep() >= 0 && operands.bool(form.keep());
  }

  private static Object over(Call call, Form form) {
    return result(call, form) instanceof Fault fault
        ? fault
        : Reduction.over(call.tensor(0), dims(call, form), keeps(call, form));
  }

  private static Object means(Call call, Form form) {
    Object over = over(call, form);
    return over instanceof Reduction reduction
        ? reduction.sums(call, call.tensor(0).dtype(), reduction.count)
        : over;
  }

  private static Object spread(Call call, Form form, boolean root) {
    Object over = over(call, form);
    if (!(over instanceof Reduction reduction)) {
      return over;
    }
    double divisor =
        reduction.count == 0 ? 0 : Math.max(0, reduction.count - correction(call, form));
    return reduction.reals(
        call,
        call.tensor(0).dtype(),
        row ->
            root
                ? Math.sqrt(squares(row, reduction.count) / divisor)
                : squares(row, reduction.count) / divisor);
  }

  private static double correction(Call call, Form form) {
    if (form.correction() < 0) {
      return call.bool(form.unbiased()) ? 1 : 0;
    }
    return call.isNone(form.correction()) ? 1 : Scalars.real(call.scalar(form.correction()));
  }

  private static double squares(RealRow row, int count) {
    double mean = Reduction.sum(row) / count;
    double squares = 0;
    for (row.rewind(); row.advance(); ) {
      int n = row.count();
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
      }
    }
    return squares;
  }
}
