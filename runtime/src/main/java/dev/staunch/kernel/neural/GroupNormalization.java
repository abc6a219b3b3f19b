package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** Normalises groups of channels, or single channels, of each sample. */
final class GroupNormalization {
  private GroupNormalization() {}

  static void addTo(Catalog.Builder catalog) {
    Composite.add(
        catalog.with(Trait.NARROW_WITH_FLOAT32, Trait.AUTOCAST_WIDENS),
        "aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None,"
            + " float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor",
        (steps, call) ->
            Copying.asImages(
                steps, grouped(steps, call, call.integer(1), 2, call.real(4)), call.value(0)));
    Composite.add(
        catalog
            .with(Trait.NARROW_WITH_FLOAT32)
            .withRunningState("use_input_stats", "running_mean", "running_var"),
        "aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean,"
            + " Tensor? running_var, bool use_input_stats, float momentum, float eps, bool"
            + " cudnn_enabled) -> Tensor",
        GroupNormalization::instances);
  }

  private static Object instances(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    boolean ownStatistics = call.bool(5);
    boolean tracked = !call.isNone(3) && !call.isNone(4);
    if (!ownStatistics && !tracked) {
      return Fault.value(
          "instance_norm needs `running_mean` and `running_var`, since `use_input_stats` is false");
    }
    if (!ownStatistics) { // row-major, whatever the input suggests, as with its own statistics
      return steps.run(
          "batch_norm",
          steps.run("contiguous", call.value(0)),
          call.value(1),
          call.value(2),
          call.value(3),
          call.value(4),
          false,
          call.value(6),
          call.value(7),
          call.value(8));
    }
    if (self.rank() < 2) {
      return OperandChecks.shape(
          "instance_norm takes at least 2 dimensions, but the shape is " + self.shape(),
          "at least 2 dimensions",
          self.shape());
    }
    Object result = grouped(steps, call, self.shape().size(1), 1, call.real(7));
    boolean trains = tracked && self.shape().elements() > 0;
    return trains && Steps.isTensor(result) ? moving(steps, call, result) : result;
  }

  /**
   * {@code result}, after the running statistics moved towards the means, over the images, of each
   * image's own.
   */
  private static Object moving(Steps steps, Operands call, Object result) {
    Shape shape = call.shape(0);
    long channels = shape.size(1);
    Fault fault =
        OperandChecks.first(
            ofChannels("running_mean", channels, call.optionalForm(3)),
            ofChannels("running_var", channels, call.optionalForm(4)));
    if (fault != null) {
      return fault;
    }
    long images = shape.size(0);
    long[] sizes = shape.toArray();
    sizes[0] = 1;
    sizes[1] = images * channels;
    Object mean = steps.run("repeat", call.value(3), Steps.ints(images));
    Object variance = steps.run("repeat", call.value(4), Steps.ints(images));
    Object lines = steps.run("reshape", call.value(0), Steps.ints(sizes));
    Object none = None.NONE;
    Object normed =
        steps.run(
            "batch_norm",
            lines,
            none,
            none,
            mean,
            variance,
            true,
            call.real(6),
            call.real(7),
            false);
    if (!Steps.isTensor(normed)) {
      return normed;
    }
    Object means = steps.run("mean.dim", steps.view(mean, images, channels), Steps.ints(0));
    Object spreads = steps.run("mean.dim", steps.view(variance, images, channels), Steps.ints(0));
    Object moved = steps.run("copy_", call.value(3), means);
    moved = Steps.isTensor(moved) ? steps.run("copy_", call.value(4), spreads) : moved;
    return Steps.isTensor(moved) ? result : moved;
  }

  private static Object grouped(Steps steps, Operands call, long groups, int weightAt, double eps) {
    TensorForm self = call.form(0);
    if (self.rank() < 2) {
      return OperandChecks.shape(
          "group_norm takes at least 2 dimensions, but the shape is " + self.shape(),
          "at least 2 dimensions",
          self.shape());
    }
    long channels = self.shape().size(1);
    if (groups <= 0 || channels % groups != 0) {
      String text = "the %d channels of the input %s must be a multiple of `num_groups` %d";
      return Fault.shape(Message.of(text, channels, self.shape(), groups))
          .withExpected("channels divisible by " + groups, channels + " channels");
    }
    TensorForm weight = call.optionalForm(weightAt);
    TensorForm bias = call.optionalForm(weightAt + 1);
    Fault fault =
        OperandChecks.first(
            ofChannels("weight", channels, weight), ofChannels("bias", channels, bias));
    if (fault != null || self.shape().elements() == 0) {
      return fault == null ? steps.run("clone", call.value(0)) : fault;
    }
    long lines = self.shape().size(0) * groups;
    long width = self.shape().elements() / lines;
    Object flat = steps.view(call.value(0), lines, width);
    Object even =
        steps.run("layer_norm", flat, Steps.ints(width), None.NONE, None.NONE, eps, false);
    Object result = steps.view(even, self.shape().toArray());
    long[] each = Dimensions.single(self.rank(), 1, channels).toArray();
    result =
        weight == null ? result : steps.product(result, steps.view(call.value(weightAt), each));
    return bias == null ? result : steps.sum(result, steps.view(call.value(weightAt + 1), each));
  }

  private static @Nullable Fault ofChannels(
      String name, long channels, @Nullable TensorForm parameter) {
    return parameter == null || parameter.rank() == 1
        ? OperandChecks.elements(name, channels, parameter)
        : OperandChecks.shape(
            Message.of("`%s` must be a vector, but its shape is %s", name, parameter.shape()),
            name + " [" + channels + "]",
            parameter.shape());
  }
}
