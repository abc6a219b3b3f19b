package dev.staunch.kernel.sparse;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.SparseTensor;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/** What operations on dense tensors do if their first operand is sparse. */
final class SparseForms {
  /** Computes the result, or a fault, of a call whose first operand is sparse. */
  @FunctionalInterface
  interface Form {
    Object of(Steps steps, Call call, SparseTensor self);

    /** As {@link #of}; a fault if the first operand is dense. */
    default Object apply(Steps steps, Call call) {
      return call.value(0) instanceof SparseTensor self
          ? of(steps, call, self)
          : Fault.unsupported(
              "the first operand must be sparse; make it so with `to_sparse`, or the other dense"
                  + " with `to_dense`");
    }
  }

  private SparseForms() {}

  /**
   * The form of an operation; null if it takes dense tensors only. Every operation is looked up
   * here, so the forms of the others are not even linked.
   */
  static @Nullable Form of(String name) {
    return switch (name) {
      case "aten::size" -> (steps, call, self) -> Places.sizes(self);
      case "aten::size.int" -> SparseForms::size;
      case "aten::dim" -> (steps, call, self) -> (long) self.shape().rank();
      case "aten::numel" -> (steps, call, self) -> self.shape().elements();
      case "aten::is_floating_point" -> (steps, call, self) -> self.values().dtype().isFloating();
      case "prim::dtype" -> (steps, call, self) -> (long) self.values().dtype().code();
      case "prim::device" -> (steps, call, self) -> "cpu";
      case "prim::is_cuda" -> (steps, call, self) -> false;
      case "prim::requires_grad" -> (steps, call, self) -> self.values().requiresGrad();
      case "aten::mm", "aten::matmul", "aten::mv" -> SparseForms::product;
      case "aten::t", "aten::transpose.int" -> SparseForms::transposed;
      case "aten::neg",
          "aten::detach",
          "aten::clone",
          "aten::mul.Scalar",
          "aten::div.Scalar",
          "aten::to.dtype" ->
          (steps, call, self) -> valuewise(steps, call, self, unqualified(name));
      case "aten::mul.Tensor", "aten::div.Tensor" ->
          (steps, call, self) -> scaled(steps, call, self, unqualified(name));
      case "aten::add.Tensor" -> SparseForms::sum2;
      case "aten::sum" -> SparseForms::sum;
      default -> null;
    };
  }

  private static String unqualified(String name) {
    return name.substring("aten::".length());
  }

  private static Object size(Steps steps, Call call, SparseTensor self) {
    Object dim = Dimensions.wrap(call.integer(1), self.shape().rank());
    return dim instanceof Integer at ? (Object) self.shape().size(at) : dim;
  }

  static Object product(Steps steps, Call call, SparseTensor self) {
    return call.value(1) instanceof DenseTensor other
        ? Places.product(steps, self, other)
        : Fault.unsupported(
            "a sparse matrix is multiplied with a dense one; make the other dense with `to_dense`");
  }

  private static Object transposed(Steps steps, Call call, SparseTensor self) {
    boolean matrix = self.shape().rank() == 2 && self.sparseDims() == 2;
    if (!matrix) {
      return Fault.unsupported("only a sparse matrix is transposed, but this is " + self);
    }
    Object rows = steps.run("flip", self.indices(), Steps.ints(0));
    boolean turned = call.size() == 1 || call.integer(1) != call.integer(2);
    return !turned
        ? Places.again(call, self, self.values())
        : rows instanceof DenseTensor indices
            ? Places.sparse(
                steps,
                call,
                indices,
                self.values(),
                new long[] {self.shape().size(1), self.shape().size(0)},
                /* coalesced= */ false)
            : rows;
  }

  /** An operation that maps 0 to 0 is applied to the values only. */
  private static Object valuewise(Steps steps, Call call, SparseTensor self, String name) {
    Object[] arguments = call.arguments();
    arguments[0] = self.values();
    Object values = steps.run(name, arguments);
    return values instanceof DenseTensor made ? Places.again(call, self, made) : values;
  }

  private static Object scaled(Steps steps, Call call, SparseTensor self, String name) {
    if (call.value(1) instanceof DenseTensor factor && factor.rank() == 0) {
      return valuewise(steps, call, self, name);
    }
    return Fault.unsupported(
        "a sparse tensor is scaled by a number; make it dense with `to_dense` for more");
  }

  /** The elements of both; equal coordinates then occur twice. */
  private static Object sum2(Steps steps, Call call, SparseTensor self) {
    if (!(call.value(1) instanceof SparseTensor other)) {
      return Fault.unsupported(
          "a sparse tensor is added to a sparse one; make it dense with `to_dense` before");
    }
    if (!self.shape().equals(other.shape()) || self.sparseDims() != other.sparseDims()) {
      String text = "sparse tensors of %s and %s cannot be added";
      return Fault.shape(Message.of(text, self.shape(), other.shape()))
          .withExpected(self.shape().toString(), other.shape().toString());
    }
    Object scaled = steps.scaled(other.values(), call.value(2));
    Object values = steps.run("cat", Steps.list(self.values(), scaled), 0L);
    Object indices = steps.run("cat", Steps.list(self.indices(), other.indices()), 1L);
    return values instanceof DenseTensor all && indices instanceof DenseTensor places
        ? Places.coalesced(steps, call, new SparseTensor(places, all, self.shape(), false))
        : values instanceof Fault ? values : indices;
  }

  static Object sum(Steps steps, Call call, SparseTensor self) {
    return steps.run("sum", self.values());
  }
}
