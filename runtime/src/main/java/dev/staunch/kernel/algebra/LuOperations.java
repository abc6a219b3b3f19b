package dev.staunch.kernel.algebra;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The factors P, L and U of matrices, and solutions based on them. */
final class LuOperations {
  private static final String PIVOT = "(Tensor A, *, bool pivot=True";

  private LuOperations() {}

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder catalog = plain.with(Trait.FAILS_ON_VALUES);
    Composite.addMany(
        catalog,
        "aten::linalg_lu_factor_ex"
            + PIVOT
            + ", bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info)",
        (steps, call) -> factored(steps, call.value(0), call.bool(1), call.bool(2)));
    Composite.addMany(
        catalog,
        "aten::linalg_lu_factor" + PIVOT + ") -> (Tensor LU, Tensor pivots)",
        (steps, call) -> {
          Object factors = factored(steps, call.value(0), call.bool(1), true);
          return factors instanceof Object[] all ? Arrays.copyOf(all, 2) : factors;
        });
    Composite.addMany(
        catalog,
        "aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU,"
            + " Tensor pivots, Tensor info)", // libtorch leaves errors to `info`, whatever is asked
        (steps, call) -> factored(steps, call.value(0), call.bool(1), false));
    Composite.addMany(
        plain,
        "aten::linalg_lu" + PIVOT + ") -> (Tensor P, Tensor L, Tensor U)",
        (steps, call) -> {
          Object factors = factored(steps, call.value(0), call.bool(1), false);
          return factors instanceof Object[] all
              ? unpacked(steps, all[0], all[1], call.bool(1))
              : factors;
        });
    Composite.addMany(
        plain.withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64)),
        "aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool"
            + " unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)",
        LuOperations::unpacked);
    Composite.add(
        plain.withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64)),
        "aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool"
            + " adjoint=False) -> Tensor",
        (steps, call) ->
            solved(steps, call.value(0), call.value(1), call.value(2), call.bool(3), call.bool(4)));
    Composite.add(
        plain.withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64)),
        "aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor",
        (steps, call) -> solved(steps, call.value(1), call.value(2), call.value(0), true, false));
  }

  /** A result of one number per matrix, as int32; the numbers fit it. */
  static Object integers(Steps steps, Object tensor) {
    return steps.cast(tensor, DType.INT32);
  }

  /** LU, the pivots and info; or a fault. */
  private static Object factored(Steps steps, Object matrix, boolean pivoting, boolean checks) {
    Object all =
        MatrixFunction.step(steps, operands -> mapping(operands, pivoting, checks), matrix);
    return all instanceof Object[] three
        ? new Object[] {three[0], integers(steps, three[1]), integers(steps, three[2])}
        : all;
  }

  private static Object mapping(Operands call, boolean pivoting, boolean checks) {
    TensorForm matrix = call.form(0);
    Fault fault = Matrices.misfit("lu_factor", matrix);
    if (fault != null) {
      return fault;
    }
    int rows = Shape.asInt(Matrices.rows(matrix));
    int columns = Shape.asInt(Matrices.columns(matrix));
    int least = Math.min(rows, columns);
    return new Matrices.Mapping(
        1,
        (double) rows * columns * least,
        List.of(new long[] {rows, columns}, new long[] {least}, new long[0]),
        (in, out, poll) -> {
          Elimination factors = Elimination.of(in[0], rows, columns, pivoting, poll);
          out[0] = in[0];
          out[1] = factors.pivots();
          out[2][0] = factors.singularAt() + 1;
          return checks && factors.singularAt() >= 0
              ? Fault.value(
                  "the factor U is singular: its pivot " + (factors.singularAt() + 1) + " is zero")
              : null;
        });
  }

  private static Object unpacked(Steps steps, Operands call) {
    Fault fault = Matrices.misfit("lu_unpack", call.form(0));
    if (fault != null) {
      return fault;
    }
    Object made = unpacked(steps, call.value(0), call.value(1), call.bool(3));
    if (!(made instanceof Object[] all) || call.bool(2)) {
      return made;
    }
    Object none = steps.run("new_zeros", call.value(0), Steps.ints(0));
    return new Object[] {all[0], none, steps.run("clone", none, None.NONE)};
  }

  /** P, L and U; without {@code pivoting} P has no elements. */
  private static Object unpacked(Steps steps, Object lu, Object pivots, boolean pivoting) {
    if (!Steps.isTensor(lu) || !Steps.isTensor(pivots)) {
      return Steps.isTensor(lu) ? pivots : lu;
    }
    TensorForm both = Steps.form(lu);
    Fault fault = pivoting ? misfit(both, Steps.form(pivots)) : null;
    if (fault != null) {
      return fault;
    }
    long rows = Matrices.rows(both);
    long columns = Matrices.columns(both);
    long least = Math.min(rows, columns);
    Object left = steps.run("narrow", lu, -1L, 0L, least);
    Object one = steps.run("eye.m", rows, least, (long) both.dtype().code());
    Object lower = steps.sum(steps.run("tril", left, -1L), one);
    Object upper = steps.run("triu", steps.run("narrow", lu, -2L, 0L, least));
    Object order =
        pivoting
            ? MatrixFunction.step(steps, LuOperations::permutation, lu, column(steps, pivots, both))
            : steps.run("new_zeros", lu, Steps.ints(0));
    for (Object each : new Object[] {order, lower, upper}) {
      if (!Steps.isTensor(each)) {
        return each;
      }
    }
    return new Object[] {order, lower, upper};
  }

  /** A fault unless there is an integer for each row or column of each matrix. */
  private static @Nullable Fault misfit(TensorForm lu, TensorForm pivots) {
    long[] sizes = Arrays.copyOf(lu.shape().toArray(), lu.rank() - 1);
    sizes[sizes.length - 1] = Math.min(Matrices.rows(lu), Matrices.columns(lu));
    Shape expected = Shape.of(sizes);
    if (pivots.dtype().kind() != DType.Kind.INTEGRAL) {
      return Fault.dtype("pivots are integers, but these are " + pivots.dtype())
          .withExpected(ExpectedDType.of(DType.INT32), pivots.dtype());
    }
    return pivots.shape().equals(expected)
        ? null
        : OperandChecks.shape(
            Message.of("pivots of %s for factors of %s", pivots.shape(), lu.shape()),
            expected.toString(),
            pivots.shape());
  }

  /** The pivots as matrices of one column, with the dtype of {@code like}. */
  private static Object column(Steps steps, Object pivots, TensorForm like) {
    return steps.cast(steps.run("unsqueeze", pivots, -1L), like.dtype());
  }

  private static Object permutation(Operands call) {
    int rows = Shape.asInt(Matrices.rows(call.form(0)));
    return new Matrices.Mapping(
        2,
        (double) rows * rows,
        List.of(new long[] {rows, rows}),
        (in, out, poll) -> {
          int[] order = order(in[1], rows);
          Arrays.fill(out[0], 0);
          for (int i = 0; order.length > 0 && i < rows; i++) {
            out[0][order[i] * rows + i] = 1;
          }
          return order.length < rows ? Fault.value("pivots are numbers of rows from 1 on") : null;
        });
  }

  /**
   * The row of the matrix that each row of the factors comes from; empty if a pivot is out of
   * range.
   */
  private static int[] order(double[] pivots, int rows) {
    int[] order = new int[rows];
    Arrays.setAll(order, i -> i);
    for (int k = 0; k < pivots.length; k++) {
      int other = (int) pivots[k] - 1;
      if (other < 0 || other >= rows) {
        return new int[0];
      }
      int held = order[k];
      order[k] = order[other];
      order[other] = held;
    }
    return order;
  }

  private static Object solved(
      Steps steps, Object lu, Object pivots, Object right, boolean left, boolean adjoint) {
    TensorForm both = Steps.form(lu);
    Fault fault = Matrices.notSquare("lu_solve", both);
    if (fault == null && Steps.form(right).rank() < 2) {
      Shape shape = Steps.form(right).shape();
      fault =
          OperandChecks.shape(
              "lu_solve takes matrices, but the shape is " + shape, "[n, k]", shape);
    }
    if (fault != null) {
      return fault;
    }
    Object parts = unpacked(steps, lu, pivots, true);
    if (!(parts instanceof Object[] all)) {
      return parts;
    }
    Object turned = left ? right : turned(steps, right);
    Object solution =
        adjoint == left
            ? steps.run(
                "matmul",
                all[0],
                triangular(
                    steps,
                    turned(steps, all[1]),
                    triangular(steps, turned(steps, all[2]), turned, false, false),
                    true,
                    true))
            : triangular(
                steps,
                all[2],
                triangular(
                    steps, all[1], steps.run("matmul", turned(steps, all[0]), turned), false, true),
                true,
                false);
    return left ? solution : turned(steps, solution);
  }

  private static Object turned(Steps steps, Object matrix) {
    return steps.run("transpose.int", matrix, -2L, -1L);
  }

  private static Object triangular(Steps steps, Object a, Object b, boolean upper, boolean unit) {
    return steps.run("linalg_solve_triangular", a, b, upper, true, unit);
  }
}
