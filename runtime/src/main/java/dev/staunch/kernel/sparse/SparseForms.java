package dev.staunch.kernel.sparse;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.SparseTensor;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What operations on dense tensors do with a sparse one as their first operand. */
final class SparseForms {
  /** Makes the result, or a fault, of a call whose first operand is sparse. */
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

  private static final Map<String, Form> FORMS = forms();

  private SparseForms() {}

  /** The form of an operation; null if it takes dense tensors only. */
  static @Nullable Form of(String name) {
    return FORMS.get(name);
  }

  private static Map<String, Form> forms() {
    Map<String, Form> forms = new HashMap<>();
    forms.put("aten::size", (steps, call, self) -> Places.sizes(self));
    forms.put("aten::size.int", SparseForms::size);
    forms.put("aten::dim", (steps, call, self) -> (long) self.shape().rank());
    forms.put("aten::numel", (steps, call, self) -> self.shape().elements());
    forms.put("aten::is_floating_point", (steps, call, self) -> self.values().dtype().isFloating());
    forms.put("prim::dtype", (steps, call, self) -> (long) self.values().dtype().code());
    forms.put("prim::device", (steps, call, self) -> "cpu");
    forms.put("prim::is_cuda", (steps, call, self) -> false);
    forms.put("prim::requires_grad", (steps, call, self) -> self.values().requiresGrad());
    for (String product : new String[] {"mm", "matmul", "mv"}) {
      forms.put("aten::" + product, SparseForms::product);
    }
    for (String turned : new String[] {"t", "transpose.int"}) {
      forms.put("aten::" + turned, SparseForms::transposed);
    }
    for (String each :
        new String[] {"neg", "detach", "clone", "mul.Scalar", "div.Scalar", "to.dtype"}) {
      forms.put("aten::" + each, (steps, call, self) -> valuewise(steps, call, self, each));
    }
    forms.put("aten::mul.Tensor", (steps, call, self) -> scaled(steps, call, self, "mul.Tensor"));
    forms.put("aten::div.Tensor", (steps, call, self) -> scaled(steps, call, self, "div.Tensor"));
    forms.put("aten::add.Tensor", SparseForms::sum2);
    forms.put("aten::sum", SparseForms::sum);
    return Map.copyOf(forms);
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

  /** What keeps a 0 a 0 is done to the values. */
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

  /** Places of both, which are then given more than once. */
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
