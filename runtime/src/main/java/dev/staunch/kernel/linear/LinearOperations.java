package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.linear.BatchedProduct.Addend;
import dev.staunch.kernel.linear.BatchedProduct.Operand;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Demands;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** Linear algebra: {@code linear}, {@code matmul} and the products with fixed ranks. */
public final class LinearOperations {
  private LinearOperations() {}

  /** Adds all operations of this package. */
  public static void addTo(Catalog.Builder catalog) {
    one(
        catalog,
        "aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
        LinearOperations::linear);
    one(
        catalog,
        "aten::matmul(Tensor self, Tensor other) -> Tensor",
        call -> product(call, "matmul", 0, 1));
    fixed(catalog, "aten::mm(Tensor self, Tensor mat2) -> Tensor", "mm", 2, 2);
    fixed(catalog, "aten::bmm(Tensor self, Tensor mat2) -> Tensor", "bmm", 3, 3);
    fixed(catalog, "aten::mv(Tensor self, Tensor vec) -> Tensor", "mv", 2, 1);
    fixed(catalog, "aten::dot(Tensor self, Tensor tensor) -> Tensor", "dot", 1, 1);
    String factors = ", *, Scalar beta=1, Scalar alpha=1) -> Tensor";
    added(catalog, "aten::addmm(Tensor self, Tensor mat1, Tensor mat2" + factors, "addmm", 2, 2);
    added(catalog, "aten::addmv(Tensor self, Tensor mat, Tensor vec" + factors, "addmv", 2, 1);
    added(
        catalog,
        "aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2" + factors,
        "baddbmm",
        3,
        3);
    ContractionOperations.addTo(catalog);
    DistanceOperations.addTo(catalog);
  }

  private static void one(Catalog.Builder catalog, String schema, Kernel.One kernel) {
    catalog.one(schema, Marking.one(kernel));
  }

  private static void fixed(
      Catalog.Builder catalog, String schema, String name, int leftRank, int rightRank) {
    one(
        catalog,
        schema,
        call -> {
          Fault fault = ranks(call, name, 0, leftRank, rightRank);
          return fault != null ? fault : product(call, name, 0, 1);
        });
  }

  private static void added(
      Catalog.Builder catalog, String schema, String name, int leftRank, int rightRank) {
    one(
        catalog,
        schema,
        call -> {
          Fault fault = ranks(call, name, 1, leftRank, rightRank);
          return fault != null ? fault : addedProduct(call, name);
        });
  }

  private static Object product(Call call, String name, int left, int right) {
    return BatchedProduct.of(
        call, name, Operand.of(call.tensor(left)), Operand.of(call.tensor(right)), Addend.NOTHING);
  }

  private static Object addedProduct(Call call, String name) {
    Object beta = call.scalar(3);
    Object alpha = call.scalar(4);
    DType dtype = call.tensor(1).dtype();
    DType sum = call.tensor(0).dtype();
    if (sum.isFloating() && !dtype.isFloating() && call.tensor(2).dtype() == dtype) {
      return castProduct(call, name, sum, new Addend(call.tensor(0), number(beta), number(alpha)));
    }
    Fault unfit = ProductFaults.factors(beta, alpha, dtype);
    if (unfit != null) {
      return unfit;
    }
    Addend addend = new Addend(call.tensor(0), number(beta), number(alpha));
    return BatchedProduct.of(
        call, name, Operand.of(call.tensor(1)), Operand.of(call.tensor(2)), addend);
  }

  /** Integer matrices added to reals: libtorch lets the sum's dtype decide. */
  private static Object castProduct(Call call, String name, DType dtype, Addend addend) {
    try (Temporaries casts = new Temporaries()) {
      Object left = cast(call, casts, call.tensor(1), dtype);
      Object right = cast(call, casts, call.tensor(2), dtype);
      return left instanceof DenseTensor a && right instanceof DenseTensor b
          ? BatchedProduct.of(call, name, Operand.of(a), Operand.of(b), addend)
          : left instanceof Fault ? left : right;
    }
  }

  private static Object number(Object scalar) {
    return scalar instanceof Boolean flag ? (Object) (flag ? 1L : 0L) : scalar;
  }

  private static @Nullable Fault ranks(
      Call call, String name, int at, int leftRank, int rightRank) {
    DenseTensor left = call.tensor(at);
    DenseTensor right = call.tensor(at + 1);
    if (leftRank == 1 && (left.rank() != 1 || right.rank() != 1)) {
      return Fault.shape(
              Message.of(
                  "%s takes two vectors, but the shapes are %s and %s",
                  name, left.shape(), right.shape()))
          .withExpected("1D and 1D", left.rank() + "D and " + right.rank() + "D");
    }
    Fault fault =
        Demands.first(
            ProductFaults.rank("the first operand of " + name, left, leftRank),
            ProductFaults.rank("the second operand of " + name, right, rightRank));
    return fault == null && leftRank == 3 ? ProductFaults.sameBatch(left, right) : fault;
  }

  private static Object linear(Call call) {
    DenseTensor weight = call.tensor(1);
    if (weight.rank() != 1 && weight.rank() != 2) {
      return Fault.shape("`weight` must have 1 or 2 dimensions, but it is " + weight.describe())
          .withExpected("weight [out, in]", weight.shape().toString());
    }
    DenseTensor bias = call.optionalTensor(2);
    if (SmallProduct.fits(call.tensor(0), weight, bias)) {
      return SmallProduct.linear(call, call.tensor(0), weight, bias);
    }
    Addend addend = new Addend(bias, 1L, 1L);
    return BatchedProduct.of(
        call, "linear", Operand.of(call.tensor(0)), Operand.transposed(weight), addend);
  }

  /** {@code tensor} itself, or a copy in {@code dtype}; or a fault. */
  private static Object cast(Call call, Temporaries casts, DenseTensor tensor, DType dtype) {
    return tensor.dtype() == dtype ? tensor : casts.note(Copying.toContiguous(call, tensor, dtype));
  }
}
