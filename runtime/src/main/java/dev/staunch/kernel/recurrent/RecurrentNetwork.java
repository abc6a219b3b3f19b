package dev.staunch.kernel.recurrent;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Preparation;
import dev.staunch.kernel.RandomStream;
import dev.staunch.kernel.linear.BatchedProduct;
import dev.staunch.kernel.linear.BatchedProduct.Addend;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.Recurrence;
import dev.staunch.kernel.recurrent.RecurrentPlan.Weights;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Layers of recurrent cells over packed sequences. The input's part of all gates of all time steps
 * is one matrix product per layer and direction; only the state's part is computed step by step.
 * Made for one call.
 */
final class RecurrentNetwork {
  private final Call call;
  private final RecurrentPlan plan;
  private final SequenceSteps steps;
  private final @Nullable RandomStream noise;
  private long drawn;

  /** Takes random numbers if there is dropout, so everything must have been checked before. */
  RecurrentNetwork(Call call, RecurrentPlan plan, SequenceSteps steps) {
    this.call = call;
    this.plan = plan;
    this.steps = steps;
    boolean drops = plan.dropsOut();
    this.noise = drops ? call.environment().random() : null;
  }

  /**
   * The last layer's states, [rows, directions * state]; or a fault. Writes the final states to
   * {@code last} and {@code lastCells}, which are row-major like the initial ones.
   */
  Object run(DenseTensor data, DenseTensor last, @Nullable DenseTensor lastCells) {
    DenseTensor input = data;
    for (int layer = 0; layer < plan.layers(); layer++) {
      Object output = layer(input, layer, last, lastCells);
      if (!input.is(data)) {
        input.close();
      }
      if (!(output instanceof DenseTensor made)) {
        return output;
      }
      input = made;
    }
    return input;
  }

  private Object layer(
      DenseTensor input, int layer, DenseTensor last, @Nullable DenseTensor lastCells) {
    int width = plan.stateSize();
    Shape shape = Shape.of(input.shape().size(0), (long) plan.directions() * width);
    Object made = call.allocate(input.dtype(), shape);
    if (!(made instanceof DenseTensor output)) {
      return made;
    }
    for (int d = 0; d < plan.directions(); d++) {
      int index = layer * plan.directions() + d;
      Fault fault = direction(input, index, d, output, last, lastCells);
      if (fault != null) {
        output.close();
        return fault;
      }
    }
    if (noise != null && layer < plan.layers() - 1) {
      drop(output, noise);
    }
    return output;
  }

  private @Nullable Fault direction(
      DenseTensor input,
      int index,
      int direction,
      DenseTensor output,
      DenseTensor last,
      @Nullable DenseTensor lastCells) {
    Weights weights = plan.weights(index);
    Object gates =
        BatchedProduct.of(
            call,
            index,
            "linear",
            BatchedProduct.Operand.of(input),
            BatchedProduct.Operand.transposed(weights.input()),
            new Addend(weights.inputBias(), 1L, 1L));
    if (!(gates instanceof DenseTensor product)) {
      return (Fault) gates;
    }
    double[][] states = states(plan.hidden(), index);
    double[][] cells =
        plan.cell() == null ? new double[states.length][0] : states(plan.cell(), index);
    int column = direction * plan.stateSize();
    Fault stop =
        prepared(weights, index)
            .run(
                call.environment(),
                new Recurrence.Parameters(
                    weights.hidden(), weights.hiddenBias(), weights.projection()),
                product,
                new Recurrence.Steps(steps.starts(), steps.sizes(), direction == 1),
                states,
                cells,
                output,
                column);
    product.close();
    keep(states, last, index);
    if (lastCells != null) {
      keep(cells, lastCells, index);
    }
    return stop;
  }

  private Recurrence prepared(Weights weights, int index) {
    Preparation kept = call.preparation();
    Recurrence.Request request =
        new Recurrence.Request(
            weights.hidden().dtype(),
            plan.kind().cell(),
            weights.hidden().layout(),
            layout(weights.hiddenBias()),
            layout(weights.projection()),
            kept == null ? null : kept.constant(weights.hidden()));
    int slot = plan.layers() * plan.directions() + index; // the slots before belong to the products
    return Preparation.of(
        call.preparation(), slot, request, call.environment().kernels()::recurrence);
  }

  private static @Nullable Layout layout(@Nullable DenseTensor parameter) {
    return parameter == null ? null : parameter.layout();
  }

  /** The states of one layer and direction, one row for each sequence. */
  private static double[][] states(DenseTensor all, int index) {
    int batch = Shape.asInt(all.shape().size(1));
    int width = Shape.asInt(all.shape().size(2));
    double[][] states = new double[batch][width];
    Operand source = Operand.of(all);
    long start = all.layout().offset() + index * all.layout().stride(0);
    for (int b = 0; b < batch; b++) {
      source.load(states[b], start + b * all.layout().stride(1), all.layout().stride(2), width);
    }
    return states;
  }

  private static void keep(double[][] states, DenseTensor all, int index) {
    Operand target = Operand.of(all);
    for (int b = 0; b < states.length; b++) {
      int width = states[b].length;
      target.store(states[b], ((long) index * states.length + b) * width, 1, width);
    }
  }

  /** Zeroes elements of a layer's output and scales the rest, as {@code dropout} does. */
  private void drop(DenseTensor output, RandomStream stream) {
    int width = Shape.asInt(output.shape().size(1));
    double keep = 1 - plan.dropout();
    double[] values = new double[width];
    double[] draws = new double[width];
    Operand operand = Operand.of(output);
    for (long row = 0; row < output.shape().size(0); row++) {
      operand.load(values, row * width, 1, width);
      stream.uniforms(drawn, draws, width);
      drawn += width;
      for (int j = 0; j < width; j++) {
        values[j] = draws[j] < keep ? values[j] / keep : 0;
      }
      operand.store(values, row * width, 1, width);
    }
  }
}
