package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.ChannelScaling;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.Preparation;
import dev.staunch.kernel.loop.ChannelRuns;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.MemoryFormats;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.primitive.ChannelNormalization;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowReduction;
import dev.staunch.kernel.primitive.RowReduction.Kind;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code batch_norm}: one mean and variance per channel, which is dimension 1 of the input. */
final class BatchNormalization {
  /** A variance of this share of the squared mean has at least nine digits. */
  private static final double LEAST_SHARE = 1e-6;

  private final Call call;
  private final DenseTensor input;
  private final @Nullable DenseTensor runningMean;
  private final @Nullable DenseTensor runningVariance;
  private final double epsilon;
  private final CancellationPoll poll;
  private int channels;

  private BatchNormalization(Call call) {
    this.call = call;
    this.input = call.tensor(0);
    this.runningMean = call.optionalTensor(3);
    this.runningVariance = call.optionalTensor(4);
    this.epsilon = call.real(7);
    this.poll = new CancellationPoll(call);
  }

  /** The operation's kernel; in evaluation mode it only scales and shifts channels. */
  enum Body implements Kernel.One, ChannelScaling {
    ONLY;

    @Override
    public Object run(Call call) {
      return new BatchNormalization(call).run();
    }

    @Override
    public boolean scalesOnly(Operands operands) {
      return !operands.bool(5);
    }

    @Override
    public Object folded(Call call, DenseTensor weight, @Nullable DenseTensor bias) {
      return BatchNormFolding.of(call, weight, bias);
    }
  }

  /** The form of the result of {@link Body#run}; or the fault. */
  static Object form(Operands operands) {
    Fault fault = OperandChecks.floating("batch_norm", operands.dtype(0));
    fault = fault != null ? fault : checkShapes(operands);
    return fault == null ? laid(operands) : fault;
  }

  /**
   * An input that is both row-major and channels last gives a row-major result, whichever it
   * suggests.
   */
  private static TensorForm laid(Operands operands) {
    Shape shape = operands.shape(0);
    return operands.layout(0).isContiguous()
        ? TensorForm.contiguous(operands.dtype(0), shape)
        : MemoryFormats.image(operands, shape);
  }

  private Object run() {
    Fault fault = form(call) instanceof Fault found ? found : writableStatistics();
    if (fault != null) {
      return fault;
    }
    if (input.elements() == 0) {
      return call.allocate(input.dtype(), input.shape());
    }
    if (!call.bool(5)) {
      return normalized(
          input, Objects.requireNonNull(runningMean), Objects.requireNonNull(runningVariance));
    }
    channels = Shape.asInt(input.shape().size(1));
    Object plain = input.isContiguous() ? input : Copying.toContiguous(call, input, input.dtype());
    if (!(plain instanceof DenseTensor values)) {
      return plain;
    }
    Object result = trained(values);
    if (values != input) {
      values.close();
    }
    return result;
  }

  /** Normalises by the input's own statistics, and updates the running ones. */
  private Object trained(DenseTensor values) {
    double[] mean = new double[channels];
    double[] variance = new double[channels];
    Fault stop = statistics(values, mean, variance);
    if (stop != null) {
      return stop;
    }
    try (Temporaries made = new Temporaries()) {
      Object middle = made.note(tensor(mean));
      Object spread = made.note(tensor(divisible(variance)));
      Object result =
          middle instanceof DenseTensor known && spread instanceof DenseTensor other
              ? normalized(values, known, other)
              : middle instanceof Fault ? middle : spread;
      if (!(result instanceof Fault)) {
        updateRunning(mean, variance, values.elements() / channels);
      }
      return result;
    }
  }

  /** Without an epsilon, a channel whose elements are all equal becomes zeros, as in libtorch. */
  private double[] divisible(double[] variance) {
    return epsilon != 0
        ? variance
        : Arrays.stream(variance)
            .map(each -> each == 0 ? Double.POSITIVE_INFINITY : each)
            .toArray();
  }

  private Object tensor(double[] values) {
    Object made = call.allocate(DType.FLOAT64, Shape.of(values.length));
    if (made instanceof DenseTensor tensor) {
      Operand.of(tensor).store(values, 0, 1, values.length);
    }
    return made;
  }

  private Object normalized(DenseTensor values, DenseTensor mean, DenseTensor variance) {
    boolean bothOrders = input.isContiguous() && input.layout().suggestsChannelsLast();
    Object made =
        bothOrders
            ? call.allocate(input.dtype(), input.shape())
            : call.allocateImage(input.dtype(), input.shape());
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    DenseTensor weight = call.optionalTensor(1);
    DenseTensor bias = call.optionalTensor(2);
    ChannelNormalization.Request request =
        new ChannelNormalization.Request(
            input.dtype(),
            values.layout(),
            target.layout(),
            weight == null ? null : weight.layout(),
            bias == null ? null : bias.layout(),
            mean.dtype(),
            mean.layout(),
            variance.layout(),
            epsilon);
    Fault stop =
        Preparation.of(
                call.preparation(), 0, request, call.environment().kernels()::channelNormalization)
            .run(call.environment(), values, weight, bias, mean, variance, target);
    return CancellationPoll.finished(target, stop);
  }

  /** Training writes the statistics, although the schema does not say so. */
  private @Nullable Fault writableStatistics() {
    if (!call.bool(5)) {
      return null;
    }
    Fault fault = runningMean == null ? null : runningMean.makeWritable();
    return fault != null || runningVariance == null ? fault : runningVariance.makeWritable();
  }

  private static @Nullable Fault checkShapes(Operands operands) {
    Shape shape = operands.shape(0);
    if (shape.rank() < 2) {
      return OperandChecks.shape(
          "batch_norm takes an input [N, C, *], but its shape is " + shape,
          "input [N, C, *]",
          shape);
    }
    if (shape.elements() == 0) {
      return checkNothing(operands);
    }
    if (!operands.bool(5) && (operands.isNone(3) || operands.isNone(4))) {
      String name = operands.isNone(3) ? "running_mean" : "running_var";
      return Fault.value(
          "batch_norm in evaluation mode needs `"
              + name
              + "`; train the model first, or keep its statistics");
    }
    return OperandChecks.first(
        checkParameter(operands, "running_mean", 3),
        checkParameter(operands, "running_var", 4),
        checkParameter(operands, "weight", 1),
        checkParameter(operands, "bias", 2));
  }

  /** An empty input needs no statistics; libtorch scales by the first channel's weight. */
  private static @Nullable Fault checkNothing(Operands operands) {
    Shape shape = operands.shape(0);
    if (shape.size(1) == 0 && !(operands.isNone(1) && operands.isNone(2))) {
      String name = operands.isNone(1) ? "bias" : "weight";
      return Fault.index("batch_norm of " + shape + " finds no first channel in `" + name + "`")
          .withExpected("at least one channel", shape.toString());
    }
    return OperandChecks.first(
        checkParameter(operands, "weight", 1), checkParameter(operands, "bias", 2));
  }

  private static @Nullable Fault checkParameter(Operands operands, String name, int at) {
    TensorForm parameter = operands.optionalForm(at);
    DType dtype = parameter == null ? null : parameter.dtype();
    return OperandChecks.first(
        OperandChecks.elements(name, operands.shape(0).size(1), parameter),
        OperandChecks.sameDType("batch_norm", operands.dtype(0), name, dtype));
  }

  /** The mean and the biased variance of each channel. */
  private @Nullable Fault statistics(DenseTensor input, double[] mean, double[] variance) {
    KernelSet kernels = call.environment().kernels();
    RowReduction sums = kernels.rowReduction(DType.FLOAT32, Kind.SUM);
    RowReduction squares = kernels.rowReduction(DType.FLOAT32, Kind.SQUARES);
    if (sums != null
        && squares != null
        && input.dtype() == DType.FLOAT32
        && !input.segment().isMapped()) {
      add(sums, input, mean);
      add(squares, input, variance);
      if (poll.fault() != null || areSettled(input, mean, variance)) {
        return poll.fault();
      }
      Arrays.fill(mean, 0);
      Arrays.fill(variance, 0);
    }
    return statisticsByDistance(input, mean, variance);
  }

  /** Adds what a kernel set's loop makes of all elements to the number of their channel. */
  private void add(RowReduction loop, DenseTensor input, double[] all) {
    long at = input.layout().offset();
    long end = at + input.elements();
    int width = Shape.asInt(input.elements() / channels / input.shape().size(0));
    for (int channel = 0; at < end && poll.fault() == null; channel = (channel + 1) % channels) {
      if (width == 1) {
        loop.across(all, input.segment(), at, channels);
        at += channels;
        poll.mayContinue(channels);
      } else {
        all[channel] = loop.along(all[channel], input.segment(), at, width);
        at += width;
        poll.mayContinue(width);
      }
    }
  }

  /**
   * Makes means and variances of sums and sums of squares; false if a variance is so small beside
   * the mean that its digits are lost.
   */
  private boolean areSettled(DenseTensor input, double[] mean, double[] variance) {
    double count = (double) input.elements() / channels;
    boolean settled = true;
    for (int i = 0; i < channels; i++) {
      mean[i] /= count;
      double square = mean[i] * mean[i];
      variance[i] = variance[i] / count - square;
      settled &= !(variance[i] < square * LEAST_SHARE);
    }
    return settled;
  }

  private @Nullable Fault statisticsByDistance(
      DenseTensor input, double[] mean, double[] variance) {
    double count = (double) input.elements() / channels;
    ChannelRuns.each(
        poll,
        input,
        null,
        (channel, values, start, end) -> {
          for (int i = start; i < end; i++) {
            mean[channel] += values[i];
          }
        });
    for (int channel = 0; channel < channels; channel++) {
      mean[channel] /= count;
    }
    ChannelRuns.each(
        poll,
        input,
        null,
        (channel, values, start, end) -> {
          for (int i = start; i < end; i++) {
            double apart = values[i] - mean[channel];
            variance[channel] += apart * apart;
          }
        });
    for (int channel = 0; channel < channels; channel++) {
      variance[channel] /= count;
    }
    return poll.fault();
  }

  private void updateRunning(double[] mean, double[] variance, long count) {
    update(runningMean, mean, 1);
    update(runningVariance, variance, count / (count - 1.0));
  }

  private void update(@Nullable DenseTensor running, double[] fresh, double correction) {
    if (running == null) {
      return;
    }
    double momentum = call.real(6);
    Places places = Places.of(running.layout());
    for (int i = 0; i < channels; i++) {
      long at = places.at(i);
      double old = Elements.asDouble(running.segment(), running.dtype(), at);
      double value = momentum * fresh[i] * correction + (1 - momentum) * old;
      Elements.putDouble(running.segment(), running.dtype(), at, value);
    }
  }
}
