package dev.staunch.kernel.algebra;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Set;

/** Powers, exponentials and norms. */
final class PowerOperations {
  private PowerOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (String name : new String[] {"linalg_matrix_power", "matrix_power"}) {
      Composite.add(
          catalog.with(Trait.FAILS_ON_VALUES),
          "aten::" + name + "(Tensor self, int n) -> Tensor",
          (steps, call) -> power(steps, call.value(0), call.integer(1)));
    }
    for (String name : new String[] {"linalg_matrix_exp", "matrix_exp"}) {
      MatrixFunction.add(
          catalog, "aten::" + name + "(Tensor self) -> Tensor", PowerOperations::exponential);
    }
    norms(catalog);
  }

  private static Object power(Steps steps, Object self, long exponent) {
    TensorForm form = Steps.form(self);
    Fault fault = Matrices.notSquareShape("matrix_power", form);
    if (fault != null) {
      return fault;
    }
    if (exponent == 0) {
      Object zero = steps.run("zeros_like", self);
      Object one = steps.run("eye", Matrices.rows(form), (long) form.dtype().code());
      return steps.sum(zero, one);
    }
    Object base = exponent < 0 ? steps.run("linalg_inv", self) : self;
    Object result = null;
    for (long left = Math.abs(exponent); left > 0; left >>= 1) {
      if ((left & 1) == 1) {
        result = result == null ? base : steps.run("matmul", result, base);
      }
      base = left > 1 ? steps.run("matmul", base, base) : base;
    }
    return exponent == 1 ? steps.run("clone", self) : result == null ? base : result;
  }

  /** A Taylor series of the matrix, halved until it is small, then squared as often. */
  private static Object exponential(Operands call) {
    TensorForm self = call.form(0);
    Fault fault = Matrices.notSquareNumbers("matrix_exp", self);
    if (fault != null) {
      return fault;
    }
    int size = Matrices.height(self);
    return new Matrices.Mapping(
        1,
        40 * Math.pow(size, 3),
        List.of(new long[] {size, size}),
        (in, out, poll) -> {
          exponential(in[0], size, out[0], poll);
          return null;
        });
  }

  private static void exponential(
      double[] matrix, int size, double[] result, CancellationPoll poll) {
    double norm = 0;
    for (double value : matrix) {
      norm = Math.max(norm, Math.abs(value) * size);
    }
    int halvings = norm > 0.5 ? Math.min(1000, Math.getExponent(norm) + 2) : 0;
    for (int i = 0; i < matrix.length && poll.mayContinue(1); i++) {
      matrix[i] = Math.scalb(matrix[i], -halvings);
    }
    double[] sum = Elimination.identity(size);
    double[] term = Elimination.identity(size);
    for (int k = 1; k <= 18 && poll.fault() == null; k++) {
      term = times(term, matrix, size, 1.0 / k, poll);
      for (int i = 0; i < sum.length; i++) {
        sum[i] += term[i];
      }
    }
    for (int k = 0; k < halvings && poll.fault() == null; k++) {
      sum = times(sum, sum, size, 1, poll);
    }
    System.arraycopy(sum, 0, result, 0, sum.length);
  }

  private static double[] times(
      double[] a, double[] b, int size, double factor, CancellationPoll poll) {
    double[] product = new double[size * size];
    for (int i = 0; i < size; i++) {
      for (int k = 0; k < size && poll.mayContinue(size); k++) {
        double left = a[i * size + k] * factor;
        for (int j = 0; j < size && left != 0; j++) {
          product[i * size + j] += left * b[k * size + j];
        }
      }
    }
    return product;
  }

  private static void norms(Catalog.Builder plain) {
    Catalog.Builder catalog = plain.with(Trait.FAILS_ON_VALUES); // those based on singular values
    String tail = "int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor";
    String plane = "int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor";
    Composite.add(
        catalog,
        "aten::linalg_matrix_norm(Tensor self, Scalar ord, " + plane,
        (steps, call) -> matrix(steps, call, call.scalar(1).toString()));
    Composite.add(
        catalog,
        "aten::linalg_matrix_norm.str_ord(Tensor self, str ord=\"fro\", " + plane,
        (steps, call) -> matrix(steps, call, call.string(1)));
    Composite.add(
        catalog, "aten::linalg_norm(Tensor self, Scalar? ord=None, " + tail, PowerOperations::norm);
    Composite.add(
        catalog.withDTypes(DType.of(DType.Kind.FLOATING, DType.Kind.COMPLEX)),
        "aten::linalg_norm.ord_str(Tensor self, str ord, " + tail,
        (steps, call) -> matrix(steps, call, call.string(1)));
    Composite.add(
        catalog,
        "aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor",
        (steps, call) ->
            condition(steps, call.value(0), call.isNone(1) ? "2" : call.scalar(1).toString()));
    Composite.add(
        catalog.withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64)),
        "aten::linalg_cond.p_str(Tensor self, str p) -> Tensor",
        (steps, call) -> condition(steps, call.value(0), call.string(1)));
  }

  private static Object norm(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    int dims = call.isNone(2) ? self.rank() : call.integers(2).length;
    if (!call.isNone(1) && dims == 2) {
      return matrix(steps, call, call.scalar(1).toString());
    }
    boolean flat = call.isNone(1) && call.isNone(2);
    if (!call.isNone(1) && (dims < 1 || dims > 2)) {
      return OperandChecks.shape(
          "linalg_norm with `ord` takes a vector or a matrix, but the shape is " + self.shape(),
          "1 or 2 dimensions",
          self.shape());
    }
    Object order = call.isNone(1) ? (Object) 2L : call.value(1);
    Object dim = flat ? None.NONE : call.value(2);
    return steps.run("linalg_vector_norm", call.value(0), order, dim, call.value(3), call.value(4));
  }

  /** The norm {@code order} of the matrices in the dimensions that the call names. */
  private static Object matrix(Steps steps, Operands call, String order) {
    TensorForm self = call.form(0);
    long[] dims = call.isNone(2) ? new long[] {-2, -1} : call.integers(2);
    Object wide =
        call.isNone(4) ? call.value(0) : steps.run("to.dtype", call.value(0), call.value(4));
    boolean plain = !call.isNone(2) || self.rank() == 2;
    if (dims.length != 2 || self.rank() < 2 || !plain) {
      return OperandChecks.shape(
          Message.of("a matrix norm takes two dimensions, but the shape is %s", self.shape()),
          "two dimensions",
          self.shape());
    }
    Object moved = steps.run("movedim.intlist", wide, Steps.ints(dims), Steps.ints(-2, -1));
    Object norm = norm(steps, moved, order);
    if (!call.bool(3)) {
      return norm;
    }
    long[] kept =
        new long[] {
          Math.floorMod(dims[0], (long) self.rank()), Math.floorMod(dims[1], (long) self.rank())
        };
    Object first = steps.run("unsqueeze", norm, Math.min(kept[0], kept[1]));
    return steps.run("unsqueeze", first, Math.max(kept[0], kept[1]));
  }

  private static Object norm(Steps steps, Object matrices, String order) {
    Object absolute = steps.run("abs", matrices);
    return switch (order) {
      case "fro" -> steps.run("linalg_vector_norm", matrices, 2L, Steps.ints(-2, -1), false);
      case "nuc" ->
          steps.run(
              "sum.dim_IntList", steps.run("linalg_svdvals", matrices), Steps.ints(-1), false);
      case "2", "2.0" -> extreme(steps, steps.run("linalg_svdvals", matrices), true);
      case "-2", "-2.0" -> extreme(steps, steps.run("linalg_svdvals", matrices), false);
      case "1", "1.0" -> extreme(steps, sums(steps, absolute, -2), true);
      case "-1", "-1.0" -> extreme(steps, sums(steps, absolute, -2), false);
      case "Infinity" -> extreme(steps, sums(steps, absolute, -1), true);
      case "-Infinity" -> extreme(steps, sums(steps, absolute, -1), false);
      default ->
          Fault.value(
                  "a matrix norm is 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, but it is '"
                      + order
                      + "'")
              .withExpected("'fro', 'nuc', 1, -1, 2, -2, inf or -inf", order);
    };
  }

  private static Object sums(Steps steps, Object values, long dim) {
    return steps.run("sum.dim_IntList", values, Steps.ints(dim), false);
  }

  /** The greatest of no values is 0, because they are magnitudes. */
  private static Object extreme(Steps steps, Object values, boolean greatest) {
    if (greatest && Steps.isTensor(values) && isEmpty(Steps.form(values).shape())) {
      return steps.run("sum.dim_IntList", values, Steps.ints(-1), false);
    }
    return steps.run(greatest ? "amax" : "amin", values, Steps.ints(-1), false);
  }

  private static boolean isEmpty(Shape lines) {
    return lines.size(lines.rank() - 1) == 0;
  }

  private static Object condition(Steps steps, Object self, String order) {
    Fault fault = Matrices.misfitNumbers("linalg_cond", Steps.form(self));
    if (fault != null) {
      return fault;
    }
    if (Steps.form(self).elements() == 0) {
      return norm(steps, self, order.startsWith("-") ? order.substring(1) : order);
    }
    if (List.of("2", "2.0", "-2", "-2.0").contains(order)) {
      Object values = steps.run("linalg_svdvals", self);
      boolean greatest = !order.startsWith("-");
      return steps.run(
          "div.Tensor", extreme(steps, values, greatest), extreme(steps, values, !greatest));
    }
    return steps.product(
        norm(steps, self, order), norm(steps, steps.run("linalg_inv", self), order));
  }
}
