package dev.staunch.kernel.composed;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Linear algebra made of products, inverses and spectra of matrices. */
final class MatrixPrograms {
  private MatrixPrograms() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder stored = catalog.out("out");
    Set<DType> dtypes = Set.of(DType.FLOAT32, DType.FLOAT64, DType.COMPLEX64, DType.COMPLEX128);
    Composite.add(
        stored,
        "aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor",
        MatrixPrograms::vectorProduct);
    Composite.add(
        catalog,
        "aten::linalg_vander(Tensor x, *, int? N=None) -> Tensor",
        MatrixPrograms::linesOfPowers);
    Composite.add(
        catalog,
        "aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor",
        MatrixPrograms::powers);
    Composite.add(
        stored.withDTypes(dtypes),
        "aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor",
        (steps, call) ->
            call.rank(0) == 2
                ? nuclear(steps, call, Steps.ints(0, 1), call.bool(1))
                : OperandChecks.shape(
                    "nuclear_norm takes a matrix, but the shape is " + call.shape(0),
                    "2 dimensions",
                    call.shape(0)));
    Composite.add(
        catalog.out("dim_out").withDTypes(dtypes),
        "aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor",
        (steps, call) -> nuclear(steps, call, call.value(1), call.bool(2)));
    Composite.add(
        stored.with(Trait.FAILS_ON_VALUES),
        "aten::linalg_tensorinv(Tensor self, int ind=2) -> Tensor",
        MatrixPrograms::inverse);
    Composite.add(
        stored.with(Trait.FAILS_ON_VALUES),
        "aten::linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor",
        MatrixPrograms::solution);
    for (String head :
        new String[] {
          "linalg_householder_product(Tensor input, Tensor tau)",
          "orgqr(Tensor self, Tensor input2)"
        }) {
      Composite.add(
          stored.withDTypes(dtypes), "aten::" + head + " -> Tensor", MatrixPrograms::reflections);
    }
    Composite.add(
        stored.withDTypes(dtypes),
        "aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool"
            + " transpose=False) -> Tensor",
        MatrixPrograms::reflected);
    Composite.add(
        catalog.with(Trait.SHARES),
        "aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor",
        MatrixPrograms::sumToSize);
  }

  private static Object vectorProduct(Steps steps, Operands call) {
    DType dtype = call.dtype(0);
    Fault fault = unfit("linalg_vecdot", dtype, "y", call.dtype(1));
    if (fault != null) {
      return fault;
    }
    Object first = isComplex(dtype) ? steps.run("conj", call.value(0)) : call.value(0);
    Object products = steps.product(first, call.value(1));
    return steps.run("sum.dim_IntList", products, Steps.ints(call.integer(2)));
  }

  /** A fault unless both tensors have one floating or complex dtype. */
  private static @Nullable Fault unfit(String name, DType first, String parameter, DType second) {
    Fault fault = isComplex(first) ? null : OperandChecks.floating(name, first);
    return fault == null ? OperandChecks.sameDType(name, first, parameter, second) : fault;
  }

  private static boolean isComplex(DType dtype) {
    return dtype.kind() == DType.Kind.COMPLEX;
  }

  private static Object linesOfPowers(Steps steps, Operands call) {
    TensorForm x = call.form(0);
    if (x.dtype() == DType.BOOL) {
      return Fault.dtype("linalg_vander takes numbers, but there are bools")
          .withExpected("numbers", x.dtype());
    }
    Object lines = x.rank() == 0 ? steps.run("unsqueeze", call.value(0), 0L) : call.value(0);
    long last = x.rank() == 0 ? 1 : x.shape().size(x.rank() - 1);
    long count = call.integerOr(1, last);
    return count > 1
        ? rising(steps, lines, count)
        : Fault.value("`N` must be greater than 1, but it is " + count);
  }

  /** The powers 0 to {@code count - 1}, at least one, of all elements, in a new last dimension. */
  private static Object rising(Steps steps, Object x, long count) {
    Object columns = steps.run("unsqueeze", x, -1L);
    if (!Steps.isTensor(columns)) {
      return columns;
    }
    long[] sizes = Steps.form(columns).shape().toArray();
    sizes[sizes.length - 1] = count - 1;
    Object factors = steps.run("expand", columns, Steps.ints(sizes));
    Object powers = steps.run("cumprod", factors, -1L);
    sizes[sizes.length - 1] = 1;
    Object ones = steps.run("new_ones", powers, Steps.ints(sizes));
    return steps.run("cat", Steps.list(ones, powers), -1L);
  }

  private static Object powers(Steps steps, Operands call) {
    TensorForm x = call.form(0);
    if (x.rank() != 1) {
      return OperandChecks.shape(
          "vander takes a vector, but the shape is " + x.shape(), "[n]", x.shape());
    }
    long count = call.integerOr(1, x.elements());
    if (count < 0) {
      return Fault.value("`N` must not be negative, but it is " + count);
    }
    Object rising = rising(steps, call.value(0), Math.max(1, count));
    Object powers = steps.run("narrow", rising, 1L, 0L, count);
    return call.bool(2) ? powers : steps.run("flip", powers, Steps.ints(1));
  }

  /** The sums of the singular values of the matrices in two dimensions. */
  private static Object nuclear(Steps steps, Operands call, Object dims, boolean keeps) {
    Object lines = steps.run("movedim.intlist", call.value(0), dims, Steps.ints(-2, -1));
    Object sum =
        steps.run("sum.dim_IntList", steps.run("linalg_svdvals", lines), Steps.ints(-1), false);
    if (!keeps || !Steps.isTensor(sum)) {
      return sum;
    }
    Object column = steps.run("unsqueeze", steps.run("unsqueeze", sum, -1L), -1L);
    return steps.run("movedim.intlist", column, Steps.ints(-2, -1), dims);
  }

  private static long product(long... sizes) {
    return Arrays.stream(sizes).reduce(1, (a, b) -> a * b);
  }

  private static Object inverse(Steps steps, Operands call) {
    Shape shape = call.form(0).shape();
    long at = call.integer(1);
    if (at <= 0) {
      return Fault.value("`ind` must be positive, but it is " + at);
    }
    int split = (int) Math.min(at, shape.rank());
    long[] left = Arrays.copyOfRange(shape.toArray(), 0, split);
    long[] right = Arrays.copyOfRange(shape.toArray(), split, shape.rank());
    if (product(left) != product(right)) {
      String text = "linalg_tensorinv takes as many elements before `ind` %d as after it, not %s";
      return OperandChecks.shape(
          Message.of(text, at, shape), product(left) + " elements after `ind`", shape);
    }
    Object matrix = steps.view(call.value(0), product(left), product(left));
    long[] turned = Arrays.copyOf(right, shape.rank());
    System.arraycopy(left, 0, turned, right.length, left.length);
    return steps.view(steps.run("linalg_inv", matrix), turned);
  }

  private static Object solution(Steps steps, Operands call) {
    Object self = call.value(0);
    int rank = call.rank(0);
    if (!call.isNone(2)) {
      long[] moved = call.integers(2);
      long[] last = new long[moved.length];
      for (int i = 0; i < last.length; i++) {
        last[i] = (long) rank - last.length + i;
      }
      self = steps.run("movedim.intlist", self, Steps.ints(moved), Steps.ints(last));
    }
    if (!Steps.isTensor(self)) {
      return self;
    }
    Shape other = call.form(1).shape();
    Shape shape = Steps.form(self).shape();
    int split = Math.min(other.rank(), rank);
    long[] sizes = Arrays.copyOfRange(shape.toArray(), split, rank);
    if (product(sizes) != other.elements()
        || product(Arrays.copyOf(shape.toArray(), split)) != product(sizes)) {
      String text = "linalg_tensorsolve takes %s as a square matrix for a right side of shape %s";
      return OperandChecks.shape(
          Message.of(text, shape, other), other.elements() + " unknowns", shape);
    }
    Object matrix = steps.view(self, product(sizes), product(sizes));
    Object line = steps.view(call.value(1), product(sizes));
    return steps.view(steps.run("linalg_solve", matrix, line), sizes);
  }

  /** The first columns of a product of reflections, whose vectors are below the diagonal. */
  private static Object reflections(Steps steps, Operands call) {
    TensorForm input = call.form(0);
    TensorForm tau = call.form(1);
    Fault fault = unfit(input, tau);
    if (fault == null
        && input.shape().size(input.rank() - 2) < input.shape().size(input.rank() - 1)) {
      fault =
          OperandChecks.shape(
              "a product of reflections takes at least as many rows as columns, but the shape is "
                  + input.shape(),
              "[..., m, n], m >= n",
              input.shape());
    }
    if (fault != null) {
      return fault;
    }
    long rows = input.shape().size(input.rank() - 2);
    long columns = input.shape().size(input.rank() - 1);
    long code = input.dtype().code();
    Object identity = steps.run("eye.m", rows, columns, code);
    Object vectors = steps.sum(steps.run("tril", call.value(0), -1L), identity);
    Object result = steps.run("clone", steps.run("expand_as", identity, call.value(0)), 0L);
    for (long i = tau.shape().size(tau.rank() - 1) - 1; i >= 0; i--) {
      Object vector = steps.run("narrow", vectors, -1L, i, 1L);
      Object weight = steps.run("unsqueeze", steps.run("narrow", call.value(1), -1L, i, 1L), -1L);
      Object along = steps.run("matmul", steps.run("mH", vector), result);
      Object part = steps.run("matmul", steps.product(weight, vector), along);
      result = steps.difference(result, part);
    }
    return result;
  }

  /** A tensor times a product of reflections, from the left or the right. */
  private static Object reflected(Steps steps, Operands call) {
    TensorForm input = call.form(0);
    TensorForm other = call.form(2);
    boolean left = call.bool(3);
    Fault fault = unfit(input, call.form(1));
    if (fault == null) {
      fault = OperandChecks.sameDType("ormqr", input.dtype(), "input3", other.dtype());
    }
    if (fault == null && !meets(input.shape(), other.shape(), left)) {
      String text = "ormqr cannot multiply reflections of %s by %s";
      fault =
          OperandChecks.shape(
              Message.of(text, input.shape(), other.shape()), "as many rows", other.shape());
    }
    if (fault != null) {
      return fault;
    }
    long rows = input.shape().size(input.rank() - 2);
    long columns = input.shape().size(input.rank() - 1);
    boolean turns = call.bool(4);
    Object identity = steps.run("eye.m", rows, columns, (long) input.dtype().code());
    Object vectors = steps.sum(steps.run("tril", call.value(0), -1L), identity);
    Object factors = turns ? steps.run("conj", call.value(1)) : call.value(1);
    Object result = steps.run("clone", call.value(2), 0L);
    long count = call.form(1).shape().size(input.rank() - 2);
    for (long k = 0; k < count; k++) {
      long i = left == turns ? k : count - 1 - k;
      Object vector = steps.run("narrow", vectors, -1L, i, 1L);
      Object weight = steps.run("unsqueeze", steps.run("narrow", factors, -1L, i, 1L), -1L);
      Object turned = steps.run("mH", vector);
      Object part =
          left
              ? steps.run("matmul", vector, steps.run("matmul", turned, result))
              : steps.run("matmul", steps.run("matmul", result, vector), turned);
      result = steps.difference(result, steps.product(weight, part));
    }
    return result;
  }

  /** Whether the batches are the same, and the reflections have as many rows as they meet. */
  private static boolean meets(Shape input, Shape other, boolean left) {
    int rank = input.rank();
    return other.rank() == rank
        && Arrays.equals(
            Arrays.copyOf(input.toArray(), rank - 2), Arrays.copyOf(other.toArray(), rank - 2))
        && input.size(rank - 2) == other.size(left ? rank - 2 : rank - 1);
  }

  private static @Nullable Fault unfit(TensorForm input, TensorForm tau) {
    Fault fault = unfit("a product of reflections", input.dtype(), "tau", tau.dtype());
    if (fault != null) {
      return fault;
    }
    int rank = input.rank();
    long[] sizes = input.shape().toArray();
    long[] factors = tau.shape().toArray();
    boolean fits =
        rank >= 2
            && tau.rank() == rank - 1
            && Math.min(sizes[rank - 2], sizes[rank - 1]) >= factors[rank - 2]
            && Arrays.equals(sizes, 0, rank - 2, factors, 0, rank - 2);
    String text =
        "a product of reflections takes matrices and up to a factor for each row and column, but the"
            + " shapes are %s and %s";
    return fits
        ? null
        : OperandChecks.shape(
            Message.of(text, input.shape(), tau.shape()), "[..., m, n] and [..., k]", tau.shape());
  }

  private static Object sumToSize(Steps steps, Operands call) {
    Shape shape = call.form(0).shape();
    long[] sizes = call.integers(1);
    int more = shape.rank() - sizes.length;
    long[] dims = new long[Math.max(0, shape.rank())];
    int count = 0;
    boolean fits = more >= 0;
    for (int d = 0; fits && d < shape.rank(); d++) {
      boolean sums = d < more || (sizes[d - more] == 1 && shape.size(d) != 1);
      fits = sums || sizes[d - more] == shape.size(d);
      if (sums) {
        dims[count++] = d;
      }
    }
    if (!fits) {
      String text =
          "a tensor of shape %s is not summed to the size %s, which does not expand to it";
      return OperandChecks.shape(
          Message.of(text, shape, Arrays.toString(sizes)), Arrays.toString(sizes), shape);
    }
    Object sum =
        count == 0
            ? call.value(0)
            : steps.run(
                "sum.dim_IntList", call.value(0), Steps.ints(Arrays.copyOf(dims, count)), true);
    return more == 0 && count == 0 ? steps.run("alias", sum) : steps.view(sum, sizes);
  }
}
