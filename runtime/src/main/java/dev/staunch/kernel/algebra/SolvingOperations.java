package dev.staunch.kernel.algebra;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Solutions of linear equations, inverses and determinants. */
final class SolvingOperations {
  private SolvingOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (String head : new String[] {"linalg_inv(Tensor A)", "inverse(Tensor self)"}) {
      String name = head.substring(0, head.indexOf('('));
      MatrixFunction.add(
          catalog.with(Trait.FAILS_ON_VALUES),
          "aten::" + head + " -> Tensor",
          call -> inverse(call, name, false, true));
    }
    Composite.addMany(
        catalog.with(Trait.FAILS_ON_VALUES),
        "aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
        (steps, call) ->
            told(
                steps,
                MatrixFunction.step(
                    steps,
                    operands -> inverse(operands, "linalg_inv_ex", true, call.bool(1)),
                    call.value(0))));
    Composite.add(
        catalog.with(Trait.FAILS_ON_VALUES),
        "aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
        (steps, call) -> solve(steps, call, false, true));
    Composite.addMany(
        catalog.with(Trait.FAILS_ON_VALUES),
        "aten::linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) ->"
            + " (Tensor result, Tensor info)",
        (steps, call) -> solve(steps, call, true, call.bool(3)));
    for (String head : new String[] {"linalg_det(Tensor A)", "det(Tensor self)"}) {
      String name = head.substring(0, head.indexOf('('));
      MatrixFunction.add(
          catalog,
          "aten::" + head + " -> Tensor",
          call -> of(call, name, 1, (determinant, out) -> determinant.value(out[0])));
    }
    for (String head : new String[] {"linalg_slogdet(Tensor A)", "slogdet(Tensor self)"}) {
      String name = head.substring(0, head.indexOf('('));
      MatrixFunction.addMany(
          catalog,
          "aten::" + head + " -> (Tensor sign, Tensor logabsdet)",
          call ->
              of(
                  call,
                  name,
                  2,
                  (determinant, out) -> {
                    determinant.sign(out[0]);
                    out[1][0] = determinant.logOfAbsolute();
                  }));
    }
    MatrixFunction.add(
        catalog,
        "aten::logdet(Tensor self) -> Tensor",
        call ->
            of(
                call,
                "logdet",
                1,
                (determinant, out) -> {
                  determinant.sign(out[0]);
                  boolean negative = out[0].length == 1 && out[0][0] < 0;
                  if (out[0].length == 2) {
                    boolean zero = out[0][0] == 0 && out[0][1] == 0;
                    out[0][1] = zero ? Double.NaN : Math.atan2(out[0][1], out[0][0]);
                  }
                  out[0][0] = negative ? Double.NaN : determinant.logOfAbsolute();
                }));
    triangles(catalog);
  }

  /** Fills results of one element each from a matrix's determinant. */
  private interface OfDeterminant {
    void fill(Determinant determinant, double[][] out);
  }

  private static Object of(Operands call, String name, int results, OfDeterminant work) {
    TensorForm matrix = call.form(0);
    Fault fault = Matrices.notSquareNumbers(name, matrix);
    if (fault != null) {
      return fault;
    }
    int size = Shape.asInt(Matrices.rows(matrix));
    boolean complex = Matrices.isComplex(matrix);
    long[][] shapes = new long[results][];
    Arrays.fill(shapes, new long[0]);
    return new Matrices.Mapping(
        1,
        Math.pow(size, 3),
        List.of(shapes),
        1,
        (in, out, poll) -> {
          Determinant determinant =
              complex
                  ? Determinant.of(ComplexMatrix.ofBlocks(in[0], size), poll)
                  : Determinant.of(Elimination.of(in[0], size, poll));
          work.fill(determinant, out);
          return null;
        });
  }

  private static Fault singular(String name, int order) {
    String text = "%s cannot go on: the matrix is singular, its pivot %d is zero";
    return Fault.value(Message.of(text, name, order));
  }

  /** A result and its info as int32, or a fault. */
  static Object told(Steps steps, Object both) {
    return both instanceof Object[] two
        ? new Object[] {two[0], LuOperations.integers(steps, two[1])}
        : both;
  }

  /** The shapes of a result and, if {@code tells}, of the info that says where it failed. */
  static List<long[]> shapes(boolean tells, long... result) {
    return tells ? List.of(result, new long[0]) : List.of(result);
  }

  private static Object inverse(Operands call, String name, boolean tells, boolean checks) {
    TensorForm matrix = call.form(0);
    Fault fault = Matrices.notSquareNumbers(name, matrix);
    if (fault != null) {
      return fault;
    }
    int size = Matrices.height(matrix);
    return new Matrices.Mapping(
        1,
        3 * Math.pow(size, 3),
        shapes(tells, size, size),
        1,
        (in, out, poll) -> {
          Elimination factors = Elimination.of(in[0], size, poll);
          factors.solve(Elimination.identity(size), size, out[0], poll);
          return tell(factors, Matrices.parts(matrix.dtype()), name, out, checks);
        });
  }

  /**
   * Writes the order at which a factor is singular, counted from 1, or 0, into the last of several
   * results; if it {@code checks}, returns the fault for a singular factor. A number takes {@code
   * parts} rows.
   */
  private static @Nullable Fault tell(
      Elimination factors, int parts, String name, double[][] out, boolean checks) {
    int order = (factors.singularAt() + parts) / parts;
    if (out.length > 1) {
      out[1][0] = order;
    }
    return checks && order > 0 ? singular(name, order) : null;
  }

  private static Object solve(Steps steps, Operands call, boolean tells, boolean checks) {
    TensorForm matrix = call.form(0);
    TensorForm right = call.form(1);
    Fault fault = Matrices.notSquareNumbers("linalg_solve", matrix);
    fault = fault == null ? Matrices.sameDType("linalg_solve", matrix, "B", right) : fault;
    if (fault != null) {
      return fault;
    }
    long[] sizes = matrix.shape().toArray();
    boolean vector =
        right.rank() == 1
            || (right.rank() == matrix.rank() - 1
                && Arrays.equals(right.shape().toArray(), Arrays.copyOf(sizes, sizes.length - 1)));
    boolean left = call.bool(2);
    if (!left && vector) {
      return Fault.value("linalg_solve with `left` False takes matrices for B");
    }
    Object columns = vector ? steps.run("unsqueeze", call.value(1), -1L) : call.value(1);
    Object a = left ? call.value(0) : steps.run("transpose.int", call.value(0), -2L, -1L);
    Object b = left ? columns : steps.run("transpose.int", columns, -2L, -1L);
    Object both = paired("linalg_solve", steps, a, b);
    if (!(both instanceof List<?> pair)) {
      return both;
    }
    Object made =
        MatrixFunction.step(
            steps, operands -> solved(operands, tells, checks), pair.get(0), pair.get(1));
    Object solution = Steps.pick(made, 0);
    Object turned = left ? solution : steps.run("transpose.int", solution, -2L, -1L);
    Object result = vector ? steps.run("squeeze.dim", turned, -1L) : turned;
    return made instanceof Object[] two ? told(steps, new Object[] {result, two[1]}) : result;
  }

  private static Object solved(Operands call, boolean tells, boolean checks) {
    TensorForm matrix = call.form(0);
    int size = Matrices.height(matrix);
    int columns = Matrices.width(call.form(1));
    return new Matrices.Mapping(
        2,
        Math.pow(size, 3) + (double) size * size * columns,
        shapes(tells, size, columns),
        1,
        (in, out, poll) -> {
          Elimination factors = Elimination.of(in[0], size, poll);
          factors.solve(in[1], columns, out[0], poll);
          return tell(factors, Matrices.parts(matrix.dtype()), "linalg_solve", out, checks);
        });
  }

  private static Object paired(String name, Steps steps, Object a, Object b) {
    return paired(name, steps, a, b, 0);
  }

  /**
   * Both operands broadcast to common batch dimensions, as a list; or a fault.
   *
   * @param more how many columns {@code a} has more than {@code b} has rows
   */
  static Object paired(String name, Steps steps, Object a, Object b, int more) {
    if (!Steps.isTensor(a) || !Steps.isTensor(b)) {
      return Steps.isTensor(a) ? b : a;
    }
    TensorForm matrix = Steps.form(a);
    TensorForm right = Steps.form(b);
    long rows = Matrices.columns(matrix) - more;
    if (right.rank() < 2 || Matrices.rows(right) != rows) {
      String text = "%s takes a right side of %d rows, but its shape is %s";
      return OperandChecks.shape(
          Message.of(text, name, rows, right.shape()), rows + " rows", right.shape());
    }
    long[] first = batch(matrix);
    long[] second = batch(right);
    long[] whole = broadcast(first, second);
    if (whole == null) {
      String text = "the batches of %s and %s do not broadcast";
      return Fault.shape(Message.of(text, matrix.shape(), right.shape()));
    }
    Object wideA = steps.run("expand", a, Steps.ints(with(whole, matrix)));
    Object wideB = steps.run("expand", b, Steps.ints(with(whole, right)));
    if (!Steps.isTensor(wideA) || !Steps.isTensor(wideB)) {
      return Steps.isTensor(wideA) ? wideB : wideA;
    }
    return List.of(wideA, wideB);
  }

  private static long[] batch(TensorForm tensor) {
    return Arrays.copyOf(tensor.shape().toArray(), tensor.rank() - 2);
  }

  private static long[] with(long[] batch, TensorForm tensor) {
    long[] sizes = Arrays.copyOf(batch, batch.length + 2);
    sizes[batch.length] = Matrices.rows(tensor);
    sizes[batch.length + 1] = Matrices.columns(tensor);
    return sizes;
  }

  private static long @Nullable [] broadcast(long[] a, long[] b) {
    long[] whole = new long[Math.max(a.length, b.length)];
    for (int i = 1; i <= whole.length; i++) {
      long left = i > a.length ? 1 : a[a.length - i];
      long right = i > b.length ? 1 : b[b.length - i];
      if (left != right && left != 1 && right != 1) {
        return null;
      }
      whole[whole.length - i] = left == 1 ? right : left;
    }
    return whole;
  }

  private static void triangles(Catalog.Builder catalog) {
    Composite.add(
        catalog,
        "aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool"
            + " unitriangular=False) -> Tensor",
        (steps, call) -> {
          boolean left = call.bool(3);
          Object a = left ? call.value(0) : steps.run("transpose.int", call.value(0), -2L, -1L);
          Object b = left ? call.value(1) : steps.run("transpose.int", call.value(1), -2L, -1L);
          Object solution = triangular(steps, a, b, call.bool(2) == left, call.bool(4));
          return left ? solution : steps.run("transpose.int", solution, -2L, -1L);
        });
    Composite.addMany(
        catalog,
        "aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool"
            + " unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)",
        (steps, call) -> {
          boolean turns = call.bool(3);
          Object a = turns ? steps.run("transpose.int", call.value(1), -2L, -1L) : call.value(1);
          Object solution =
              triangular(steps, a, call.value(0), call.bool(2) != turns, call.bool(4));
          return Steps.isTensor(solution)
              ? new Object[] {solution, steps.run("clone", call.value(1))}
              : solution;
        });
    Composite.add(
        catalog,
        "aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
        (steps, call) -> {
          TensorForm factor = call.form(1);
          Object turned =
              factor.rank() < 2 ? call.value(1) : Matrices.adjoint(steps, call.value(1));
          boolean upper = call.bool(2);
          Object half =
              triangular(steps, upper ? turned : call.value(1), call.value(0), false, false);
          return !Steps.isTensor(half)
              ? half
              : triangular(steps, upper ? call.value(1) : turned, half, true, false);
        });
    Composite.add(
        catalog,
        "aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor",
        (steps, call) -> {
          Fault fault = Matrices.notSquareNumbers("cholesky_inverse", call.form(0));
          if (fault != null) {
            return fault;
          }
          Object size = Matrices.rows(call.form(0));
          Object one = steps.run("eye", size, (long) call.form(0).dtype().code());
          return steps.run("cholesky_solve", one, call.value(0), call.value(1));
        });
  }

  private static Object triangular(Steps steps, Object a, Object b, boolean upper, boolean unit) {
    if (!Steps.isTensor(a) || !Steps.isTensor(b)) {
      return Steps.isTensor(a) ? b : a;
    }
    Fault fault = Matrices.notSquareNumbers("solve_triangular", Steps.form(a));
    fault =
        fault == null
            ? Matrices.sameDType("solve_triangular", Steps.form(a), "B", Steps.form(b))
            : fault;
    Object both = fault == null ? paired("solve_triangular", steps, a, b) : fault;
    if (!(both instanceof List<?> pair)) {
      return both;
    }
    return MatrixFunction.step(
        steps, operands -> triangular(operands, upper, unit), pair.get(0), pair.get(1));
  }

  private static Object triangular(Operands operands, boolean upper, boolean unit) {
    TensorForm triangle = operands.form(0);
    int parts = Matrices.parts(triangle.dtype());
    int size = Matrices.height(triangle);
    int columns = Matrices.width(operands.form(1));
    return new Matrices.Mapping(
        2,
        (double) size * size * columns,
        List.of(new long[] {size, columns}),
        (in, out, poll) -> {
          System.arraycopy(in[1], 0, out[0], 0, out[0].length);
          if (parts == 2) { // blocks on the diagonal are no triangles
            Triangles.clear(in[0], size, parts, upper, unit);
            Elimination.of(in[0], size, poll).solve(in[1], columns, out[0], poll);
            return null;
          }
          Triangles.solve(in[0], size, upper, unit, out[0], columns, poll);
          return null;
        });
  }
}
