package dev.staunch.kernel.vision;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A convolution whose kernel taps are displaced by offsets that the model computes. */
final class DeformableConvolution {
  private static final String SCHEMA =
      "torchvision::deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor"
          + " bias, int stride_h, int stride_w, int pad_h, int pad_w, int dilation_h, int"
          + " dilation_w, int groups, int offset_groups, bool use_mask) -> Tensor";

  private final TensorForm input;
  private final TensorForm weight;
  private final int[] numbers;
  private final int kernelHeight;
  private final int kernelWidth;
  private final int rows;
  private final int columns;

  private DeformableConvolution(Operands call) {
    this.input = call.form(0);
    this.weight = call.form(1);
    this.numbers = new int[8];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Shape.asInt(Math.max(i < 2 || i > 3 ? 1 : 0, call.integer(5 + i)));
    }
    this.kernelHeight = Shape.asInt(weight.shape().size(2));
    this.kernelWidth = Shape.asInt(weight.shape().size(3));
    this.rows = outputs(2, kernelHeight, 0);
    this.columns = outputs(3, kernelWidth, 1);
  }

  static void addTo(Catalog.Builder catalog) {
    Composite.add(
        catalog.withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64)),
        SCHEMA,
        DeformableConvolution::run);
  }

  private int outputs(int dim, int kernel, int axis) {
    long covered = (long) numbers[4 + axis] * (kernel - 1) + 1;
    long free = input.shape().size(dim) + 2L * numbers[2 + axis] - covered;
    return Shape.asInt(Math.max(0, Math.floorDiv(free, numbers[axis]) + 1));
  }

  private static Object run(Steps steps, Operands call) {
    for (int i = 0; i < 4; i++) {
      boolean used = i < 3 || call.bool(13);
      if (used && call.rank(i) != 4) {
        String text = "deform_conv2d takes tensors of 4 dimensions, but the shape is %s";
        return OperandChecks.shape(Message.of(text, call.shape(i)), "4 dimensions", call.shape(i));
      }
    }
    Fault fault = OperandChecks.floating("deform_conv2d", call.dtype(0));
    for (int i = 5; fault == null && i < 13; i++) {
      boolean padding = i == 7 || i == 8;
      fault =
          call.integer(i) < (padding ? 0 : 1)
              ? Fault.value("deform_conv2d takes positive strides, dilations and groups")
              : null;
    }
    if (fault != null) {
      return fault;
    }
    DeformableConvolution convolution = new DeformableConvolution(call);
    fault = convolution.misfit(call);
    return fault == null ? convolution.computed(steps, call) : fault;
  }

  private @Nullable Fault misfit(Operands call) {
    long taps = (long) kernelHeight * kernelWidth * numbers[7];
    long channels = input.shape().size(1);
    long batch = input.shape().size(0);
    boolean fits =
        channels == weight.shape().size(1) * numbers[6]
            && channels % numbers[7] == 0
            && weight.shape().size(0) % numbers[6] == 0
            && call.shape(2).equals(Shape.of(batch, 2 * taps, rows, columns))
            && (!call.bool(13) || call.shape(3).equals(Shape.of(batch, taps, rows, columns)));
    String text = "the offsets %s do not fit an input %s and a weight %s";
    return fits
        ? null
        : Fault.shape(Message.of(text, call.shape(2), input.shape(), weight.shape()));
  }

  private Object computed(Steps steps, Operands call) {
    int groups = numbers[6];
    long batch = input.shape().size(0);
    long outputs = weight.shape().size(0);
    long taps = weight.shape().size(1) * kernelHeight * kernelWidth;
    Shape shape = Shape.of(batch, groups, taps, (long) rows * columns);
    Object moved =
        steps.apply(
            operands -> TensorForm.contiguous(input.dtype(), shape),
            own -> moved(own, shape),
            call.arguments());
    Object weights = steps.view(call.value(1), 1, groups, outputs / groups, taps);
    Object sums = steps.run("matmul", weights, moved);
    Object result = steps.view(sums, batch, outputs, rows, columns);
    return steps.sum(result, steps.view(call.value(4), 1, -1, 1, 1));
  }

  /** The input elements at each displaced tap; or a fault. */
  private Object moved(Call call, Shape shape) {
    CancellationPoll poll = new CancellationPoll(call);
    double[] patches = patches(call, poll);
    return poll.fault() == null
        ? Doubles.tensor(call, input.dtype(), shape, patches)
        : poll.orFault(patches);
  }

  private double[] patches(Call call, CancellationPoll poll) {
    double[] values = Doubles.of(poll, call.tensor(0));
    double[] offsets = Doubles.of(poll, call.tensor(2));
    double[] masks = call.bool(13) ? Doubles.of(poll, call.tensor(3)) : new double[0];
    int channels = Shape.asInt(input.shape().size(1));
    int taps = kernelHeight * kernelWidth;
    int cells = rows * columns;
    int batch = Shape.asInt(input.shape().size(0));
    double[] patches = new double[Math.multiplyExact(batch * channels, taps * cells)];
    for (int plane = 0; plane < batch * channels; plane++) {
      int group = plane / channels * numbers[7] + plane % channels / (channels / numbers[7]);
      for (int tap = 0; tap < taps && poll.mayContinue(4L * cells); tap++) {
        int vertical = (group * 2 * taps + 2 * tap) * cells;
        int mask = (group * taps + tap) * cells;
        int to = (plane * taps + tap) * cells;
        for (int cell = 0; cell < cells; cell++) {
          double y = place(cell / columns, tap / kernelWidth, 0) + offsets[vertical + cell];
          double x = place(cell % columns, tap % kernelWidth, 1) + offsets[vertical + cells + cell];
          double weight = masks.length == 0 ? 1 : masks[mask + cell];
          patches[to + cell] = weight * at(values, plane, y, x);
        }
      }
    }
    return patches;
  }

  private double place(int output, int tap, int axis) {
    return (double) output * numbers[axis] - numbers[2 + axis] + (double) tap * numbers[4 + axis];
  }

  private double at(double[] values, int plane, double y, double x) {
    int height = Shape.asInt(input.shape().size(2));
    int width = Shape.asInt(input.shape().size(3));
    return Bilinear.amongZeros(values, plane * height * width, height, width, y, x);
  }
}
