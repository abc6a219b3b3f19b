package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Inference;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Distinct elements or slices, the position of each original in the result, and how often each
 * occurs. They are in ascending order, whether or not that was requested, or one per run in their
 * original order.
 */
final class UniqueOperations {
  private UniqueOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder ofValues =
        catalog
            .withInference(Inference.OF_VALUES)
            .withDTypes(DType.of(DType.Kind.BOOL, DType.Kind.INTEGRAL, DType.Kind.FLOATING));
    ofValues.many(
        "aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool"
            + " return_counts=False) -> (Tensor, Tensor, Tensor)",
        Steps.many(
            (steps, call) -> flat(steps, call, true, call.bool(2) || call.bool(3), call.bool(3))));
    ofValues.many(
        "aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor,"
            + " Tensor)",
        Steps.many((steps, call) -> {
          Object all = flat(steps, call, true, call.bool(2), false);
          return all instanceof Object[] three ? Arrays.copyOf(three, 2) : all;
        }));
    ofValues.many(
        "aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool"
            + " return_counts=False) -> (Tensor, Tensor, Tensor)",
        Steps.many((steps, call) -> along(steps, call, call.integer(1), true)));
    ofValues.many(
        "aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool"
            + " return_counts=False) -> (Tensor, Tensor, Tensor)",
        Steps.many((steps, call) -> along(steps, call, call.integer(1), false)));
    ofValues.many(
        "aten::unique_consecutive(Tensor self, bool return_inverse=False, bool"
            + " return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)",
        Steps.many((steps, call) ->
            call.isNone(3) || (call.tensor(0).rank() == 1 && call.integer(3) == 0)
                ? flat(steps, call, false, call.bool(1), call.bool(2))
                : along(steps, call, call.integer(3), false)));
  }

  private static Object flat(
      Steps steps, Call call, boolean sorts, boolean inverse, boolean counts) {
    DenseTensor self = call.tensor(0);
    Fault fault = Promotion.unsupported("unique", self.dtype());
    if (fault != null) {
      return fault;
    }
    Object flat = steps.run("contiguous", steps.view(self, -1));
    if (!(flat instanceof DenseTensor lines)) {
      return flat;
    }
    Object found = UniqueLines.of(steps, call, lines, 1, lines.elements(), sorts);
    if (!(found instanceof UniqueLines unique)) {
      return found;
    }
    Object values = steps.run("index_select", lines, 0L, unique.firsts());
    return results(steps, call, values, inverse ? self.shape() : null, unique, counts);
  }

  private static Object along(Steps steps, Call call, long asked, boolean sorts) {
    DenseTensor self = call.tensor(0);
    Fault fault = Promotion.unsupported("unique_dim", self.dtype());
    Object dim = fault == null ? Dimensions.wrap(asked, self.rank()) : fault;
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    if (self.rank() == 0) {
      return Fault.shape(
          "unique_dim needs at least 1 dimension, but the tensor has none; use `unique`");
    }
    long size = self.shape().size(at);
    if (self.elements() == 0 && size != 0) {
      return Fault.shape(
              Message.of(
                  "a tensor %s has no slices along dimension %d that could be compared",
                  self.shape(), at))
          .withExpected("no dimension of size 0", self.shape().toString());
    }
    Object turned = steps.run("contiguous", steps.run("movedim.int", self, (long) at, 0L));
    if (!(turned instanceof DenseTensor lines)) {
      return turned;
    }
    Object found =
        UniqueLines.of(steps, call, lines, size == 0 ? 0 : lines.elements() / size, size, sorts);
    if (!(found instanceof UniqueLines unique)) {
      return found;
    }
    Object values = steps.run("index_select", self, (long) at, unique.firsts());
    return results(steps, call, values, Shape.of(size), unique, true);
  }

  private static Object results(
      Steps steps,
      Call call,
      Object values,
      @Nullable Shape inverse,
      UniqueLines found,
      boolean counts) {
    Object places =
        inverse == null
            ? call.allocate(DType.INT64, Shape.of(0))
            : steps.view(found.places(), inverse.toArray());
    Object numbers = counts ? found.counts() : call.allocate(DType.INT64, Shape.of(0));
    Object[] all = {values, places, numbers};
    for (Object one : all) {
      if (one instanceof Fault) {
        return one;
      }
    }
    return all;
  }
}
