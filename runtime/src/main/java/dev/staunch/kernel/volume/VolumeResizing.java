package dev.staunch.kernel.volume;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import java.util.Arrays;
import java.util.List;

/** Volumes of another size. */
final class VolumeResizing {
  private VolumeResizing() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder narrow = catalog.with(Trait.NARROW_AS_FLOAT32);
    add(narrow, "upsample_nearest3d", "upsample_nearest2d", false);
    add(catalog, "_upsample_nearest_exact3d", "_upsample_nearest_exact2d", false);
    add(narrow, "upsample_trilinear3d", "upsample_bilinear2d", true);
  }

  private static void add(Catalog.Builder catalog, String name, String planes, boolean aligns) {
    String flag = aligns ? ", bool align_corners" : "";
    int next = aligns ? 3 : 2;
    Composite.add(
        catalog,
        Message.of(
            "aten::%s(Tensor self, SymInt[3] output_size%s, float? scales_d=None, float?"
                + " scales_h=None, float? scales_w=None) -> Tensor",
            name, flag),
        (steps, call) -> {
          Object[] factors = {call.value(next), call.value(next + 1), call.value(next + 2)};
          Object aligned = aligns ? call.value(2) : None.NONE;
          return resized(steps, call.value(0), name, planes, call.integers(1), aligned, factors);
        });
    Composite.add(
        catalog,
        Message.of(
            "aten::%s.vec(Tensor input, SymInt[]? output_size%s, float[]? scale_factors) -> Tensor",
            name, flag),
        (steps, call) -> byFactors(steps, call, name, planes, aligns, next));
  }

  private static Object byFactors(
      Steps steps, Operands call, String name, String planes, boolean aligns, int at) {
    TensorForm self = call.form(0);
    if (call.isNone(1) == call.isNone(at)) {
      return Fault.value(
          "an upsampling takes either `output_size` or `scale_factors`, but got "
              + (call.isNone(1) ? "neither" : "both"));
    }
    Object[] factors = new Object[3];
    Arrays.fill(factors, None.NONE);
    Object aligned = aligns ? call.value(2) : None.NONE;
    if (!call.isNone(1)) {
      return resized(steps, call.value(0), name, planes, call.integers(1), aligned, factors);
    }
    List<Object> given = call.list(at);
    if (given.size() != 3 || self.rank() != 5) {
      String text = "%d scale factors do not fit an input of shape %s";
      return Fault.shape(Message.of(text, given.size(), self.shape()));
    }
    long[] sizes = new long[3];
    for (int d = 0; d < 3; d++) {
      factors[d] = given.get(d);
      sizes[d] = (long) (self.shape().size(2 + d) * ((Number) given.get(d)).doubleValue());
    }
    return resized(steps, call.value(0), name, planes, sizes, aligned, factors);
  }

  private static Object resized(
      Steps steps,
      Object input,
      String name,
      String planes,
      long[] sizes,
      Object aligned,
      Object[] factors) {
    TensorForm self = Steps.form(input);
    if (self.rank() != 5 || sizes.length != 3) {
      String text = "%s takes an input of 5 dimensions and 3 sizes, but got %s and %s";
      return OperandChecks.shape(
          Message.of(text, name, self.shape(), Arrays.toString(sizes)),
          "5 dimensions",
          self.shape());
    }
    boolean aligns = aligned != None.NONE;
    return Volumes.inTurn(
        steps,
        input,
        slices -> {
          List<Object> size = Steps.ints(sizes[1], sizes[2]);
          return aligns
              ? steps.run(planes, slices, size, aligned, factors[1], factors[2])
              : steps.run(planes, slices, size, factors[1], factors[2]);
        },
        columns -> {
          List<Object> size = Steps.ints(sizes[0], 1);
          return aligns
              ? steps.run(planes, columns, size, aligned, factors[0], None.NONE)
              : steps.run(planes, columns, size, factors[0], None.NONE);
        });
  }
}
