package dev.staunch.kernel.vision;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Operations on boxes {@code (x1, y1, x2, y2)}: which of the overlapping ones are kept. */
final class BoxOperations {
  private BoxOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog
        .with(Trait.NARROW_AS_FLOAT32)
        .withInference(Inference.OF_VALUES)
        .withDTypes(DType.of(DType.Kind.FLOATING))
        .one(
            "torchvision::nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
            BoxOperations::kept);
  }

  private static Object kept(Call call) {
    DenseTensor boxes = call.tensor(0);
    DenseTensor scores = call.tensor(1);
    Fault fault = OperandChecks.sameDType("nms", boxes.dtype(), "scores", scores.dtype());
    fault = fault == null ? OperandChecks.floating("nms", boxes.dtype()) : fault;
    if (fault != null) {
      return fault;
    }
    if (boxes.rank() != 2
        || boxes.shape().size(1) != 4
        || scores.rank() != 1
        || scores.elements() != boxes.shape().size(0)) {
      String text = "nms takes boxes [n, 4] and n scores, but the shapes are %s and %s";
      return OperandChecks.shape(
          Message.of(text, boxes.shape(), scores.shape()), "[n, 4] and [n]", boxes.shape());
    }
    CancellationPoll poll = new CancellationPoll(call);
    long[] kept = kept(poll, boxes, Doubles.of(poll, scores), call.real(2));
    if (poll.fault() != null) {
      return poll.orFault(kept);
    }
    double[] places = Arrays.stream(kept).asDoubleStream().toArray();
    return Doubles.tensor(call, DType.INT64, Shape.of(kept.length), places);
  }

  private static long[] kept(
      CancellationPoll poll, DenseTensor tensor, double[] scores, double limit) {
    double[] boxes = Doubles.of(poll, tensor);
    boolean single = tensor.dtype() != DType.FLOAT64;
    int[] order =
        IntStream.range(0, scores.length)
            .boxed()
            .sorted((a, b) -> Double.compare(scores[b], scores[a]))
            .mapToInt(i -> i)
            .toArray();
    boolean[] dropped = new boolean[scores.length];
    for (int i = 0; i < order.length && poll.mayContinue(order.length - i); i++) {
      for (int j = i + 1; j < order.length && !dropped[order[i]]; j++) {
        dropped[order[j]] |= overlap(boxes, order[i], order[j], single) > limit;
      }
    }
    return Arrays.stream(order).filter(i -> !dropped[i]).asLongStream().toArray();
  }

  /** The intersection over union of two boxes, in the precision of their dtype. */
  private static double overlap(double[] boxes, int a, int b, boolean single) {
    int i = 4 * a;
    int j = 4 * b;
    double width = side(boxes[i], boxes[i + 2], boxes[j], boxes[j + 2], single);
    double height = side(boxes[i + 1], boxes[i + 3], boxes[j + 1], boxes[j + 3], single);
    double both = rounded(width * height, single);
    double all =
        rounded(rounded(area(boxes, i, single) + area(boxes, j, single), single) - both, single);
    return rounded(both / all, single);
  }

  private static double side(double a0, double a1, double b0, double b1, boolean single) {
    return Math.max(0, rounded(Math.min(a1, b1) - Math.max(a0, b0), single));
  }

  private static double area(double[] boxes, int at, boolean single) {
    double width = rounded(boxes[at + 2] - boxes[at], single);
    double height = rounded(boxes[at + 3] - boxes[at + 1], single);
    return rounded(width * height, single);
  }

  private static double rounded(double value, boolean single) {
    return single ? (float) value : value;
  }
}
