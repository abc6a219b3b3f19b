package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.kernel.reduce.Reduction;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Losses of classifiers. Classes are along dimension 1 of the input, or 0 if it is one sample; the
 * target has the input's other dimensions.
 */
final class ClassLosses {
  private static final String TAIL =
      "(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt"
          + " ignore_index=-100";

  private ClassLosses() {}

  /** An operation for inputs of {@code least} to {@code most} dimensions, in words too. */
  private record Likelihood(String name, int least, int most, String ranks) {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder ofClasses = catalog.with(Trait.FAILS_ON_VALUES);
    Catalog.Builder widened = ofClasses.with(Trait.AUTOCAST_WIDENS);
    likelihood(widened, new Likelihood("nll_loss", 1, 2, "1 or 2"));
    likelihood(widened, new Likelihood("nll_loss2d", 4, 4, "4"));
    likelihood(ofClasses, new Likelihood("nll_loss_nd", 1, Integer.MAX_VALUE, "1 or more"));
    Composite.add(
        ofClasses,
        "aten::cross_entropy_loss" + TAIL + ", float label_smoothing=0.) -> Tensor",
        ClassLosses::crossEntropy);
  }

  private static void likelihood(Catalog.Builder catalog, Likelihood kind) {
    catalog
        .withInference(operands -> form(operands, kind))
        .withDTypes(DType.of(DType.Kind.FLOATING))
        .one(
            "aten::" + kind.name + TAIL + ") -> Tensor",
            call -> form(call, kind) instanceof Fault fault ? fault : likelihood(call));
  }

  private static Object form(Operands operands, Likelihood kind) {
    Fault fault = misfit(operands, kind);
    return fault == null ? TensorForm.contiguous(operands.dtype(0), reduced(operands)) : fault;
  }

  /** A single sample has one loss, without dimensions even if its class has one. */
  private static Shape reduced(Operands operands) {
    return operands.integer(3) == 0 && operands.rank(0) > 1 ? operands.shape(1) : Shape.SCALAR;
  }

  private static @Nullable Fault misfit(Operands operands, Likelihood kind) {
    Shape self = operands.shape(0);
    Shape target = operands.shape(1);
    int rank = self.rank();
    if (rank < kind.least || rank > kind.most) {
      return OperandChecks.shape(
          Message.of(
              "%s takes an input of %s dimensions, but its shape is %s",
              kind.name, kind.ranks, self),
          kind.ranks + " dimensions",
          self);
    }
    if (rank > 1 && target.rank() > 0 && self.size(0) != target.size(0)) {
      String text = "the input has %d samples, but `target` has %d";
      return Fault.shape(Message.of(text, self.size(0), target.size(0)))
          .withExpected(others(self).toString(), target.toString());
    }
    boolean single = rank == 1 && self.size(0) == 1 && target.equals(self);
    if (!single && !target.equals(others(self))) {
      String text = "`target` must be %s, but its shape is %s";
      return Fault.shape(Message.of(text, others(self), target))
          .withExpected(others(self).toString(), target.toString());
    }
    DType classes = operands.dtype(1);
    if (classes != DType.INT64 && classes != DType.UINT8) {
      return Fault.dtype("`target` must be int64, but it is " + classes)
          .withExpected(ExpectedDType.of(DType.INT64).in("target"), classes);
    }
    TensorForm weight = operands.optionalForm(2);
    return OperandChecks.first(misfit("nll_loss", operands.dtype(0), weight), misfit(self, weight));
  }

  /** A fault that blames the input or the weight by name: the target may be of the same dtype. */
  private static @Nullable Fault misfit(String name, DType dtype, @Nullable TensorForm weight) {
    if (!dtype.isFloating()) {
      return refusal(name, dtype);
    }
    Fault fault =
        OperandChecks.sameDType(name, dtype, "weight", weight == null ? null : weight.dtype());
    return fault == null || weight == null
        ? null
        : fault.withExpected(ExpectedDType.of(dtype).in("weight"), weight.dtype());
  }

  private static Fault refusal(String name, DType dtype) {
    return Pointwise.refusal(name, dtype).withExpected(ExpectedDType.FLOATING.in("self"), dtype);
  }

  private static @Nullable Fault misfit(Shape self, @Nullable TensorForm weight) {
    long classes = self.size(classDim(self));
    if (weight == null || (weight.rank() == 1 && weight.shape().elements() == classes)) {
      return null;
    }
    String text = "`weight` must have an element for each of %d classes, but its shape is %s";
    return OperandChecks.shape(
        Message.of(text, classes, weight.shape()), "weight [" + classes + "]", weight.shape());
  }

  private static int classDim(Shape self) {
    return Math.min(1, self.rank() - 1);
  }

  private static Shape others(Shape shape) {
    return Shape.of(Views.without(shape.toArray(), Math.min(1, shape.rank() - 1)));
  }

  /** The negated elements that the target selects, weighted and reduced. */
  private static Object likelihood(Call call) {
    DenseTensor self = call.tensor(0);
    DenseTensor target = call.tensor(1);
    DenseTensor weight = call.optionalTensor(2);
    long reduction = call.integer(3);
    long[] dim = {classDim(self.shape())};
    if (!(Reduction.over(self, dim, false) instanceof Reduction samples)) {
      return Fault.unsupported(
          "nll_loss of more than 2147483647 elements is not supported; split the input with"
              + " `chunk`");
    }
    Object made = call.allocate(self.dtype(), reduced(call));
    if (!(made instanceof DenseTensor losses)) {
      return made;
    }
    Fault fault = likelihood(call, samples, target, weight, call.integer(4), reduction, losses);
    return CancellationPoll.finished(losses, fault);
  }

  private static @Nullable Fault likelihood(
      Call call,
      Reduction samples,
      DenseTensor target,
      @Nullable DenseTensor weight,
      long ignored,
      long reduction,
      DenseTensor losses) {
    DenseTensor self = samples.self();
    DType dtype = self.dtype();
    CancellationPoll poll = new CancellationPoll(call);
    Integers answers = Integers.of(poll, target);
    double total = 0;
    double sum = 0;
    for (int i = 0; i < answers.size() && poll.fault() == null; i++) {
      long answer = answers.at(i);
      double loss = 0;
      if (answer != ignored) {
        if (answer < 0 || answer >= samples.count()) {
          return Fault.index(
                  Message.of(
                      "target %s is not one of %s classes, counted from 0",
                      answer, samples.count()))
              .withExpected("a class from 0 to " + (samples.count() - 1), Long.toString(answer));
        }
        double factor = weight == null ? 1 : weight(weight, answer);
        loss = -factor * Elements.asDouble(self.segment(), dtype, samples.at(i, (int) answer));
        sum += loss;
        total += factor;
      }
      if (reduction == 0) {
        Elements.putDouble(losses.segment(), dtype, i, loss);
      }
    }
    if (reduction != 0) {
      double result = reduction == 1 ? sum / total : sum;
      Elements.putDouble(losses.segment(), dtype, 0, result);
    }
    return poll.fault();
  }

  private static double weight(DenseTensor weight, long answer) {
    long at = weight.layout().offset() + answer * weight.layout().stride(0);
    return Elements.asDouble(weight.segment(), weight.dtype(), at);
  }

  private static Object crossEntropy(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    TensorForm target = call.form(1);
    double smoothing = call.real(5);
    if (self.rank() == 0) {
      return OperandChecks.shape(
          "cross_entropy_loss takes an input of 1 or more dimensions, but it has none",
          "at least 1 dimension",
          self.shape());
    }
    boolean probabilities = self.shape().equals(target.shape());
    if (probabilities && !target.dtype().isFloating()) {
      return Fault.dtype(
              "`target` of the input's shape holds probabilities, which must be floating, but it is"
                  + " "
                  + target.dtype())
          .withExpected(ExpectedDType.FLOATING.in("target"), target.dtype());
    }
    if (probabilities && call.integer(4) >= 0) {
      return Fault.value(
          "`ignore_index` does not go with probabilities as `target`; leave it out, or give classes"
              + " of int64");
    }
    if (smoothing > 1) {
      return Fault.value("`label_smoothing` must be from 0 to 1, but it is " + smoothing);
    }
    if (!self.dtype().isFloating() && self.dtype().kind() != DType.Kind.COMPLEX) {
      return refusal("cross_entropy_loss", self.dtype());
    }
    Object logs = steps.run("log_softmax.int", call.value(0), (long) classDim(self.shape()));
    Fault fault = logs instanceof Fault found ? found : misfit(self.shape(), call.optionalForm(2));
    if (fault != null) {
      return fault;
    }
    if (probabilities) {
      return ofProbabilities(steps, call, logs);
    }
    Object hard =
        steps.run("nll_loss_nd", logs, call.value(1), call.value(2), call.value(3), call.value(4));
    return smoothing > 0 ? smoothed(steps, call, logs, hard) : hard;
  }

  /** The weights in a shape that broadcasts to the input's. */
  private static Object weighted(Steps steps, Operands call, Object logs) {
    Shape self = call.shape(0);
    TensorForm weight = call.optionalForm(2);
    if (weight == null) {
      return logs;
    }
    Shape shape = Dimensions.single(self.rank(), classDim(self), weight.shape().elements());
    return steps.product(logs, steps.view(call.value(2), shape.toArray()));
  }

  private static Object ofProbabilities(Steps steps, Operands call, Object logs) {
    Shape self = call.shape(0);
    long classes = self.size(classDim(self));
    double smoothing = call.real(5);
    Object target = call.value(1);
    if (smoothing > 0) {
      Object wide = steps.cast(target, Promotion.of(logs, target).result());
      target = steps.run("add.Scalar", steps.scaled(wide, 1 - smoothing), smoothing / classes);
    }
    Object losses = steps.run("neg", weighted(steps, call, steps.product(logs, target)));
    long reduction = call.integer(3);
    if (reduction == 0) {
      return steps.run("sum.dim_IntList", losses, Steps.ints(classDim(self)));
    }
    Object total = steps.run("sum", losses);
    double samples = (double) self.elements() / classes;
    return reduction == 1 ? steps.run("div.Scalar", total, samples) : total;
  }

  private static Object smoothed(Steps steps, Operands call, Object logs, Object hard) {
    Object target = call.value(1);
    int dim = classDim(call.shape(0));
    double share = call.real(5) / call.shape(0).size(dim);
    Object summed = steps.run("sum.dim_IntList", weighted(steps, call, logs), Steps.ints(dim));
    Object ignored = steps.run("eq.Scalar", target, call.integer(4));
    Object smooth = steps.run("masked_fill.Scalar", steps.run("neg", summed), ignored, 0L);
    long reduction = call.integer(3);
    if (reduction == 1 && !call.isNone(2)) {
      Object kept = steps.run("masked_select", target, steps.run("logical_not", ignored));
      Object weights = steps.run("sum", steps.run("index_select", call.value(2), 0L, kept));
      smooth = steps.run("div.Tensor", steps.run("sum", smooth), weights);
    } else if (reduction == 1) {
      Object count = steps.run("sum", steps.run("logical_not", ignored));
      smooth = steps.run("div.Tensor", steps.run("sum", smooth), count);
    } else {
      smooth = LossOperations.reduced(steps, smooth, reduction);
    }
    return steps.sum(steps.scaled(hard, 1 - call.real(5)), steps.scaled(smooth, share));
  }
}
