package dev.staunch.bench.strategy;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.type.Shape;
import java.util.Random;
import java.util.function.Consumer;

/**
 * A network of two layers (784, 256, 10) that learns from batches of 64, with handwritten
 * gradients: each step makes and drops some twenty tensors.
 */
final class TrainingStep {
  private static final int BATCH = 64;
  private static final int INPUTS = 784;
  private static final int HIDDEN = 256;
  private static final int CLASSES = 10;
  private static final double RATE = 0.1;

  private final Context context;
  private final Consumer<Tensor> done;
  private final Random random = new Random(1);
  private final Tensor weights1;
  private final Tensor bias1;
  private final Tensor weights2;
  private final Tensor bias2;

  /**
   * @param done receives each tensor of a step after its last use
   */
  TrainingStep(Context context, Consumer<Tensor> done) {
    this.context = context;
    this.done = done;
    this.weights1 = context.uniform(-0.05, 0.05, INPUTS, HIDDEN);
    this.bias1 = context.zeros(HIDDEN);
    this.weights2 = context.uniform(-0.05, 0.05, HIDDEN, CLASSES);
    this.bias2 = context.zeros(CLASSES);
  }

  /** Learns from one batch; returns the loss. */
  double run() {
    Tensor x = context.of(Shape.of(BATCH, INPUTS), pixels());
    Tensor y = context.of(Shape.of(BATCH, CLASSES), labels());
    Tensor hidden = layer(x, weights1, bias1);
    Tensor active = hidden.relu();
    Tensor scores = layer(active, weights2, bias2);
    Tensor logs = scores.logSoftmax(1);
    double loss = loss(logs, y);
    Tensor error = error(scores, y);
    done(scores, logs, y);
    Tensor hiddenError = hiddenError(error, hidden);
    learn(weights2, bias2, active, error);
    learn(weights1, bias1, x, hiddenError);
    done(x, hidden, active, error, hiddenError);
    return loss;
  }

  private Tensor layer(Tensor in, Tensor weights, Tensor bias) {
    Tensor product = in.matmul(weights);
    Tensor sum = product.add(bias);
    done(product);
    return sum;
  }

  private double loss(Tensor logs, Tensor y) {
    Tensor chosen = logs.mul(y);
    Tensor sum = chosen.sum();
    double loss = -sum.item() / BATCH;
    done(chosen, sum);
    return loss;
  }

  private Tensor error(Tensor scores, Tensor y) {
    Tensor shares = scores.softmax(1);
    Tensor difference = shares.sub(y);
    Tensor error = difference.div((double) BATCH);
    done(shares, difference);
    return error;
  }

  private Tensor hiddenError(Tensor error, Tensor hidden) {
    Tensor turned = weights2.t();
    Tensor back = error.matmul(turned);
    Tensor open = hidden.gt(0.0);
    Tensor masked = back.mul(open);
    done(turned, back, open);
    return masked;
  }

  private void learn(Tensor weights, Tensor bias, Tensor in, Tensor error) {
    Tensor turned = in.t();
    Tensor gradient = turned.matmul(error);
    Tensor step = gradient.mul(RATE);
    weights.sub_(step);
    Tensor sum = error.sum(0);
    Tensor biasStep = sum.mul(RATE);
    bias.sub_(biasStep);
    done(turned, gradient, step, sum, biasStep);
  }

  private void done(Tensor... tensors) {
    for (Tensor each : tensors) {
      done.accept(each);
    }
  }

  /** A batch as a reader would deliver it: a new array each time, at a cost to the heap. */
  private float[] pixels() {
    float[] pixels = new float[BATCH * INPUTS];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = random.nextFloat();
    }
    return pixels;
  }

  private float[] labels() {
    float[] labels = new float[BATCH * CLASSES];
    for (int i = 0; i < BATCH; i++) {
      labels[i * CLASSES + random.nextInt(CLASSES)] = 1;
    }
    return labels;
  }
}
