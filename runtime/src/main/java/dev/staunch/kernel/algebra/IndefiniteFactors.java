package dev.staunch.kernel.algebra;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The factors L and D of symmetric matrices, and solutions based on them. D has blocks of one or
 * two rows; pivots are rows counted from 1, and negative, twice, for a block of two.
 */
final class IndefiniteFactors {
  private IndefiniteFactors() {}

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder catalog = plain.with(Trait.FAILS_ON_VALUES);
    Composite.addMany(
        catalog,
        "aten::linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False)"
            + " -> (Tensor LD, Tensor pivots, Tensor info)",
        (steps, call) -> factored(steps, call, call.bool(2)));
    Composite.addMany(
        catalog,
        "aten::linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor"
            + " pivots)",
        (steps, call) -> {
          Object all = factored(steps, call, true);
          return all instanceof Object[] three ? Arrays.copyOf(three, 2) : all;
        });
    Composite.add(
        catalog.out("out").withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64)),
        "aten::linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) ->"
            + " Tensor",
        IndefiniteFactors::solved);
  }

  private static Object factored(Steps steps, Operands call, boolean checks) {
    Object all = MatrixFunction.step(steps, operands -> factors(operands, checks), call.value(0));
    return all instanceof Object[] three
        ? new Object[] {
          three[0], LuOperations.integers(steps, three[1]), LuOperations.integers(steps, three[2])
        }
        : all;
  }

  private static Object factors(Operands call, boolean checks) {
    TensorForm matrix = call.form(0);
    Fault fault = Matrices.notSquare("linalg_ldl_factor", matrix);
    if (fault != null) {
      return fault;
    }
    int size = Shape.asInt(Matrices.rows(matrix));
    return new Matrices.Mapping(
        1,
        Math.pow(size, 3) / 3,
        List.of(new long[] {size, size}, new long[] {size}, new long[0]),
        (in, out, poll) -> {
          SymmetricElimination elimination = new SymmetricElimination(in[0], out[1], size);
          int singular = elimination.run(poll);
          Arrays.fill(out[0], 0);
          for (int i = 0; i < size; i++) {
            System.arraycopy(in[0], i * size, out[0], i * size, i + 1);
          }
          out[2][0] = singular + 1;
          return checks && singular >= 0
              ? Fault.value("the factor D is singular: its block " + (singular + 1) + " is zero")
              : null;
        });
  }

  private static Object solved(Steps steps, Operands call) {
    TensorForm factors = call.form(0);
    TensorForm pivots = call.form(1);
    Fault fault = Matrices.notSquare("linalg_ldl_solve", factors);
    if (fault == null) {
      fault = Matrices.sameDType("linalg_ldl_solve", factors, "B", call.form(2));
    }
    if (fault == null && pivots.dtype().kind() != DType.Kind.INTEGRAL) {
      fault =
          Fault.dtype("pivots are integers, but these are " + pivots.dtype())
              .withExpected(ExpectedDType.of(DType.INT32).in("pivots"), pivots.dtype());
    }
    long[] sizes = Arrays.copyOf(factors.shape().toArray(), Math.max(1, factors.rank() - 1));
    if (fault == null && !pivots.shape().equals(Shape.of(sizes))) {
      fault =
          OperandChecks.shape(
              Message.of("pivots of %s for factors of %s", pivots.shape(), factors.shape()),
              Shape.of(sizes).toString(),
              pivots.shape());
    }
    if (fault != null) {
      return fault;
    }
    Object column = steps.cast(steps.run("unsqueeze", call.value(1), -1L), factors.dtype());
    Object packed = steps.run("cat", Steps.list(call.value(0), column), -1L);
    Object both = SolvingOperations.paired("linalg_ldl_solve", steps, packed, call.value(2), 1);
    return both instanceof List<?> pair
        ? MatrixFunction.step(steps, IndefiniteFactors::solution, pair.get(0), pair.get(1))
        : both;
  }

  /** The solution for factors that have their pivots as a last column. */
  private static Object solution(Operands call) {
    int size = Shape.asInt(Matrices.rows(call.form(0)));
    int columns = Shape.asInt(Matrices.columns(call.form(1)));
    return new Matrices.Mapping(
        2,
        2.0 * size * size * Math.max(1, columns),
        List.of(new long[] {size, columns}),
        (in, out, poll) -> {
          double[] factors = new double[size * size];
          double[] pivots = new double[size];
          for (int i = 0; i < size; i++) {
            System.arraycopy(in[0], i * (size + 1), factors, i * size, size);
            pivots[i] = in[0][i * (size + 1) + size];
          }
          if (!arePivots(pivots)) {
            return Fault.value("pivots are numbers of rows from 1 on, negative for pairs of rows");
          }
          System.arraycopy(in[1], 0, out[0], 0, out[0].length);
          new SymmetricElimination(factors, pivots, size).solve(out[0], columns, poll);
          return null;
        });
  }

  private static boolean arePivots(double[] pivots) {
    for (int k = 0; k < pivots.length; k += pivots[k] > 0 ? 1 : 2) {
      double row = Math.abs(pivots[k]);
      boolean alone = k + 1 == pivots.length || pivots[k + 1] != pivots[k];
      if (row < 1 || row > pivots.length || (pivots[k] < 0 && alone)) {
        return false;
      }
    }
    return true;
  }
}
