package dev.staunch.kernel.algebra;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.Shape;
import java.util.List;

/** Cholesky and Householder factorisations. */
final class FactorOperations {
  private FactorOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder failing = catalog.with(Trait.FAILS_ON_VALUES);
    MatrixFunction.add(
        failing,
        "aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor",
        operands -> cholesky(operands, "linalg_cholesky", false, true));
    Composite.addMany(
        failing,
        "aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) ->"
            + " (Tensor L, Tensor info)",
        (steps, call) ->
            SolvingOperations.told(
                steps,
                MatrixFunction.step(
                    steps,
                    operands -> cholesky(operands, "linalg_cholesky_ex", true, call.bool(2)),
                    call.value(0),
                    call.value(1))));
    MatrixFunction.add(
        failing,
        "aten::cholesky(Tensor self, bool upper=False) -> Tensor",
        operands -> cholesky(operands, "cholesky", false, true));
    MatrixFunction.addMany(
        catalog,
        "aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)",
        operands -> factors(operands, "linalg_qr", operands.string(1)));
    MatrixFunction.addMany(
        catalog,
        "aten::qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)",
        operands -> factors(operands, "qr", operands.bool(1) ? "reduced" : "complete"));
    MatrixFunction.addMany(
        catalog, "aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)", FactorOperations::packed);
  }

  /** R on and above the diagonal, the vectors of the reflections below it, and their factors. */
  private static Object packed(Operands call) {
    TensorForm matrix = call.form(0);
    Fault fault = Matrices.misfit("geqrf", matrix);
    if (fault != null) {
      return fault;
    }
    int rows = Shape.asInt(Matrices.rows(matrix));
    int columns = Shape.asInt(Matrices.columns(matrix));
    return new Matrices.Mapping(
        1,
        2.0 * rows * columns * Math.min(rows, columns),
        List.of(new long[] {rows, columns}, new long[] {Math.min(rows, columns)}),
        (in, out, poll) -> {
          new Orthogonal(in[0], rows, columns, poll).packed(out[0], out[1]);
          return null;
        });
  }

  private static Object cholesky(Operands call, String name, boolean tells, boolean checks) {
    TensorForm matrix = call.form(0);
    Fault fault = Matrices.notSquareNumbers(name, matrix);
    if (fault != null) {
      return fault;
    }
    int size = Matrices.height(matrix);
    int parts = size == Matrices.rows(matrix) ? 1 : 2;
    boolean upper = call.bool(1);
    return new Matrices.Mapping(
        1,
        Math.pow(size, 3) / 3,
        SolvingOperations.shapes(tells, size, size),
        1,
        (in, out, poll) -> {
          double[] source = upper ? Triangles.transposed(in[0], size, size, poll) : in[0];
          for (int i = 1; parts == 2 && i < size; i += 2) {
            source[i * size + i - 1] = 0; // the diagonal counts as real
          }
          int minor = (Triangles.cholesky(source, size, out[0], poll) + parts - 1) / parts;
          if (tells) {
            out[1][0] = minor;
          }
          if (checks && minor > 0) {
            String text =
                "%s takes positive definite matrices, but the leading minor of order %d is not"
                    + " positive";
            return Fault.value(Message.of(text, name, minor));
          }
          if (upper) {
            out[0] = Triangles.transposed(out[0], size, size, poll);
          }
          return null;
        });
  }

  private static Object factors(Operands call, String name, String mode) {
    TensorForm matrix = call.form(0);
    Fault fault = Matrices.misfitNumbers(name, matrix);
    if (fault != null) {
      return fault;
    }
    if (!List.of("reduced", "complete", "r").contains(mode)) {
      return Fault.value("`mode` is 'reduced', 'complete' or 'r', but it is '" + mode + "'")
          .withExpected("'reduced', 'complete' or 'r'", "'" + mode + "'");
    }
    int rows = Shape.asInt(Matrices.rows(matrix));
    int columns = Shape.asInt(Matrices.columns(matrix));
    int width = mode.equals("complete") ? rows : Math.min(rows, columns);
    boolean only = mode.equals("r");
    int parts = Matrices.parts(matrix.dtype());
    return new Matrices.Mapping(
        1,
        2.0 * parts * rows * columns * Math.max(rows, columns),
        List.of(
            only ? new long[] {0} : new long[] {(long) parts * rows, (long) parts * width},
            new long[] {(long) parts * width, (long) parts * columns}),
        (in, out, poll) -> {
          if (parts == 2) {
            ComplexMatrix source = ComplexMatrix.ofBlocks(in[0], rows, columns);
            Unitary reflections = new Unitary(source, rows, poll);
            if (!only) {
              reflections.basis(width).putBlocks(out[0]);
            }
            reflections.upper(width).putBlocks(out[1]);
            return null;
          }
          Orthogonal reflections = new Orthogonal(in[0], rows, columns, poll);
          if (!only) {
            reflections.basis(out[0], width);
          }
          reflections.upper(out[1], width);
          return null;
        });
  }
}
