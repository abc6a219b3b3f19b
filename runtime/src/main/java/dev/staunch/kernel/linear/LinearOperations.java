package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ChannelSums;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.linear.BatchedProduct.Addend;
import dev.staunch.kernel.linear.BatchedProduct.Operand;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Cost;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Linear algebra: {@code linear}, {@code matmul} and the products with fixed ranks. */
public final class LinearOperations {
  private LinearOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return Catalog.Group.numbered(5, LinearOperations::addTo);
  }

  private static void addTo(Catalog.Builder plain, int group) {
    Catalog.Builder narrow = plain.with(Trait.NARROW_AS_FLOAT32);
    Catalog.Builder catalog = narrow.with(Trait.AUTOCAST_REDUCES);
    switch (group) {
      case 0 -> products(catalog);
      case 1 -> {
        fixed(narrow, catalog);
        bytes(plain);
      }
      case 2 -> added(catalog);
      case 3 -> ContractionOperations.addTo(plain);
      case 4 -> DistanceOperations.addTo(plain);
      default -> throw new IllegalArgumentException("there is no group " + group);
    }
  }

  private static void products(Catalog.Builder catalog) {
    catalog
        .withInference(LinearOperations::linearForm)
        .withCost(Cost.Work.product(0))
        .with(Trait.ROWWISE, Trait.TAKES_EPILOGUE)
        .one("aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", Layer.ONLY);
    catalog
        .out("out")
        .withInference(operands -> form(operands, "matmul"))
        .withCost(Cost.Work.product(0))
        .with(Trait.TAKES_EPILOGUE)
        .one("aten::matmul(Tensor self, Tensor other) -> Tensor", call -> product(call, "matmul"));
  }

  private static void fixed(Catalog.Builder narrow, Catalog.Builder catalog) {
    Catalog.Builder stored = catalog.out("out");
    fixed(stored, "aten::mm(Tensor self, Tensor mat2) -> Tensor", "mm", 2, 2);
    fixed(stored, "aten::bmm(Tensor self, Tensor mat2) -> Tensor", "bmm", 3, 3);
    fixed(
        catalog.withDTypes(DType.of(DType.Kind.INTEGRAL, DType.Kind.FLOATING, DType.Kind.COMPLEX)),
        "aten::mv(Tensor self, Tensor vec) -> Tensor",
        "mv",
        2,
        1);
    fixed(
        narrow.with(Trait.AUTOCAST_WIDENS),
        "aten::dot(Tensor self, Tensor tensor) -> Tensor",
        "dot",
        1,
        1);
  }

  /**
   * The product of 8-bit integers, computed in int32, to which they are cast; it is as exact as
   * int32 sums are.
   */
  private static void bytes(Catalog.Builder plain) {
    Composite.add(
        plain.out("out").withDTypes(Set.of(DType.INT8)),
        "aten::_int_mm(Tensor self, Tensor mat2) -> Tensor",
        (steps, call) -> {
          Fault fault =
              OperandChecks.first(
                  ranks(call, "_int_mm", 0, 2, 2),
                  ofBytes("self", call.dtype(0)),
                  ofBytes("mat2", call.dtype(1)));
          return fault == null
              ? steps.run(
                  "mm",
                  steps.cast(call.value(0), DType.INT32),
                  steps.cast(call.value(1), DType.INT32))
              : fault;
        });
  }

  private static @Nullable Fault ofBytes(String name, DType dtype) {
    return dtype == DType.INT8
        ? null
        : Fault.dtype(Message.of("_int_mm takes matrices of int8, but `%s` is %s", name, dtype))
            .withExpected(ExpectedDType.of(DType.INT8), dtype);
  }

  private static void added(Catalog.Builder catalog) {
    String factors = ", *, Scalar beta=1, Scalar alpha=1) -> Tensor";
    Catalog.Builder copied = catalog.with(Trait.COPIED_IN_PLACE);
    added(
        copied.out("out"),
        "aten::addmm(Tensor self, Tensor mat1, Tensor mat2" + factors,
        new ProductSum("addmm", 2, 2, "mm"));
    added(
        copied.withDTypes(DType.of(DType.Kind.INTEGRAL, DType.Kind.FLOATING, DType.Kind.COMPLEX)),
        "aten::addmv(Tensor self, Tensor mat, Tensor vec" + factors,
        new ProductSum("addmv", 2, 1, null));
    added(
        copied.out("out"),
        "aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2" + factors,
        new ProductSum("baddbmm", 3, 3, null));
  }

  private static void added(Catalog.Builder catalog, String schema, ProductSum sum) {
    Composite parts = Composite.of(catalog, sum::inParts);
    catalog
        .withCost(Cost.Work.product(1))
        .with(Trait.TAKES_EPILOGUE)
        .withInference(operands -> {
          Fault fault = unfit(operands, sum);
          return fault != null
              ? fault
              : sum.hasParts(operands) ? parts.infer(operands) : addedForm(operands, sum.name());
        })
        .one(
            schema,
            call -> {
              Fault fault = unfit(call, sum);
              return fault != null
                  ? fault
                  : sum.hasParts(call) ? parts.run(call) : addedProduct(call, sum.name());
            });
  }

  private static void fixed(
      Catalog.Builder catalog, String schema, String name, int leftRank, int rightRank) {
    catalog
        .withCost(Cost.Work.product(0))
        .with(Trait.TAKES_EPILOGUE)
        .withInference(operands -> {
          Fault fault = ranks(operands, name, 0, leftRank, rightRank);
          return fault != null ? fault : form(operands, name);
        })
        .one(
            schema,
            call -> {
              Fault fault = ranks(call, name, 0, leftRank, rightRank);
              return fault != null ? fault : product(call, name);
            });
  }

  private static Object form(Operands operands, String name) {
    return BatchedProduct.form(name, operands.form(0), operands.form(1), null);
  }

  private static Object addedForm(Operands operands, String name) {
    return BatchedProduct.form(name, operands.form(1), operands.form(2), operands.form(0));
  }

  private static @Nullable Fault unfit(Operands operands, ProductSum sum) {
    Fault fault = ranks(operands, sum.name(), 1, sum.leftRank(), sum.rightRank());
    return fault == null
        ? ProductFaults.factors(operands.scalar(3), operands.scalar(4), operands.dtype(1))
        : fault;
  }

  private static Object product(Call call, String name) {
    return BatchedProduct.of(
        call, name, Operand.of(call.tensor(0)), Operand.of(call.tensor(1)), Addend.NOTHING);
  }

  private static Object addedProduct(Call call, String name) {
    Addend addend = new Addend(call.tensor(0), number(call.scalar(3)), number(call.scalar(4)));
    DenseTensor left = call.tensor(1);
    DenseTensor right = call.tensor(2);
    boolean leftOut =
        addend.alpha() instanceof Number alpha
            && alpha.doubleValue() == 0
            && left.rank() == 2
            && left.shape().size(1) == right.shape().size(0);
    return leftOut
        ? BatchedProduct.of(call, name, empty(left, 1), empty(right, 0), addend)
        : BatchedProduct.of(call, name, Operand.of(left), Operand.of(right), addend);
  }

  /** No element along a dimension, so that not even NaN takes part in a product. */
  private static Operand empty(DenseTensor tensor, int dim) {
    return Operand.of(tensor, Views.narrowed(tensor.layout(), dim, 0, 0));
  }

  private static Object number(Object scalar) {
    return scalar instanceof Boolean flag ? (Object) (flag ? 1L : 0L) : scalar;
  }

  private static @Nullable Fault ranks(
      Operands operands, String name, int at, int leftRank, int rightRank) {
    TensorForm left = operands.form(at);
    TensorForm right = operands.form(at + 1);
    if (leftRank == 1 && (left.rank() != 1 || right.rank() != 1)) {
      return Fault.shape(
              Message.of(
                  "%s takes two vectors, but the shapes are %s and %s",
                  name, left.shape(), right.shape()))
          .withExpected("1D and 1D", left.rank() + "D and " + right.rank() + "D");
    }
    Fault fault =
        OperandChecks.first(
            ProductFaults.rank("the first operand of " + name, left, leftRank),
            ProductFaults.rank("the second operand of " + name, right, rightRank));
    return fault == null && leftRank == 3 ? ProductFaults.sameBatch(left, right) : fault;
  }

  private static Object linearForm(Operands operands) {
    TensorForm weight = operands.form(1);
    Fault fault = unfitWeight(weight);
    return fault == null
        ? BatchedProduct.form(
            "linear",
            operands.form(0),
            new TensorForm(weight.dtype(), Operand.transposed(weight.layout())),
            operands.optionalForm(2))
        : fault;
  }

  private static @Nullable Fault unfitWeight(TensorForm weight) {
    return weight.rank() == 1 || weight.rank() == 2
        ? null
        : Fault.shape("`weight` must have 1 or 2 dimensions, but it is " + weight.describe())
            .withExpected("weight [out, in]", weight.shape().toString());
  }

  /** The kernel of {@code linear}. */
  private enum Layer implements Kernel.One, ChannelSums {
    ONLY;

    @Override
    public Object run(Call call) {
      return linear(call);
    }

    /** Only if the input is rows of numbers: otherwise dimension 1 is not the last one. */
    @Override
    public boolean sumsChannels(Operands operands) {
      return operands.rank(0) == 2 && operands.rank(1) == 2;
    }
  }

  private static Object linear(Call call) {
    DenseTensor weight = call.tensor(1);
    DenseTensor bias = call.optionalTensor(2);
    int rank = weight.rank();
    Fault fault = rank == 1 || rank == 2 ? null : unfitWeight(call.form(1));
    if (fault != null) {
      return fault;
    }
    Addend addend = new Addend(bias, 1L, 1L);
    return BatchedProduct.of(
        call, "linear", Operand.of(call.tensor(0)), Operand.transposed(weight), addend);
  }
}
