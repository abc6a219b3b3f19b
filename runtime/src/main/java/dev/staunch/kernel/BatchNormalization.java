package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** {@code batch_norm}: one mean and variance for each channel, dimension 1 of the input. */
final class BatchNormalization {
  private final Call call;
  private final DenseTensor input;
  private final @Nullable DenseTensor runningMean;
  private final @Nullable DenseTensor runningVariance;
  private final double epsilon;

  private BatchNormalization(Call call) {
    this.call = call;
    this.input = call.tensor(0);
    this.runningMean = call.optionalTensor(3);
    this.runningVariance = call.optionalTensor(4);
    this.epsilon = call.real(7);
  }

  static Object run(Call call) {
    return new BatchNormalization(call).run();
  }

  private Object run() {
    Fault fault = Demands.floating("batch_norm", input);
    fault = fault != null ? fault : checkShapes();
    fault = fault != null ? fault : writableStatistics();
    if (fault != null) {
      return fault;
    }
    if (input.elements() == 0) {
      return call.allocate(input.dtype(), input.shape());
    }
    if (!call.bool(5) && isSmall()) {
      return small();
    }
    double[] values = Filling.read(input);
    int channels = Math.toIntExact(input.shape().size(1));
    double[] mean = new double[channels];
    double[] variance = new double[channels];
    if (call.bool(5)) {
      statistics(values, mean, variance);
      updateRunning(mean, variance, values.length / channels);
    } else {
      mean = read(runningMean, channels, 0);
      variance = read(runningVariance, channels, 1);
    }
    normalize(values, mean, variance);
    return Filling.of(call, input.dtype(), input.shape(), values);
  }

  /** The schema does not say it, but training writes the statistics. */
  private @Nullable Fault writableStatistics() {
    if (!call.bool(5)) {
      return null;
    }
    Fault fault = runningMean == null ? null : runningMean.makeWritable();
    return fault != null || runningVariance == null ? fault : runningVariance.makeWritable();
  }

  private boolean isSmall() {
    return SmallNormalization.fits(
        input, call.optionalTensor(1), call.optionalTensor(2), runningMean, runningVariance);
  }

  private Object small() {
    return SmallNormalization.run(
        call,
        input,
        call.optionalTensor(1),
        call.optionalTensor(2),
        java.util.Objects.requireNonNull(runningMean),
        java.util.Objects.requireNonNull(runningVariance),
        epsilon);
  }

  private @Nullable Fault checkShapes() {
    Shape shape = input.shape();
    if (shape.rank() < 2) {
      return Demands.shape(
          "batch_norm needs an input with at least 2 dimensions", "input [N, C, *]", shape);
    }
    if (!call.bool(5) && (runningMean == null || runningVariance == null)) {
      String name = runningMean == null ? "running_mean" : "running_var";
      return Fault.value(name + " must be defined in evaluation mode");
    }
    if (call.bool(5) && shape.elements() > 0 && shape.elements() == shape.size(1)) {
      return Fault.value(
              "expected more than 1 value per channel when training, got input size " + shape)
          .withExpected("at least 2 values per channel", "1 value per channel");
    }
    Fault fault = checkParameter("running_mean", runningMean);
    fault = fault != null ? fault : checkParameter("running_var", runningVariance);
    fault = fault != null ? fault : checkParameter("weight", call.optionalTensor(1));
    return fault != null ? fault : checkParameter("bias", call.optionalTensor(2));
  }

  private @Nullable Fault checkParameter(String name, @Nullable DenseTensor parameter) {
    return Demands.first(
        Demands.elements(name, input.shape().size(1), parameter),
        Demands.sameDType("batch_norm", input, name, parameter));
  }

  private static double[] read(@Nullable DenseTensor parameter, int channels, double absent) {
    if (parameter != null) {
      return Filling.read(parameter);
    }
    double[] values = new double[channels];
    Arrays.fill(values, absent);
    return values;
  }

  /** The mean and the biased variance of each channel. */
  private void statistics(double[] values, double[] mean, double[] variance) {
    int channels = mean.length;
    int run = run(channels, values.length);
    double count = (double) values.length / channels;
    for (int at = 0; at < values.length; at++) {
      mean[at / run % channels] += values[at];
    }
    for (int channel = 0; channel < channels; channel++) {
      mean[channel] /= count;
    }
    for (int at = 0; at < values.length; at++) {
      int channel = at / run % channels;
      double apart = values[at] - mean[channel];
      variance[channel] += apart * apart;
    }
    for (int channel = 0; channel < channels; channel++) {
      variance[channel] /= count;
    }
  }

  private int run(int channels, int elements) {
    return Math.toIntExact(elements / channels / input.shape().size(0));
  }

  private void updateRunning(double[] mean, double[] variance, int count) {
    update(runningMean, mean, 1);
    update(runningVariance, variance, count / (count - 1.0));
  }

  private void update(@Nullable DenseTensor running, double[] fresh, double correction) {
    if (running == null) {
      return;
    }
    double momentum = call.real(6);
    double[] values = Filling.read(running);
    for (int i = 0; i < values.length; i++) {
      values[i] = momentum * fresh[i] * correction + (1 - momentum) * values[i];
    }
    Filling.write(running, values);
  }

  private void normalize(double[] values, double[] mean, double[] variance) {
    int channels = mean.length;
    double[] scale = read(call.optionalTensor(1), channels, 1);
    double[] shift = read(call.optionalTensor(2), channels, 0);
    for (int i = 0; i < channels; i++) {
      scale[i] /= Math.sqrt(variance[i] + epsilon);
    }
    int run = run(channels, values.length);
    int at = 0;
    while (at < values.length) {
      for (int channel = 0; channel < channels; channel++) {
        for (int end = at + run; at < end; at++) {
          values[at] = (values[at] - mean[channel]) * scale[channel] + shift[channel];
        }
      }
    }
  }
}
