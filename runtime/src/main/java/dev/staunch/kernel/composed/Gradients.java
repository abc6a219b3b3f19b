package dev.staunch.kernel.composed;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.type.DType;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code gradient}: central differences along dimensions, exact for polynomials of degree 2, and
 * one-sided ones of first or second order at the ends.
 */
final class Gradients {
  private Gradients() {}

  static void addTo(Catalog.Builder catalog) {
    String one = ", int? dim=None, int edge_order=1";
    String several = ", int[] dim, int edge_order=1";
    add(catalog, "scalarint", "Scalar? spacing=None" + one);
    add(catalog, "scalararray", "Scalar spacing" + several);
    add(catalog, "array", several.substring(2));
    add(catalog, "scalarrayint", "Scalar[] spacing" + one);
    add(catalog, "scalarrayarray", "Scalar[] spacing" + several);
    add(catalog, "tensorarrayint", "Tensor[] spacing" + one);
    add(catalog, "tensorarray", "Tensor[] spacing" + several);
  }

  private static void add(Catalog.Builder catalog, String overload, String parameters) {
    int dim = overload.equals("array") ? 1 : 2;
    Set<DType> dtypes = EnumSet.allOf(DType.class);
    dtypes.removeAll(Set.of(DType.BOOL, DType.UINT8));
    Composite.add(
        catalog.withDTypes(dtypes),
        "aten::gradient." + overload + "(Tensor self, *, " + parameters + ") -> Tensor[]",
        (steps, call) -> all(steps, call, dim));
  }

  /**
   * The gradients along all dimensions asked for.
   *
   * @param dim the argument that names them; the one before it is the spacing, if it is not self
   */
  private static Object all(Steps steps, Operands call, int dim) {
    TensorForm self = call.form(0);
    long order = call.integer(dim + 1);
    Object dims = dimensions(call, dim, self.rank());
    if (!(dims instanceof long[] over)) {
      return dims;
    }
    List<?> spacing = spacing(call, dim == 1 ? 0 : 1, over.length);
    Fault fault = unfit(self, order, over, spacing);
    if (fault != null) {
      return fault;
    }
    List<Object> results = Steps.list();
    for (int i = 0; i < over.length; i++) {
      int at = Math.floorMod((int) over[i], self.rank());
      Object by = spacing.get(i);
      Object result =
          Steps.isTensor(by)
              ? new Lines(steps, call.value(0), at).uneven(by, order == 2)
              : new Lines(steps, call.value(0), at).even(by, order == 2);
      if (!Steps.isTensor(result)) {
        return result;
      }
      results.add(result);
    }
    return results;
  }

  private static Object dimensions(Operands call, int at, int rank) {
    long[] dims = new long[rank];
    for (int i = 0; i < rank; i++) {
      dims[i] = i;
    }
    if (!call.isNone(at)) {
      dims = call.value(at) instanceof Long only ? new long[] {only} : call.integers(at);
    }
    Object mask = Dimensions.mask(dims, rank);
    return mask instanceof Fault ? mask : dims;
  }

  /** The spacing of each dimension: a number, or a tensor of coordinates. */
  private static List<?> spacing(Operands call, int at, int count) {
    if (at > 0 && call.value(at) instanceof List<?> list) {
      return list;
    }
    boolean none = at == 0 || call.isNone(at);
    return Collections.nCopies(count, none ? (Object) 1L : call.value(at));
  }

  private static @Nullable Fault unfit(TensorForm self, long order, long[] dims, List<?> spacing) {
    if (order != 1 && order != 2) {
      return Fault.value("`edge_order` of gradient is 1 or 2, but it is " + order);
    }
    if (spacing.size() != dims.length) {
      String text = "gradient takes one spacing for each dimension, but got %d for %d";
      return Fault.value(Message.of(text, spacing.size(), dims.length));
    }
    if (self.dtype() == DType.UINT8 || self.dtype() == DType.BOOL) {
      return Fault.dtype("gradient takes signed numbers, but the tensor is " + self.dtype())
          .withExpected("signed numbers", self.dtype());
    }
    for (int i = 0; i < dims.length; i++) {
      long size =
          self.rank() == 0 ? 1 : self.shape().size(Math.floorMod((int) dims[i], self.rank()));
      if (size <= order) {
        String text = "gradient needs at least %d elements along a dimension, but the shape is %s";
        return OperandChecks.shape(
            Message.of(text, order + 1, self.shape()), "larger dimensions", self.shape());
      }
      if (Steps.isTensor(spacing.get(i))) {
        TensorForm places = Steps.form(spacing.get(i));
        if (places.rank() != 1 || places.elements() != size) {
          String text = "gradient takes a coordinate for each of %d elements, but got a tensor %s";
          return OperandChecks.shape(
              Message.of(text, size, places.shape()), "[" + size + "]", places.shape());
        }
      }
    }
    return null;
  }

  /** The lines of a tensor along a dimension. */
  private record Lines(Steps steps, Object self, int dim) {
    private long size() {
      return Steps.form(self).shape().size(dim);
    }

    /** All but {@code less} of the elements of each line, from {@code from} on. */
    private Object part(long from, long less) {
      return steps.run("narrow", self, (long) dim, from, size() - less);
    }

    /** One element of each line; those before the first count from the end. */
    private Object at(long i) {
      return part(i < 0 ? size() + i : i, size() - 1);
    }

    private Object even(Object by, boolean second) {
      long d = dim;
      Object middle = over(steps.difference(part(2, 2), part(0, 2)), 2L);
      Object first = second ? weighted(-1.5, 0, 2, 1, -0.5, 2) : steps.difference(at(1), at(0));
      Object last = second ? weighted(0.5, -3, -2, -2, 1.5, -1) : steps.difference(at(-1), at(-2));
      return steps.run("cat", Steps.list(over(first, by), over(middle, by), over(last, by)), d);
    }

    private Object over(Object numbers, Object by) {
      return steps.run("div.Scalar", numbers, by);
    }

    /** The sum of three elements of each line, each times a number. */
    private Object weighted(double a, long i, double b, long j, double c, long k) {
      Object sum = steps.sum(steps.scaled(at(i), a), steps.scaled(at(j), b));
      return steps.sum(sum, steps.scaled(at(k), c));
    }

    private Object uneven(Object places, boolean second) {
      int rank = Steps.form(self).rank();
      long[] sizes = Dimensions.single(rank, dim, size() - 1).toArray();
      Lines gaps = new Lines(steps, steps.view(steps.run("diff", places), sizes), dim);
      if (!Steps.isTensor(gaps.self())) {
        return gaps.self();
      }
      Object middle = part(0, size());
      if (size() > 2) {
        Object left = gaps.part(0, 1);
        Object right = gaps.part(1, 1);
        Object one =
            steps.product(
                steps.run(
                    "div.Tensor", slope(part(1, 2), part(0, 2), left), steps.sum(left, right)),
                right);
        Object two =
            steps.product(
                steps.run(
                    "div.Tensor", slope(part(2, 2), part(1, 2), right), steps.sum(left, right)),
                left);
        middle = steps.sum(one, two);
      }
      Object first = slope(at(1), at(0), gaps.at(0));
      Object last = slope(at(-1), at(-2), gaps.at(-1));
      if (second) {
        first = bent(first, slope(at(2), at(1), gaps.at(1)), gaps.at(0), gaps.at(1));
        last = bent(last, slope(at(-2), at(-3), gaps.at(-2)), gaps.at(-1), gaps.at(-2));
      }
      return steps.run("cat", Steps.list(first, middle, last), (long) dim);
    }

    private Object slope(Object to, Object from, Object gap) {
      return steps.run("div.Tensor", steps.difference(to, from), gap);
    }

    /** The slope at the end of a parabola whose chords have these slopes and lengths. */
    private Object bent(Object outer, Object inner, Object length, Object next) {
      Object bend =
          steps.run("div.Tensor", steps.difference(outer, inner), steps.sum(length, next));
      return steps.sum(outer, steps.product(bend, length));
    }
  }
}
