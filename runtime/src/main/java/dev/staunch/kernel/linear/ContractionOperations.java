package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Products of tensors over some of their dimensions. */
final class ContractionOperations {
  /** Finding the best order of more matrices would take long; they are multiplied as they come. */
  private static final int MOST_ORDERED = 64;

  private ContractionOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder narrow = catalog.with(Trait.NARROW_AS_FLOAT32);
    Catalog.Builder reduced = narrow.with(Trait.AUTOCAST_REDUCES);
    Catalog.Builder widened = narrow.with(Trait.AUTOCAST_WIDENS);
    Composite.add(
        narrow
            .with(Trait.SHARES)
            .withDTypes(DType.of(DType.Kind.INTEGRAL, DType.Kind.FLOATING, DType.Kind.COMPLEX)),
        "aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor",
        Einsum::run);
    Composite.one(
        widened.out("out"),
        "tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other)",
        ContractionOperations::contracted);
    Composite.one(
        narrow.out("out"), "inner(Tensor self, Tensor other)", ContractionOperations::inner);
    Composite.one(
        narrow.out("out"), "kron(Tensor self, Tensor other)", ContractionOperations::kron);
    Composite.one(
        narrow,
        "vdot(Tensor self, Tensor other)",
        (steps, call) -> steps.run("dot", steps.run("conj", call.value(0)), call.value(1)));
    Composite.one(catalog, "trace(Tensor self)", ContractionOperations::trace);
    chain(reduced, "chain_matmul", "matrices", 1);
    chain(narrow, "linalg_multi_dot", "tensors", 2);
    Composite.one(narrow, "outer(Tensor self, Tensor vec2)", ContractionOperations::outer);
    Composite.one(catalog, "ger(Tensor self, Tensor vec2)", ContractionOperations::outer);
    Composite.one(
        reduced.with(Trait.COPIED_IN_PLACE),
        "addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1)",
        (steps, call) -> {
          DType dtype = Promotion.of(call.value(0), call.value(1), call.value(2)).result();
          boolean casts = dtype.kind() != DType.Kind.COMPLEX;
          Object a = casts ? steps.cast(call.value(1), dtype) : call.value(1);
          Object b = casts ? steps.cast(call.value(2), dtype) : call.value(2);
          Fault fault = ProductFaults.exactFactors(call.scalar(3), call.scalar(4), dtype);
          return fault == null ? added(steps, call, steps.run("outer", a, b)) : fault;
        });
    Composite.one(
        reduced
            .with(Trait.COPIED_IN_PLACE)
            .withDTypes(DType.of(DType.Kind.INTEGRAL, DType.Kind.FLOATING, DType.Kind.COMPLEX)),
        "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)",
        ContractionOperations::totalled);
    Composite.one(
        widened,
        "bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None)",
        ContractionOperations::bilinear);
    Composite.one(
        catalog
            .with(Trait.AUTOCAST_WIDENS)
            .withDTypes(DType.of(DType.Kind.INTEGRAL, DType.Kind.FLOATING, DType.Kind.COMPLEX)),
        "cross(Tensor self, Tensor other, int? dim=None)",
        ContractionOperations::cross);
    Composite.one(
        catalog.withDTypes(DType.of(DType.Kind.INTEGRAL, DType.Kind.FLOATING, DType.Kind.COMPLEX)),
        "linalg_cross(Tensor self, Tensor other, *, int dim=-1)",
        ContractionOperations::cross);
    Composite.one(
        catalog.with(Trait.FAILS_ON_VALUES),
        "cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None)",
        ContractionOperations::covariance);
    Composite.one(catalog, "corrcoef(Tensor self)", ContractionOperations::correlation);
  }

  private static void chain(Catalog.Builder catalog, String name, String list, int least) {
    Composite.add(
        catalog,
        Message.of("aten::%s(Tensor[] %s) -> Tensor", name, list),
        (steps, call) -> chained(steps, call, name, least));
  }

  private static Object contracted(Steps steps, Operands call) {
    TensorForm a = call.form(0);
    TensorForm b = call.form(1);
    long[] dimsA = call.integers(2);
    long[] dimsB = call.integers(3);
    if (dimsA.length != dimsB.length) {
      String text = "`dims_self` names %d dimensions and `dims_other` %d; give as many for both";
      return Fault.value(Message.of(text, dimsA.length, dimsB.length))
          .withExpected(dimsA.length + " dimensions", dimsB.length + " dimensions");
    }
    if (dimsA.length > 0 && Math.min(a.rank(), b.rank()) == 0) {
      return Fault.index(
          "tensordot names dimensions, but a tensor has none; multiply it with `mul`");
    }
    Object maskA = dimsA.length == 0 ? new boolean[a.rank()] : Dimensions.mask(dimsA, a.rank());
    Object maskB = dimsB.length == 0 ? new boolean[b.rank()] : Dimensions.mask(dimsB, b.rank());
    if (!(maskA instanceof boolean[] ofA) || !(maskB instanceof boolean[] ofB)) {
      return maskA instanceof Fault ? maskA : maskB;
    }
    Object left = call.value(0);
    Object right = call.value(1);
    long inner = 1;
    for (int i = 0; i < dimsA.length; i++) {
      long sizeA = a.shape().size((int) Math.floorMod(dimsA[i], (long) a.rank()));
      long sizeB = b.shape().size((int) Math.floorMod(dimsB[i], (long) b.rank()));
      if (sizeA != sizeB && sizeA != 1 && sizeB != 1) {
        String text =
            "the contracted dimensions differ: the first tensor has size %d in dimension %d, the"
                + " second size %d in dimension %d";
        return Fault.shape(Message.of(text, sizeA, dimsA[i], sizeB, dimsB[i]));
      }
      if (sizeA != sizeB) {
        left = sizeA == 1 ? left : steps.run("sum.dim_IntList", left, Steps.ints(dimsA[i]), true);
        right =
            sizeB == 1 ? right : steps.run("sum.dim_IntList", right, Steps.ints(dimsB[i]), true);
      }
      inner *= sizeA == sizeB ? sizeA : 1;
    }
    List<Object> freeA = free(ofA, a.rank());
    List<Object> freeB = free(ofB, b.rank());
    List<Object> sizes = new ArrayList<>();
    freeA.forEach(d -> sizes.add(a.shape().size(((Long) d).intValue())));
    freeB.forEach(d -> sizes.add(b.shape().size(((Long) d).intValue())));
    List<Object> orderA = new ArrayList<>(freeA);
    orderA.addAll(Steps.ints(dimsA));
    List<Object> orderB = Steps.ints(dimsB);
    orderB.addAll(freeB);
    Object rows = steps.view(steps.run("permute", left, orderA), size(a, freeA), inner);
    Object columns = steps.view(steps.run("permute", right, orderB), inner, size(b, freeB));
    return steps.run("reshape", steps.run("mm", rows, columns), sizes);
  }

  private static List<Object> free(boolean[] mask, int rank) {
    List<Object> free = new ArrayList<>();
    for (int d = 0; d < rank; d++) {
      if (!mask[d]) {
        free.add((long) d);
      }
    }
    return free;
  }

  private static long size(TensorForm tensor, List<Object> dims) {
    long size = 1;
    for (Object d : dims) {
      size *= tensor.shape().size(((Long) d).intValue());
    }
    return size;
  }

  private static Object inner(Steps steps, Operands call) {
    TensorForm a = call.form(0);
    TensorForm b = call.form(1);
    if (a.rank() == 0 || b.rank() == 0) {
      return steps.product(call.value(0), call.value(1));
    }
    if (a.shape().size(a.rank() - 1) != b.shape().size(b.rank() - 1)) {
      String text = "inner takes tensors with the same last size, but the shapes are %s and %s";
      return Fault.shape(Message.of(text, a.shape(), b.shape()));
    }
    return steps.run("tensordot", call.value(0), call.value(1), Steps.ints(-1), Steps.ints(-1));
  }

  private static Object kron(Steps steps, Operands call) {
    TensorForm a = call.form(0);
    TensorForm b = call.form(1);
    int rank = Math.max(a.rank(), b.rank());
    long[] ofA = new long[2 * rank];
    long[] ofB = new long[2 * rank];
    long[] sizes = new long[rank];
    Arrays.fill(ofA, 1);
    Arrays.fill(ofB, 1);
    for (int d = 0; d < rank; d++) {
      int atA = d - rank + a.rank();
      int atB = d - rank + b.rank();
      ofA[2 * d] = atA < 0 ? 1 : a.shape().size(atA);
      ofB[2 * d + 1] = atB < 0 ? 1 : b.shape().size(atB);
      sizes[d] = ofA[2 * d] * ofB[2 * d + 1];
    }
    return steps.view(
        steps.product(steps.view(call.value(1), ofB), steps.view(call.value(0), ofA)), sizes);
  }

  /** Multiplies the second vector, whose elements are contiguous, by one number per row. */
  private static Object outer(Steps steps, Operands call) {
    Fault fault =
        OperandChecks.first(
            ProductFaults.rank("the first operand of outer", call.form(0), 1),
            ProductFaults.rank("the second operand of outer", call.form(1), 1));
    return fault == null
        ? steps.product(call.value(1), steps.run("unsqueeze", call.value(0), 1L))
        : fault;
  }

  /** The sum of the products of all pairs of matrices, added to self. */
  private static Object totalled(Steps steps, Operands call) {
    Fault fault = OperandChecks.sameDType("addbmm", call.dtype(1), "self", call.dtype(0));
    if (fault != null) {
      return fault;
    }
    Object product = steps.run("bmm", call.value(1), call.value(2));
    long code = call.form(1).dtype().code();
    Object sum = steps.run("sum.dim_IntList", product, Steps.ints(0), false, code);
    boolean leftOut = Scalars.real(call.scalar(4)) == 0; // even if it is NaN
    return added(steps, call, leftOut ? steps.run("zeros_like", sum) : sum);
  }

  /** {@code beta * self + alpha * product}, in the product's shape. */
  private static Object added(Steps steps, Operands call, Object product) {
    if (!Steps.isTensor(product)) {
      return product;
    }
    DType own = call.form(0).dtype();
    DType dtype = own.isFloating() ? own : Steps.form(product).dtype();
    Fault unfit = ProductFaults.factors(call.scalar(3), call.scalar(4), dtype);
    if (unfit != null) {
      return unfit;
    }
    TensorForm form = Steps.form(product);
    boolean wider = own.isFloating() && form.dtype().bytes() > own.bytes();
    Object given = wider ? steps.cast(call.value(0), form.dtype()) : call.value(0);
    Object self = steps.run("expand", given, Steps.ints(form.shape().toArray()));
    Object scaled = steps.scaled(product, factor(call.scalar(4), dtype));
    boolean blank = Steps.isTensor(self) && Scalars.real(call.scalar(3)) == 0;
    return blank ? scaled : steps.sum(steps.scaled(self, factor(call.scalar(3), dtype)), scaled);
  }

  /** {@code factor} as a number of the kind that it scales, so that the kind stays. */
  private static Object factor(Object factor, DType scaled) {
    return switch (scaled.kind()) {
      case BOOL -> (Object) (Scalars.real(factor) != 0);
      case INTEGRAL -> Scalars.integer(factor);
      case FLOATING, COMPLEX -> factor;
    };
  }

  private static Object trace(Steps steps, Operands call) {
    return call.form(0).rank() == 2
        ? steps.run("sum", steps.run("diagonal", call.value(0)))
        : OperandChecks.shape(
            "trace takes a matrix, but the shape is " + call.form(0).shape(),
            "2 dimensions",
            call.form(0).shape());
  }

  private static Object chained(Steps steps, Operands call, String name, int least) {
    List<Object> matrices = call.list(0);
    if (matrices.size() < least) {
      String text = "%s takes at least %d matrices, but got %d";
      return Fault.value(Message.of(text, name, least, matrices.size()))
          .withExpected(least + " matrices", Integer.toString(matrices.size()));
    }
    for (int i = 0; i < matrices.size(); i++) {
      Shape shape = Steps.form(matrices.get(i)).shape();
      boolean atEnd = i == 0 || i == matrices.size() - 1;
      boolean fits = shape.rank() == 2 || (shape.rank() == 1 && atEnd && least > 1);
      if (!fits) {
        String text =
            least > 1
                ? "%s takes matrices, and vectors at its ends, but the shape of tensor %d is %s"
                : "%s takes matrices, but the shape of tensor %d is %s";
        return OperandChecks.shape(Message.of(text, name, i, shape), "2 dimensions", shape);
      }
    }
    if (matrices.size() > 1 && matrices.size() <= MOST_ORDERED) {
      return chained(steps, matrices, splits(matrices), 0, matrices.size() - 1);
    }
    Object product = steps.run("clone", matrices.getFirst());
    for (Object next : matrices.subList(1, matrices.size())) {
      product = steps.run("matmul", product, next);
    }
    return product;
  }

  /** The product of the matrices {@code first} to {@code last}. */
  private static Object chained(
      Steps steps, List<Object> matrices, int[][] splits, int first, int last) {
    if (first == last) {
      return matrices.get(first);
    }
    int split = splits[first][last];
    Object left = chained(steps, matrices, splits, first, split);
    return steps.run("matmul", left, chained(steps, matrices, splits, split + 1, last));
  }

  /**
   * For the matrices {@code i} to {@code j}, the last one of the left product, so that they take as
   * few multiplications as possible.
   */
  private static int[][] splits(List<Object> matrices) {
    int count = matrices.size();
    double[] sizes = new double[count + 1];
    for (int i = 0; i < count; i++) {
      Shape shape = Steps.form(matrices.get(i)).shape();
      sizes[i] = i == 0 && shape.rank() == 1 ? 1 : shape.size(0);
      sizes[i + 1] = shape.rank() == 1 ? 1 : shape.size(1);
    }
    double[][] costs = new double[count][count];
    int[][] splits = new int[count][count];
    for (int length = 1; length < count; length++) {
      for (int i = 0; i + length < count; i++) {
        int j = i + length;
        costs[i][j] = Double.POSITIVE_INFINITY;
        for (int k = i; k < j; k++) {
          double cost = costs[i][k] + costs[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1];
          if (cost < costs[i][j]) {
            costs[i][j] = cost;
            splits[i][j] = k;
          }
        }
      }
    }
    return splits;
  }

  private static Object bilinear(Steps steps, Operands call) {
    TensorForm a = call.form(0);
    TensorForm b = call.form(1);
    TensorForm weight = call.form(2);
    if (weight.rank() != 3 || a.rank() == 0 || a.rank() != b.rank()) {
      String text =
          "bilinear takes inputs of one rank and a weight [out, in1, in2], but got %s, %s and %s";
      return Fault.shape(Message.of(text, a.shape(), b.shape(), weight.shape()));
    }
    long outputs = weight.shape().size(0);
    long left = weight.shape().size(1);
    long right = weight.shape().size(2);
    long[] sizes = a.shape().toArray();
    boolean fits = sizes[sizes.length - 1] == left && b.shape().size(sizes.length - 1) == right;
    for (int d = 0; fits && d < sizes.length - 1; d++) {
      fits = sizes[d] == b.shape().size(d);
    }
    if (!fits) {
      String text =
          "the inputs %s and %s of bilinear do not fit each other or the weight %s, which is [out,"
              + " in1, in2]";
      return Fault.shape(Message.of(text, a.shape(), b.shape(), weight.shape()));
    }
    long rows = a.elements() / Math.max(1, left);
    Object flat =
        steps.view(steps.run("permute", call.value(2), Steps.ints(1, 0, 2)), left, outputs * right);
    Object half =
        steps.view(
            steps.run("mm", steps.view(call.value(0), rows, left), flat), rows, outputs, right);
    Object whole = steps.run("bmm", half, steps.view(call.value(1), rows, right, 1));
    sizes[sizes.length - 1] = outputs;
    Object result = steps.view(whole, sizes);
    return call.isNone(3) ? result : steps.sum(result, call.value(3));
  }

  private static Object cross(Steps steps, Operands call) {
    if (call.form(0).rank() != call.form(1).rank()) {
      String text = "cross takes tensors of one rank, but the shapes are %s and %s";
      return Fault.shape(Message.of(text, call.form(0).shape(), call.form(1).shape()))
          .withExpected(call.form(0).shape().toString(), call.form(1).shape().toString());
    }
    Object shape = Broadcast.shape(call.form(0).shape(), call.form(1).shape());
    if (!(shape instanceof Shape common)) {
      return shape;
    }
    long asked = call.integerOr(2, Long.MIN_VALUE);
    Shape own = call.form(0).shape();
    for (int d = 0; asked == Long.MIN_VALUE && d < own.rank(); d++) {
      asked = own.size(d) == 3 ? d : asked;
    }
    if (asked == Long.MIN_VALUE || common.rank() == 0) {
      return Fault.shape("cross needs a dimension of size 3, but the shape is " + common);
    }
    Object dim = Dimensions.wrap(asked, common.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    Shape given = own.size(at) == 3 ? call.form(1).shape() : own;
    if (given.size(at) != 3) {
      String text = "cross needs size 3 in dimension %d, but the shape is %s";
      return Fault.shape(Message.of(text, at, given))
          .withExpected("length 3", Long.toString(given.size(at)));
    }
    Object a = steps.run("expand", call.value(0), Steps.ints(common.toArray()));
    Object b = steps.run("expand", call.value(1), Steps.ints(common.toArray()));
    if (at > 0 && at == common.rank() - 1) { // vectors side by side: their parts become rows
      Object rows = crossed(steps, rows(steps, a, at), rows(steps, b, at), 0);
      return steps.run("contiguous", steps.run("movedim.int", rows, 0L, (long) at));
    }
    return crossed(steps, a, b, at);
  }

  private static Object rows(Steps steps, Object vectors, long dim) {
    return steps.run("contiguous", steps.run("movedim.int", vectors, dim, 0L));
  }

  private static Object crossed(Steps steps, Object a, Object b, int at) {
    Object one = steps.product(rolled(steps, a, -1, at), rolled(steps, b, -2, at));
    Object two = steps.product(rolled(steps, a, -2, at), rolled(steps, b, -1, at));
    return steps.difference(one, two);
  }

  private static Object rolled(Steps steps, Object tensor, long by, int dim) {
    return steps.run("roll", tensor, Steps.ints(by), Steps.ints(dim));
  }

  private static Object covariance(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    if (self.rank() > 2 || self.dtype() == DType.BOOL) {
      return Fault.shape("cov takes numbers of at most 2 dimensions, but got " + self.describe())
          .withExpected("at most 2 dimensions of numbers", self.describe());
    }
    Object rows = self.rank() < 2 ? steps.view(call.value(0), 1, -1) : call.value(0);
    rows = steps.cast(rows, Promotion.of(call.value(0)).floatingResult());
    if (!Steps.isTensor(rows)) {
      return rows;
    }
    long count = Steps.form(rows).shape().size(1);
    if (!call.isNone(2) || !call.isNone(3)) {
      return WeightedCovariance.of(steps, call, rows);
    }
    Object away = steps.difference(rows, steps.run("mean.dim", rows, Steps.ints(1), true));
    Object square = steps.run("mm", away, steps.run("conj", steps.run("t", away)));
    double divisor = Math.max(0, count - call.integer(1));
    Object result = steps.run("div.Scalar", square, divisor);
    return steps.run("squeeze", result);
  }

  private static Object correlation(Steps steps, Operands call) {
    Object covariance = steps.run("cov", call.value(0));
    if (!Steps.isTensor(covariance) || Steps.form(covariance).rank() == 0) {
      return covariance instanceof Fault
          ? covariance
          : steps.run("div.Tensor", covariance, covariance);
    }
    Object spread = steps.run("sqrt", steps.run("diagonal", covariance));
    Object rows = steps.run("div.Tensor", covariance, steps.run("unsqueeze", spread, 1L));
    Object both = steps.run("div.Tensor", rows, steps.run("unsqueeze", spread, 0L));
    boolean complex = Steps.isTensor(both) && Steps.form(both).dtype().kind() == DType.Kind.COMPLEX;
    Object parts = complex ? steps.run("view_as_real", both) : both;
    Object bounded = steps.run("clamp", parts, -1L, 1L);
    return complex ? steps.run("view_as_complex", bounded) : bounded;
  }
}
