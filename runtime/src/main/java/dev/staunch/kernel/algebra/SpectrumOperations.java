package dev.staunch.kernel.algebra;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Eigenvalues of symmetric matrices, singular values, and operations based on them. */
final class SpectrumOperations {
  /** Drivers of least squares, under LAPACK's names. */
  private static final List<String> DRIVERS = List.of("gels", "gelsy", "gelsd", "gelss");

  private SpectrumOperations() {}

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder catalog = plain.with(Trait.FAILS_ON_VALUES); // for NaN
    MatrixFunction.addMany(
        catalog,
        "aten::linalg_eigh(Tensor self, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor"
            + " eigenvectors)",
        SpectrumOperations::eigen);
    Composite.add(
        catalog,
        "aten::linalg_eigvalsh(Tensor self, str UPLO=\"L\") -> Tensor",
        (steps, call) -> Steps.pick(steps.run("linalg_eigh", call.value(0), call.value(1)), 0));
    Composite.addMany(
        catalog,
        "aten::symeig(Tensor self, bool eigenvectors=False, bool upper=True) -> (Tensor eigenvalues,"
            + " Tensor eigenvectors)",
        (steps, call) -> {
          Object parts = steps.run("linalg_eigh", call.value(0), call.bool(2) ? "U" : "L");
          return parts instanceof Object[] all && !call.bool(1)
              ? new Object[] {all[0], steps.run("new_zeros", all[1], Steps.ints(0))}
              : parts;
        });
    Composite.addMany(
        catalog,
        "aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U,"
            + " Tensor S, Tensor Vh)",
        (steps, call) -> {
          Fault fault = withoutDriver(call, 2);
          Object parts = fault == null ? conjugated(steps, call.value(0), call.bool(1)) : fault;
          return parts instanceof Object[] all
              ? new Object[] {all[0], all[1], steps.run("transpose.int", all[2], -2L, -1L)}
              : parts;
        });
    Composite.addMany(
        catalog,
        "aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S,"
            + " Tensor V)",
        SpectrumOperations::withoutVectors);
    Composite.add(
        catalog,
        "aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor",
        (steps, call) -> {
          Fault fault = withoutDriver(call, 1);
          return fault == null ? values(steps, call.value(0), "linalg_svdvals") : fault;
        });
    Composite.addMany(
        catalog,
        "aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)",
        (steps, call) -> complexEigen(steps, call.value(0)));
    Composite.add(
        catalog,
        "aten::linalg_eigvals(Tensor self) -> Tensor",
        (steps, call) -> Steps.pick(complexEigen(steps, call.value(0)), 0));
    inverses(catalog);
  }

  /** As in libtorch, drivers of singular values only exist for CUDA. */
  private static @Nullable Fault withoutDriver(Operands call, int argument) {
    return call.isNone(argument)
        ? null
        : Fault.value("`driver` is for CUDA only, but it is '" + call.string(argument) + "'")
            .withExpected("None", call.string(argument));
  }

  private static Object complexEigen(Steps steps, Object matrix) {
    if (Steps.isTensor(matrix) && Matrices.isComplex(Steps.form(matrix))) {
      return MatrixFunction.step(steps, SpectrumOperations::eigenOfComplex, matrix);
    }
    Object parts = MatrixFunction.step(steps, SpectrumOperations::eigenParts, matrix);
    if (!(parts instanceof Object[] all)) {
      return parts;
    }
    Object values = steps.run("complex", all[0], all[1]);
    Object vectors = steps.run("complex", all[2], all[3]);
    return Steps.isTensor(values) && Steps.isTensor(vectors)
        ? new Object[] {values, vectors}
        : Steps.isTensor(values) ? vectors : values;
  }

  private static Object eigenOfComplex(Operands call) {
    TensorForm matrix = call.form(0);
    Fault fault = Matrices.notSquareShape("linalg_eig", matrix);
    if (fault != null) {
      return fault;
    }
    int size = Shape.asInt(Matrices.rows(matrix));
    return new Matrices.Mapping(
        1,
        60 * Math.pow(size, 3),
        List.of(new long[] {size}, new long[] {2L * size, 2L * size}),
        (in, out, poll) -> {
          ComplexMatrix vectors = ComplexMatrix.zeros(size, size);
          double[][] parts = {new double[size], new double[size], vectors.res(), vectors.ims()};
          Fault unfit = notFinite("linalg_eig", in[0]);
          boolean found =
              unfit == null && Eigen.of(ComplexMatrix.ofBlocks(in[0], size), parts, poll);
          for (int i = 0; i < size; i++) {
            out[0][2 * i] = parts[0][i];
            out[0][2 * i + 1] = parts[1][i];
          }
          vectors.putBlocks(out[1]);
          return found ? null : unfit != null ? unfit : unconverged(poll);
        });
  }

  private static @Nullable Fault unconverged(CancellationPoll poll) {
    return poll.fault() == null ? Fault.value("linalg_eig did not converge") : null;
  }

  private static Object eigenParts(Operands call) {
    TensorForm matrix = call.form(0);
    Fault fault = Matrices.notSquare("linalg_eig", matrix);
    if (fault != null) {
      return fault;
    }
    int size = Shape.asInt(Matrices.rows(matrix));
    long[] line = {size};
    long[] square = {size, size};
    return new Matrices.Mapping(
        1,
        60 * Math.pow(size, 3),
        List.of(line, line, square, square),
        (in, out, poll) -> {
          Fault notNumbers = notFinite("linalg_eig", in[0]);
          boolean found = notNumbers == null && Eigen.of(in[0], size, out, poll);
          return found ? null : notNumbers != null ? notNumbers : unconverged(poll);
        });
  }

  private static Object eigen(Operands call) {
    TensorForm matrix = call.form(0);
    Fault fault = Matrices.notSquareNumbers("linalg_eigh", matrix);
    boolean upper = call.string(1).equalsIgnoreCase("U");
    if (fault == null && !upper && !call.string(1).equalsIgnoreCase("L")) {
      fault =
          Fault.value("`UPLO` is 'L' or 'U', but it is '" + call.string(1) + "'")
              .withExpected("'L' or 'U'", "'" + call.string(1) + "'");
    }
    if (fault != null) {
      return fault;
    }
    int size = Shape.asInt(Matrices.rows(matrix));
    int height = Matrices.height(matrix);
    return new Matrices.Mapping(
        1,
        SymmetricEigen.cost(height),
        List.of(new long[] {size}, new long[] {height, height}),
        0,
        (in, out, poll) -> {
          for (int i = 0; i < height && poll.mayContinue(height); i++) {
            for (int j = 0; j < i; j++) {
              double value = in[0][upper ? j * height + i : i * height + j];
              in[0][i * height + j] = value;
              in[0][j * height + i] = value;
            }
          }
          Fault notNumbers = notFinite("linalg_eigh", in[0]);
          boolean found =
              notNumbers == null
                  && (height == size
                      ? SymmetricEigen.of(in[0], size, out[0], out[1], poll)
                      : SymmetricEigen.ofBlocks(in[0], size, upper, out[0], out[1], poll));
          return found || notNumbers != null || poll.fault() != null
              ? notNumbers
              : Fault.value("linalg_eigh did not converge");
        });
  }

  static @Nullable Fault notFinite(String name, double[] matrix) {
    for (double value : matrix) {
      if (!Double.isFinite(value)) {
        return Fault.value(name + " takes finite numbers, but the matrix holds " + value);
      }
    }
    return null;
  }

  /** U, the singular values and V; U and V are square if {@code full}. */
  private static Object singular(Steps steps, Object matrix, String name, boolean full) {
    return MatrixFunction.step(
        steps, operands -> SingularValues.of(operands, name, full, false), matrix);
  }

  /** As {@link #singular}, with the conjugates of V. */
  private static Object conjugated(Steps steps, Object matrix, boolean full) {
    return MatrixFunction.step(
        steps, operands -> SingularValues.of(operands, "linalg_svd", full, true), matrix);
  }

  /** The singular values alone, of real or complex matrices. */
  private static Object values(Steps steps, Object matrix, String name) {
    if (!Steps.isTensor(matrix) || !Matrices.isComplex(Steps.form(matrix))) {
      return Steps.pick(singular(steps, matrix, name, false), 1);
    }
    Object twice = Steps.pick(singular(steps, blocks(steps, matrix, name), name, false), 1);
    return steps.run("slice.Tensor", twice, -1L, 0L, Long.MAX_VALUE, 2L);
  }

  /** The real matrices that complex ones are computed as. */
  private static Object blocks(Steps steps, Object matrix, String name) {
    return MatrixFunction.step(
        steps,
        operands -> {
          TensorForm form = operands.form(0);
          Fault fault = Matrices.misfitNumbers(name, form);
          return fault != null
              ? fault
              : new Matrices.Mapping(
                  1,
                  1,
                  List.of(new long[] {Matrices.height(form), Matrices.width(form)}),
                  0,
                  (in, out, poll) -> {
                    out[0] = in[0];
                    return null;
                  });
        },
        matrix);
  }

  /** The complex matrices of real ones. */
  private static Object ofBlocks(Steps steps, Object blocks, long rows) {
    Object first = steps.run("slice.Tensor", blocks, -1L, 0L, Long.MAX_VALUE, 2L);
    Object pairs = steps.run("unflatten.int", first, -2L, Steps.ints(rows, 2));
    Object last = steps.run("contiguous", steps.run("transpose.int", pairs, -2L, -1L));
    return steps.run("view_as_complex", last);
  }

  private static Object withoutVectors(Steps steps, Operands call) {
    boolean vectors = call.bool(2);
    Object parts = singular(steps, call.value(0), "svd", !(vectors && call.bool(1)));
    if (!(parts instanceof Object[] all) || vectors) {
      return parts;
    }
    // PyTorch returns zeros for what it is told not to compute
    return new Object[] {steps.run("zeros_like", all[0]), all[1], steps.run("zeros_like", all[2])};
  }

  private static void inverses(Catalog.Builder catalog) {
    Composite.add(
        catalog,
        "aten::pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor",
        (steps, call) -> inverse(steps, call, 0, call.real(1)));
    Composite.add(
        catalog,
        "aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor",
        (steps, call) ->
            inverse(
                steps, call, values -> counting(steps, call.form(0), values, 0.0, call.value(1))));
    Composite.add(
        catalog,
        "aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None,"
            + " bool hermitian=False) -> Tensor",
        (steps, call) ->
            inverse(
                steps,
                call,
                values -> counting(steps, call.form(0), values, call.value(1), call.value(2))));
    Composite.add(
        catalog,
        "aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor",
        (steps, call) -> inverse(steps, call, 0, call.real(1)));
    Composite.add(
        catalog,
        "aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool"
            + " hermitian=False) -> Tensor",
        (steps, call) -> inverse(steps, call, atol(call), rtol(call)));
    Composite.add(
        catalog,
        "aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float?"
            + " rtol=None, bool hermitian=False) -> Tensor",
        (steps, call) -> rank(steps, call, atol(call), rtol(call)));
    Composite.add(
        catalog,
        "aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor",
        (steps, call) -> rank(steps, call, call.real(1), 0));
    Composite.add(
        catalog,
        "aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor?"
            + " rtol=None, bool hermitian=False) -> Tensor",
        SpectrumOperations::rankWithin);
    Composite.addMany(
        catalog,
        "aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) ->"
            + " (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)",
        SpectrumOperations::leastSquares);
  }

  /** As {@link #rank}, with limits per matrix, or several limits for one matrix. */
  private static Object rankWithin(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    Fault fault = Matrices.misfitNumbers("matrix_rank", self);
    if (fault != null) {
      return fault;
    }
    Object values = values(steps, matrix(steps, call), "matrix_rank");
    Object counts = counting(steps, self, values, call.value(1), call.value(2));
    return steps.run("sum.dim_IntList", counts, Steps.ints(-1), false);
  }

  /** As below, with limits that are tensors where they are given. */
  private static Object counting(
      Steps steps, TensorForm self, Object values, Object absolute, Object relative) {
    Object none = steps.run("zeros", Steps.ints(), (long) DType.FLOAT64.code());
    Object atol = Steps.isTensor(absolute) ? absolute : none;
    Object rtol = steps.run("full_like", atol, precision(self), (long) DType.FLOAT64.code());
    if (Steps.isTensor(relative)) {
      rtol = relative;
    } else if (Steps.isTensor(absolute)) {
      rtol = steps.run("where.self", steps.run("gt.Scalar", atol, 0.0), none, rtol);
    }
    Object share = steps.product(steps.run("unsqueeze", rtol, -1L), greatest(steps, values));
    Object limit = steps.run("maximum", steps.run("unsqueeze", atol, -1L), share);
    return steps.run("gt.Tensor", values, limit);
  }

  private static double atol(Operands call) {
    return call.isNone(1) ? 0 : call.real(1);
  }

  /** By default, the dtype's precision times the greater size; 0 if only {@code atol} is given. */
  private static double rtol(Operands call) {
    TensorForm self = call.form(0);
    if (!call.isNone(2)) {
      return call.real(2);
    }
    return atol(call) > 0 || self.rank() < 2 ? 0 : precision(self);
  }

  private static double precision(TensorForm self) {
    double epsilon = self.dtype().parts() == DType.FLOAT64 ? Math.ulp(1.0) : Math.ulp(1.0f);
    return epsilon * Math.max(Matrices.rows(self), Matrices.columns(self));
  }

  /**
   * The singular values that count: those above {@code atol} and above {@code rtol} times the
   * greatest.
   */
  private static Object counting(Steps steps, Object values, double atol, double rtol) {
    Object greatest = greatest(steps, values);
    Object limit = steps.run("clamp", steps.scaled(greatest, rtol), atol);
    return steps.run("gt.Tensor", values, limit);
  }

  /** The greatest value; 0 if there is none. */
  private static Object greatest(Steps steps, Object values) {
    boolean none = Steps.isTensor(values) && Steps.form(values).elements() == 0;
    return steps.run(none ? "sum.dim_IntList" : "amax", values, Steps.ints(-1), true);
  }

  /**
   * The matrix; if the last argument says that it is hermitian, the matrix that its lower half
   * defines.
   */
  private static Object matrix(Steps steps, Operands call) {
    if (!call.value(call.size() - 1).equals(true)) {
      return call.value(0);
    }
    Fault fault = Matrices.notSquareNumbers("an operation on hermitian matrices", call.form(0));
    Object below = steps.run("tril", call.value(0), -1L);
    return fault != null
        ? fault
        : steps.sum(steps.run("tril", call.value(0)), Matrices.adjoint(steps, below));
  }

  private static Object inverse(Steps steps, Operands call, double atol, double rtol) {
    return inverse(steps, call, values -> counting(steps, values, atol, rtol));
  }

  /**
   * The pseudo-inverse.
   *
   * @param counting which of the singular values count
   */
  private static Object inverse(Steps steps, Operands call, UnaryOperator<Object> counting) {
    TensorForm self = call.form(0);
    Fault fault = Matrices.misfitNumbers("pinv", self);
    if (fault != null || self.elements() == 0) {
      return fault != null
          ? fault
          : steps.run("contiguous", steps.run("transpose.int", call.value(0), -2L, -1L));
    }
    Object matrix = matrix(steps, call);
    boolean complex = Matrices.isComplex(self);
    Object found = singular(steps, complex ? blocks(steps, matrix, "pinv") : matrix, "pinv", false);
    if (!(found instanceof Object[] parts)) {
      return found;
    }
    Object counts = counting.apply(parts[1]);
    Object zero = steps.run("zeros_like", parts[1]);
    Object inverted = steps.run("where.self", counts, steps.run("reciprocal", parts[1]), zero);
    Object scaled = steps.product(parts[2], steps.run("unsqueeze", inverted, -2L));
    Object product = steps.run("matmul", scaled, steps.run("transpose.int", parts[0], -2L, -1L));
    return complex ? ofBlocks(steps, product, Matrices.columns(self)) : product;
  }

  private static Object rank(Steps steps, Operands call, double atol, double rtol) {
    Object values = values(steps, matrix(steps, call), "matrix_rank");
    return steps.run("sum.dim_IntList", counting(steps, values, atol, rtol), Steps.ints(-1), false);
  }

  /** Whether the right side is one vector per matrix. */
  private static boolean areVectors(TensorForm matrices, TensorForm right) {
    long[] rows = Arrays.copyOf(matrices.shape().toArray(), matrices.rank() - 1);
    return Arrays.equals(rows, right.shape().toArray());
  }

  /**
   * All drivers solve by singular values. Their other results follow libtorch: the default,
   * "gelsy", returns no residuals; "gels" returns no rank; only the last two drivers return
   * singular values.
   */
  private static Object leastSquares(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    TensorForm right = call.form(1);
    Fault fault = Matrices.misfitNumbers("linalg_lstsq", self);
    fault = fault == null ? Matrices.sameDType("linalg_lstsq", self, "b", right) : fault;
    int less = self.rank() - right.rank();
    if (fault == null
        && (less < 0 || less > 1 || (right.rank() == 1 && !areVectors(self, right)))) {
      String text = "linalg_lstsq takes a vector or a matrix for each matrix %s, but b is %s";
      fault = Fault.shape(Message.of(text, self.shape(), right.shape()));
    }
    String driver = call.isNone(3) ? "gelsy" : call.string(3);
    if (fault == null && !DRIVERS.contains(driver)) {
      fault =
          Fault.value(
              "`driver` is one of " + String.join(", ", DRIVERS) + ", not '" + driver + "'");
    }
    if (fault != null) {
      return fault;
    }
    double rcond = call.isNone(2) ? precision(self) : call.real(2);
    Object inverse = steps.run("linalg_pinv.atol_rtol_float", call.value(0), 0.0, rcond);
    boolean vector = areVectors(self, right);
    Object columns = vector ? steps.run("unsqueeze", call.value(1), -1L) : call.value(1);
    Object solution = steps.run("matmul", inverse, columns);
    Object rest =
        steps.run("abs", steps.difference(steps.run("matmul", call.value(0), solution), columns));
    boolean over = Matrices.rows(self) > Matrices.columns(self);
    Object empty = steps.run("new_zeros", rest, Steps.ints(0));
    Object residuals =
        over && !driver.equals("gelsy")
            ? steps.run("sum.dim_IntList", steps.product(rest, rest), Steps.ints(-2), false)
            : empty;
    Object rank =
        driver.equals("gels")
            ? steps.run("new_zeros", call.value(0), Steps.ints(0), (long) DType.INT64.code())
            : steps.run("linalg_matrix_rank.atol_rtol_float", call.value(0), 0.0, rcond, false);
    Object values =
        driver.equals("gelsd") || driver.equals("gelss")
            ? steps.run("linalg_svdvals", call.value(0), None.NONE)
            : steps.run("clone", empty, None.NONE);
    Object given = vector ? steps.run("squeeze.dim", solution, -1L) : solution;
    return !Steps.isTensor(given) ? given : new Object[] {given, residuals, rank, values};
  }
}
