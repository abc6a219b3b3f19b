package dev.staunch.kernel.algebra;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Demands;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
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
      catalog.one("aten::" + head + " -> Tensor", Marking.one(call -> inverse(call, name)));
    }
    Steps.add(
        catalog,
        "aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
        SolvingOperations::solve);
    for (String head : new String[] {"linalg_det(Tensor A)", "det(Tensor self)"}) {
      String name = head.substring(0, head.indexOf('('));
      catalog.one(
          "aten::" + head + " -> Tensor",
          Marking.one(call -> of(call, name, 1, (lu, out) -> out[0][0] = lu.determinant())));
    }
    for (String head : new String[] {"linalg_slogdet(Tensor A)", "slogdet(Tensor self)"}) {
      String name = head.substring(0, head.indexOf('('));
      catalog.many(
          "aten::" + head + " -> (Tensor sign, Tensor logabsdet)",
          Marking.first(call ->
              of(
                  call,
                  name,
                  2,
                  (lu, out) -> {
                    out[0][0] = lu.sign();
                    out[1][0] = lu.logOfAbsolute();
                  })));
    }
    catalog.one(
        "aten::logdet(Tensor self) -> Tensor",
        Marking.one(call ->
            of(
                call,
                "logdet",
                1,
                (lu, out) -> {
                  double sign = lu.sign();
                  out[0][0] = sign < 0 ? Double.NaN : lu.logOfAbsolute();
                })));
    triangles(catalog);
  }

  /** Fills results of one element each from a matrix's factors. */
  private interface OfFactors {
    void fill(Elimination factors, double[][] out);
  }

  private static Object of(Call call, String name, int results, OfFactors work) {
    DenseTensor matrix = call.tensor(0);
    Fault fault = Matrices.notSquare(name, matrix);
    if (fault != null) {
      return fault;
    }
    int size = Shape.asInt(Matrices.rows(matrix));
    long[][] shapes = new long[results][];
    Arrays.fill(shapes, new long[0]);
    return Matrices.map(
        call,
        List.of(matrix),
        Math.pow(size, 3),
        List.of(shapes),
        (in, out) -> {
          work.fill(Elimination.of(in[0], size), out);
          return null;
        });
  }

  private static Fault singular(String name, int at) {
    String text = "%s cannot go on: the matrix is singular, its pivot %d is zero";
    return Fault.value(Message.of(text, name, at + 1));
  }

  private static Object inverse(Call call, String name) {
    DenseTensor matrix = call.tensor(0);
    Fault fault = Matrices.notSquare(name, matrix);
    if (fault != null) {
      return fault;
    }
    int size = Shape.asInt(Matrices.rows(matrix));
    return Matrices.map(
        call,
        List.of(matrix),
        3 * Math.pow(size, 3),
        List.of(new long[] {size, size}),
        (in, out) -> {
          Elimination factors = Elimination.of(in[0], size);
          factors.solve(Elimination.identity(size), size, out[0]);
          return factors.singularAt() < 0 ? null : singular(name, factors.singularAt());
        });
  }

  private static Object solve(Steps steps, Call call) {
    DenseTensor matrix = call.tensor(0);
    DenseTensor right = call.tensor(1);
    Fault fault = Matrices.notSquare("linalg_solve", matrix);
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
    Object columns = vector ? steps.run("unsqueeze", right, -1L) : right;
    Object a = left ? matrix : steps.run("transpose.int", matrix, -2L, -1L);
    Object b = left ? columns : steps.run("transpose.int", columns, -2L, -1L);
    Object both = paired("linalg_solve", steps, a, b);
    if (!(both instanceof List<?> pair)) {
      return both;
    }
    Object solution = solved(call, (DenseTensor) pair.get(0), (DenseTensor) pair.get(1));
    Object turned = left ? solution : steps.run("transpose.int", solution, -2L, -1L);
    return vector ? steps.run("squeeze.dim", turned, -1L) : turned;
  }

  private static Object solved(Call call, DenseTensor matrix, DenseTensor right) {
    int size = Shape.asInt(Matrices.rows(matrix));
    int columns = Shape.asInt(Matrices.columns(right));
    return Matrices.map(
        call,
        List.of(matrix, right),
        Math.pow(size, 3) + (double) size * size * columns,
        List.of(new long[] {size, columns}),
        (in, out) -> {
          Elimination factors = Elimination.of(in[0], size);
          factors.solve(in[1], columns, out[0]);
          return factors.singularAt() < 0 ? null : singular("linalg_solve", factors.singularAt());
        });
  }

  /** Both with all dimensions of the batch that either has, as a list; or a fault. */
  private static Object paired(String name, Steps steps, Object a, Object b) {
    if (!(a instanceof DenseTensor matrix) || !(b instanceof DenseTensor right)) {
      return a instanceof DenseTensor ? b : a;
    }
    if (right.rank() < 2 || Matrices.rows(right) != Matrices.columns(matrix)) {
      String text = "%s takes a right side of %d rows, but its shape is %s";
      return Demands.shape(
          Message.of(text, name, Matrices.columns(matrix), right.shape()),
          Matrices.columns(matrix) + " rows",
          right.shape());
    }
    long[] first = batch(matrix);
    long[] second = batch(right);
    long[] whole = broadcast(first, second);
    if (whole == null) {
      String text = "the batches of %s and %s do not broadcast";
      return Fault.shape(Message.of(text, matrix.shape(), right.shape()));
    }
    Object wideA = steps.run("expand", matrix, Steps.ints(with(whole, matrix)));
    Object wideB = steps.run("expand", right, Steps.ints(with(whole, right)));
    if (!(wideA instanceof DenseTensor) || !(wideB instanceof DenseTensor)) {
      return wideA instanceof DenseTensor ? wideB : wideA;
    }
    return List.of(wideA, wideB);
  }

  private static long[] batch(DenseTensor tensor) {
    return Arrays.copyOf(tensor.shape().toArray(), tensor.rank() - 2);
  }

  private static long[] with(long[] batch, DenseTensor tensor) {
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
    Steps.add(
        catalog,
        "aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool"
            + " unitriangular=False) -> Tensor",
        (steps, call) -> {
          boolean left = call.bool(3);
          Object a = left ? call.tensor(0) : steps.run("transpose.int", call.tensor(0), -2L, -1L);
          Object b = left ? call.tensor(1) : steps.run("transpose.int", call.tensor(1), -2L, -1L);
          Object solution = triangular(steps, call, a, b, call.bool(2) == left, call.bool(4));
          return left ? solution : steps.run("transpose.int", solution, -2L, -1L);
        });
    catalog.many(
        "aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool"
            + " unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)",
        Steps.many((steps, call) -> {
          boolean turns = call.bool(3);
          Object a = turns ? steps.run("transpose.int", call.tensor(1), -2L, -1L) : call.tensor(1);
          Object solution =
              triangular(steps, call, a, call.tensor(0), call.bool(2) != turns, call.bool(4));
          return solution instanceof Fault
              ? solution
              : new Object[] {solution, steps.run("clone", call.tensor(1))};
        }));
    Steps.add(
        catalog,
        "aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
        (steps, call) -> {
          DenseTensor factor = call.tensor(1);
          Object turned = factor.rank() < 2 ? factor : steps.run("transpose.int", factor, -2L, -1L);
          boolean upper = call.bool(2);
          Object half =
              triangular(steps, call, upper ? turned : factor, call.tensor(0), false, false);
          return half instanceof Fault
              ? half
              : triangular(steps, call, upper ? factor : turned, half, true, false);
        });
    Steps.add(
        catalog,
        "aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor",
        (steps, call) -> {
          Fault fault = Matrices.notSquare("cholesky_inverse", call.tensor(0));
          if (fault != null) {
            return fault;
          }
          Object size = Matrices.rows(call.tensor(0));
          Object one = steps.run("eye", size, (long) call.tensor(0).dtype().code());
          return steps.run("cholesky_solve", one, call.tensor(0), call.value(1));
        });
  }

  private static Object triangular(
      Steps steps, Call call, Object a, Object b, boolean upper, boolean unit) {
    if (!(a instanceof DenseTensor matrix) || !(b instanceof DenseTensor right)) {
      return a instanceof DenseTensor ? b : a;
    }
    Fault fault = Matrices.notSquare("solve_triangular", matrix);
    fault = fault == null ? Matrices.sameDType("solve_triangular", matrix, "B", right) : fault;
    Object both = fault == null ? paired("solve_triangular", steps, matrix, right) : fault;
    if (!(both instanceof List<?> pair)) {
      return both;
    }
    DenseTensor wide = (DenseTensor) pair.get(1);
    int size = Shape.asInt(Matrices.rows(matrix));
    int columns = Shape.asInt(Matrices.columns(wide));
    return Matrices.map(
        call,
        List.of((DenseTensor) pair.get(0), wide),
        (double) size * size * columns,
        List.of(new long[] {size, columns}),
        (in, out) -> {
          System.arraycopy(in[1], 0, out[0], 0, out[0].length);
          Triangles.solve(in[0], size, upper, unit, out[0], columns);
          return null;
        });
  }
}
