package dev.staunch.kernel.composed;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The negative log likelihood of a sequence of labels over all its alignments with time steps:
 * {@code ctc_loss}.
 */
final class AlignmentLoss {
  private AlignmentLoss() {}

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder catalog =
        plain.with(Trait.FAILS_ON_VALUES).withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64));
    String tail = ", int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor";
    String head = "(Tensor log_probs, Tensor targets, ";
    Composite.add(
        catalog,
        "aten::ctc_loss.IntList" + head + "int[] input_lengths, int[] target_lengths" + tail,
        AlignmentLoss::loss);
    Composite.add(
        catalog,
        "aten::ctc_loss.Tensor" + head + "Tensor input_lengths, Tensor target_lengths" + tail,
        AlignmentLoss::loss);
  }

  private static @Nullable Fault integral(Operands call, int at) {
    if (!call.isTensor(at)) {
      return null;
    }
    DType dtype = call.dtype(at);
    return dtype.kind() == DType.Kind.INTEGRAL
        ? null
        : Fault.dtype("ctc_loss takes lengths that are integers, but they are " + dtype)
            .withExpected(
                ExpectedDType.INTEGER.in(at == 2 ? "input_lengths" : "target_lengths"), dtype);
  }

  private static long[] lengths(Call call, int at) {
    if (!call.isTensor(at)) {
      return call.integers(at);
    }
    double[] values = Doubles.of(new CancellationPoll(call), call.tensor(at));
    return Arrays.stream(values).mapToLong(value -> (long) value).toArray();
  }

  private static Object loss(Steps steps, Operands call) {
    Fault fault = OperandChecks.first(integral(call, 2), integral(call, 3));
    fault = fault == null ? misfit(call) : fault;
    if (fault == null && !call.isTensor(2)) {
      fault = unfit(call, call.integers(2), call.integers(3));
    }
    if (fault != null) {
      return fault;
    }
    Object[] arguments = call.arguments();
    Inference one =
        operands -> TensorForm.contiguous(operands.dtype(0), Shape.of(batch(operands.shape(0))));
    Object each = steps.apply(one, AlignmentLoss::losses, arguments);
    long reduction = call.integer(5);
    if (reduction == 1) {
      Object by = steps.apply(one, AlignmentLoss::divisors, arguments);
      return steps.run("mean", steps.run("div.Tensor", each, by));
    }
    boolean single = call.rank(0) == 2 && reduction == 0;
    return LabelLosses.reduced(steps, single ? steps.view(each) : each, reduction);
  }

  /** The loss of each sample of the batch. */
  private static Object losses(Call call) {
    long[] times = lengths(call, 2);
    long[] lengths = lengths(call, 3);
    Fault fault = unfit(call, times, lengths);
    if (fault != null) {
      return fault;
    }
    CancellationPoll poll = new CancellationPoll(call);
    double[] values = Doubles.of(poll, call.tensor(0));
    double[] targets = Doubles.of(poll, call.tensor(1));
    long[] labels = Arrays.stream(targets).mapToLong(target -> (long) target).toArray();
    int batch = Shape.asInt(batch(call.shape(0)));
    int classes = Shape.asInt(call.shape(0).size(call.rank(0) - 1));
    boolean rows = call.rank(1) == 2;
    double[] losses = new double[batch];
    long start = 0;
    for (int i = 0; i < batch && poll.mayContinue(2 * lengths[i] * times[i]); i++) {
      int from = Math.toIntExact(rows ? i * call.shape(1).size(1) : start);
      start += lengths[i];
      long[] own = Arrays.copyOfRange(labels, from, from + (int) lengths[i]);
      if (Arrays.stream(own).anyMatch(label -> label < 0 || label >= classes)) {
        return Fault.index("ctc_loss takes labels from 0 to " + (classes - 1));
      }
      Column column = new Column(values, batch * classes, i * classes);
      losses[i] = -likelihood(column, (int) times[i], own, (int) call.integer(4));
      losses[i] = call.bool(6) && Double.isInfinite(losses[i]) ? 0 : losses[i];
    }
    if (poll.fault() != null) {
      return poll.orFault(losses);
    }
    return Doubles.tensor(call, call.dtype(0), Shape.of(batch), losses);
  }

  /** The divisors of the losses in a mean. */
  private static Object divisors(Call call) {
    double[] divisors = Arrays.stream(lengths(call, 3)).mapToDouble(n -> Math.max(1, n)).toArray();
    return Doubles.tensor(call, call.dtype(0), Shape.of(divisors.length), divisors);
  }

  private static long batch(Shape given) {
    return given.rank() == 3 ? given.size(1) : 1;
  }

  private static @Nullable Fault misfit(Operands call) {
    Shape given = call.shape(0);
    Fault fault = OperandChecks.floating("ctc_loss", call.dtype(0));
    if (fault != null) {
      return fault.withExpected(
          ExpectedDType.of(DType.FLOAT32, DType.FLOAT64).in("log_probs"), call.dtype(0));
    }
    if (given.rank() != 2 && given.rank() != 3) {
      return OperandChecks.shape(
          "ctc_loss takes log probabilities [time, batch, classes], but the shape is " + given,
          "2 or 3 dimensions",
          given);
    }
    if (call.dtype(1).kind() == DType.Kind.COMPLEX) {
      return Fault.dtype("the targets of ctc_loss cannot be complex")
          .withExpected(ExpectedDType.of(DType.INT64).in("targets"), call.dtype(1));
    }
    long classes = given.size(given.rank() - 1);
    long times = count(call, 2);
    long lengths = count(call, 3);
    if (times != batch(given) || lengths != batch(given)) {
      String text = "ctc_loss takes %d lengths each, but got %d and %d";
      return Fault.shape(Message.of(text, batch(given), times, lengths));
    }
    return call.integer(4) < 0 || call.integer(4) >= classes
        ? Fault.value("`blank` must be one of the " + classes + " classes")
        : null;
  }

  private static long count(Operands call, int at) {
    return call.isTensor(at) ? call.shape(at).elements() : call.list(at).size();
  }

  private static @Nullable Fault unfit(Operands call, long[] times, long[] lengths) {
    Shape given = call.shape(0);
    Shape targets = call.shape(1);
    long room = targets.rank() == 2 ? targets.size(1) : targets.elements();
    long longest = Arrays.stream(lengths).max().orElse(0);
    long all = targets.rank() == 2 ? longest : Arrays.stream(lengths).sum();
    boolean bad =
        Arrays.stream(times).anyMatch(n -> n < 0 || n > given.size(0))
            || Arrays.stream(lengths).anyMatch(n -> n < 0)
            || all > room
            || (targets.rank() == 2 && targets.size(0) != batch(given));
    String text = "lengths %s and %s do not fit log probabilities %s and targets %s";
    return bad
        ? Fault.value(
            Message.of(text, Arrays.toString(times), Arrays.toString(lengths), given, targets))
        : null;
  }

  /** The log probabilities of one sample of the batch. */
  private record Column(double[] values, int step, int first) {
    double at(int time, int label) {
      return values[first + time * step + label];
    }
  }

  /** The logarithm of the sum over all alignments. */
  private static double likelihood(Column column, int times, long[] labels, int blank) {
    int states = 2 * labels.length + 1;
    double[] now = new double[states];
    Arrays.fill(now, Double.NEGATIVE_INFINITY);
    if (times == 0) {
      return labels.length == 0 ? 0 : Double.NEGATIVE_INFINITY;
    }
    now[0] = column.at(0, blank);
    if (states > 1) {
      now[1] = column.at(0, (int) labels[0]);
    }
    for (int t = 1; t < times; t++) {
      double[] before = now;
      now = new double[states];
      for (int s = 0; s < states; s++) {
        boolean label = s % 2 == 1;
        boolean jumps = label && s > 1 && labels[s / 2] != labels[s / 2 - 1];
        double sum = before[s];
        sum = s > 0 ? logSum(sum, before[s - 1]) : sum;
        sum = jumps ? logSum(sum, before[s - 2]) : sum;
        now[s] = sum + column.at(t, label ? (int) labels[s / 2] : blank);
      }
    }
    return states > 1 ? logSum(now[states - 1], now[states - 2]) : now[0];
  }

  private static double logSum(double a, double b) {
    double most = Math.max(a, b);
    return Double.isInfinite(most) ? most : most + Math.log1p(Math.exp(-Math.abs(a - b)));
  }
}
