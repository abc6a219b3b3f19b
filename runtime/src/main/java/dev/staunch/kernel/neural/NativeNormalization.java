package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Normalisation in the form that traced and lowered programs use: it also returns the mean and the
 * reciprocal standard deviation of the normalised elements.
 */
final class NativeNormalization {
  private static final String RESULTS = " -> (Tensor, Tensor, Tensor)";

  private NativeNormalization() {}

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder catalog = plain.with(Trait.NARROW_WITH_FLOAT32);
    Composite.addMany(
        catalog.with(Trait.AUTOCAST_WIDENS),
        "aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor?"
            + " bias, float eps)"
            + RESULTS,
        NativeNormalization::layer);
    Composite.addMany(
        catalog.withDTypes(DType.of(DType.Kind.FLOATING)),
        "aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C,"
            + " SymInt HxW, int group, float eps)"
            + RESULTS,
        NativeNormalization::group);
    Composite.addMany(
        catalog.withRunningState("training", "running_mean", "running_var"),
        "aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean,"
            + " Tensor? running_var, bool training, float momentum, float eps)"
            + RESULTS,
        NativeNormalization::batch);
  }

  private static Object layer(Steps steps, Operands call) {
    Object normed =
        steps.run(
            "layer_norm",
            call.value(0),
            call.value(1),
            call.value(2),
            call.value(3),
            call.real(4),
            false);
    int count = call.integers(1).length;
    List<Object> dims = Steps.ints(LongStream.rangeClosed(-count, -1).toArray());
    return with(steps, normed, call.value(0), dims, true, call.real(4));
  }

  private static Object group(Steps steps, Operands call) {
    long samples = call.integer(3);
    long groups = call.integer(6);
    Shape shape = call.shape(0);
    if (samples * call.integer(4) * call.integer(5) != shape.elements()) {
      String text = "an input of %d samples, %d channels and %d elements each is not of shape %s";
      return Fault.shape(Message.of(text, samples, call.integer(4), call.integer(5), shape));
    }
    Object normed =
        steps.run(
            "group_norm", call.value(0), groups, call.value(1), call.value(2), call.real(7), false);
    if (!Steps.isTensor(normed)) {
      return normed;
    }
    long each = call.form(0).elements() / Math.max(1, samples * groups);
    Object lines = steps.view(call.value(0), samples, groups, each);
    return with(steps, normed, lines, Steps.ints(-1), false, call.real(7));
  }

  private static Object batch(Steps steps, Operands call) {
    TensorForm input = call.form(0);
    List<Object> dims =
        Steps.ints(LongStream.range(0, input.rank()).filter(dim -> dim != 1).toArray());
    Object normed =
        steps.run(
            "batch_norm",
            call.value(0),
            call.value(1),
            call.value(2),
            call.value(3),
            call.value(4),
            call.value(5),
            call.value(6),
            call.value(7),
            false);
    if (call.bool(5)) {
      return with(steps, normed, call.value(0), dims, false, call.real(7));
    }
    Object none = steps.run("new_zeros", call.value(0), Steps.ints(0));
    return Steps.isTensor(normed)
        ? new Object[] {normed, none, steps.run("clone", none, None.NONE)}
        : normed;
  }

  /** The result with the statistics of {@code input} over {@code dims}; or a fault. */
  private static Object with(
      Steps steps, Object normed, Object input, List<Object> dims, boolean keep, double eps) {
    Object mean = mean(steps, input, dims, true);
    Object away = steps.difference(input, mean);
    Object variance = steps.run("mean.dim", steps.product(away, away), dims, keep);
    Object spread = steps.run("rsqrt", steps.run("add.Scalar", variance, eps));
    Object shaped = keep ? mean : mean(steps, input, dims, false);
    for (Object each : new Object[] {normed, shaped, spread}) {
      if (!Steps.isTensor(each)) {
        return each;
      }
    }
    return new Object[] {normed, shaped, spread};
  }

  /** As libtorch's, the mean of no elements is 0. */
  private static Object mean(Steps steps, Object input, List<Object> dims, boolean keep) {
    boolean none = Steps.isTensor(input) && Steps.form(input).elements() == 0;
    return steps.run(none ? "sum.dim_IntList" : "mean.dim", input, dims, keep);
  }
}
