package dev.staunch.kernel.composed;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Elements reduced by index, and the sizes of broadcasts. */
final class PickedTensors {
  private PickedTensors() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one("aten::_infer_size(int[] a, int[] b) -> int[]", PickedTensors::sizes);
    Catalog.Builder reducing =
        catalog
            .with(Trait.FAILS_ON_VALUES)
            .withDTypes(DType.of(DType.Kind.BOOL, DType.Kind.INTEGRAL, DType.Kind.FLOATING));
    String rest =
        "int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor";
    Composite.add(
        reducing,
        "aten::index_reduce(Tensor self, " + rest,
        (steps, call) -> reduced(steps, call, "scatter_reduce.two"));
    Composite.add(
        reducing,
        "aten::index_reduce_(Tensor(a!) self, " + rest + "(a!)",
        (steps, call) -> {
          Object written = reduced(steps, call, "scatter_reduce_.two");
          return Steps.isTensor(written) ? call.value(0) : written;
        });
  }

  private static Object sizes(Call call) {
    long[] a = call.integers(0);
    long[] b = call.integers(1);
    List<Object> sizes = new ArrayList<>();
    int rank = Math.max(a.length, b.length);
    for (int d = 0; d < rank; d++) {
      long left = d < rank - a.length ? 1 : a[d - rank + a.length];
      long right = d < rank - b.length ? 1 : b[d - rank + b.length];
      if (left != right && left != 1 && right != 1) {
        String text = "sizes %d and %d of dimension %d do not broadcast";
        return Fault.shape(Message.of(text, left, right, d));
      }
      sizes.add(left == 1 ? right : left);
    }
    return sizes;
  }

  /** Reduces with {@code operation}, whose index has the shape of its source. */
  private static Object reduced(Steps steps, Operands call, String operation) {
    TensorForm self = call.form(0);
    TensorForm index = call.form(2);
    TensorForm source = call.form(3);
    Object dim = Dimensions.wrap(call.integer(1), self.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    boolean fits =
        (source.rank() == self.rank() || Math.max(source.rank(), self.rank()) == 1)
            && index.rank() <= 1
            && index.elements() == (source.rank() == 0 ? 1 : source.shape().size(at));
    if (call.string(4).equals("sum")) {
      return Fault.value("`reduce` takes prod, mean, amax or amin, but got 'sum'");
    }
    if (!fits) {
      String text = "index_reduce takes a source %s with as many slices as the index %s has";
      return OperandChecks.shape(
          Message.of(text, source.shape(), index.shape()), "a source that fits", source.shape());
    }
    boolean single = self.rank() == 0;
    Object target = single ? steps.run("unsqueeze", call.value(0), 0L) : call.value(0);
    Object from = source.rank() == 0 ? steps.view(call.value(3), 1) : call.value(3);
    long[] sizes = new long[Math.max(1, self.rank())];
    Arrays.fill(sizes, 1);
    sizes[at] = index.elements();
    boolean narrow = index.dtype() == DType.INT32;
    Object indices = narrow ? steps.cast(call.value(2), DType.INT64) : call.value(2);
    Object places = steps.run("expand_as", steps.view(indices, sizes), from);
    Object result =
        steps.run(operation, target, (long) at, places, from, call.value(4), call.value(5));
    return single ? steps.run("squeeze.dim", result, 0L) : result;
  }
}
