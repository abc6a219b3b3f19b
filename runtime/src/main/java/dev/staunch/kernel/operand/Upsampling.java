package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;

/** The overloads of an operation that resizes the last dimensions, to given sizes or by factors. */
@FunctionalInterface
public interface Upsampling {
  /**
   * The resized result.
   *
   * @param sizes the requested sizes
   * @param factors one per dimension; 0 if the factor follows from the sizes
   * @param aligned whether the centres of the corners keep their positions
   */
  Object resized(Steps steps, Operands call, long[] sizes, double[] factors, boolean aligned);

  /**
   * Adds the overloads.
   *
   * @param aligns whether they take an argument that says if corners are aligned
   */
  static void add(
      Catalog.Builder catalog, String name, int dims, boolean aligns, Upsampling upsampling) {
    String flag = aligns ? ", bool align_corners" : "";
    int next = aligns ? 3 : 2;
    Composite.add(
        catalog,
        Message.of(
            "aten::%s(Tensor self, SymInt[%d] output_size%s, %s) -> Tensor",
            name, dims, flag, factors(dims)),
        (steps, call) -> {
          double[] factors = new double[dims];
          for (int d = 0; d < dims; d++) {
            factors[d] = call.isNone(next + d) ? 0 : call.real(next + d);
          }
          return upsampling.resized(steps, call, call.integers(1), factors, aligns && call.bool(2));
        });
    Composite.add(
        catalog,
        Message.of(
            "aten::%s.vec(Tensor input, SymInt[]? output_size%s, float[]? scale_factors) -> Tensor",
            name, flag),
        (steps, call) -> byFactors(steps, call, dims, next, aligns && call.bool(2), upsampling));
  }

  /**
   * The factors that libtorch's loop over channels-last images and volumes uses for the nearest
   * elements: the sizes decide if they are equal, or if one is twice the other. Its other loops use
   * {@code factors}.
   *
   * <p>Source: aten/src/ATen/native/UpSample.h, nearest_idx.
   */
  static double[] nearest(TensorForm self, long[] sizes, double[] factors) {
    double[] used = factors.clone();
    for (int d = 0; d < used.length && self.layout().isChannelsLast(); d++) {
      long size = self.shape().size(2 + d);
      used[d] = sizes[d] == size || sizes[d] == 2 * size ? 0 : used[d];
    }
    return used;
  }

  /** The names of the factors in schemas. */
  private static String factors(int dims) {
    return switch (dims) {
      case 1 -> "float? scales=None";
      case 2 -> "float? scales_h=None, float? scales_w=None";
      default -> "float? scales_d=None, float? scales_h=None, float? scales_w=None";
    };
  }

  private static Object byFactors(
      Steps steps, Operands call, int dims, int at, boolean aligned, Upsampling upsampling) {
    if (call.isNone(1) == call.isNone(at)) {
      return Fault.value(
          "an upsampling takes either `output_size` or `scale_factors`, but got "
              + (call.isNone(1) ? "neither" : "both"));
    }
    if (!call.isNone(1)) {
      return upsampling.resized(steps, call, call.integers(1), new double[dims], aligned);
    }
    double[] factors =
        call.list(at).stream().mapToDouble(factor -> ((Number) factor).doubleValue()).toArray();
    TensorForm self = call.form(0);
    if (factors.length != dims || self.rank() != dims + 2) {
      return Fault.shape(
          Message.of(
              "%d scale factors do not fit an input of shape %s", factors.length, self.shape()));
    }
    long[] sizes = new long[dims];
    for (int d = 0; d < dims; d++) {
      sizes[d] = (long) (self.shape().size(2 + d) * factors[d]);
    }
    return upsampling.resized(steps, call, sizes, factors, aligned);
  }
}
