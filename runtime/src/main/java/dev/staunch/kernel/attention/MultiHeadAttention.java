package dev.staunch.kernel.attention;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.linear.BatchedProduct;
import dev.staunch.kernel.linear.BatchedProduct.Addend;
import dev.staunch.kernel.linear.MatrixProduct;
import dev.staunch.kernel.linear.MatrixView;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Demands;
import dev.staunch.kernel.operand.Views;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Attention of several heads with its projections, as the fast path of {@code
 * nn.MultiheadAttention} has it. The heads are read from the projected tensor where they lie;
 * nothing is transposed. Made for one call.
 */
final class MultiHeadAttention {
  /** The parameters; query, key and value weights are rows of one matrix [3 * width, width]. */
  record Weights(
      DenseTensor input, DenseTensor inputBias, DenseTensor output, DenseTensor outputBias) {}

  private final Call call;
  private final Weights weights;
  private final int heads;
  private final Temporaries made;

  /** Notes everything it makes in {@code made}, results too. */
  MultiHeadAttention(Call call, Weights weights, int heads, Temporaries made) {
    this.call = call;
    this.weights = weights;
    this.heads = heads;
    this.made = made;
  }

  /** The first thing that does not fit; the three inputs are [batch, length, width]. */
  @Nullable Fault misfit(DenseTensor[] inputs, long width) {
    String[] names = {"query", "key", "value"};
    for (int i = 0; i < inputs.length; i++) {
      if (inputs[i].rank() != 3) {
        String text = "`%s` must be [batch, length, features], but its shape is %s";
        return Demands.shape(
            Message.of(text, names[i], inputs[i].shape()),
            names[i] + " [batch, length, " + width + "]",
            inputs[i].shape());
      }
      if (!inputs[i].shape().equals(inputs[0].shape())) {
        String text = "`%s` must have the shape of `query`, %s, but it is %s";
        return Demands.shape(
            Message.of(text, names[i], inputs[0].shape(), inputs[i].shape()),
            names[i] + " " + inputs[0].shape(),
            inputs[i].shape());
      }
    }
    Shape shape = inputs[0].shape();
    if (shape.size(2) != width) {
      String text = "`embed_dim` is %d, but `query` has %d features in its last dimension";
      return Demands.shape(
          Message.of(text, width, shape.size(2)), "query [*, *, " + width + "]", shape);
    }
    if (heads < 1 || width % heads != 0) {
      String text = "`embed_dim` %d is not a multiple of `num_head` %d";
      return Fault.value(Message.of(text, width, heads));
    }
    return parameters(inputs, width);
  }

  private @Nullable Fault parameters(DenseTensor[] inputs, long width) {
    DenseTensor query = inputs[0];
    String name = "_native_multi_head_attention";
    return Demands.first(
        Demands.floating(name, query),
        Demands.sameDType(name, query, "key", inputs[1]),
        Demands.sameDType(name, query, "value", inputs[2]),
        Demands.sameDType(name, query, "qkv_weight", weights.input()),
        Demands.sameDType(name, query, "qkv_bias", weights.inputBias()),
        Demands.sameDType(name, query, "proj_weight", weights.output()),
        Demands.sameDType(name, query, "proj_bias", weights.outputBias()),
        parameter("qkv_weight", weights.input(), 3 * width, width),
        parameter("qkv_bias", weights.inputBias(), 3 * width),
        parameter("proj_weight", weights.output(), width, width),
        parameter("proj_bias", weights.outputBias(), width));
  }

  private static @Nullable Fault parameter(String name, DenseTensor tensor, long... sizes) {
    Shape wanted = Shape.of(sizes);
    String text = "`%s` must be %s, but its shape is %s";
    return tensor.shape().equals(wanted)
        ? null
        : Demands.shape(
            Message.of(text, name, wanted, tensor.shape()), name + " " + wanted, tensor.shape());
  }

  /** Queries, keys and values side by side: [batch, length, 3 * width]; or a fault. */
  Object projected(DenseTensor[] inputs) {
    if (inputs[1].is(inputs[0]) && inputs[2].is(inputs[0])) {
      return linear(inputs[0], weights.input(), weights.inputBias());
    }
    Shape shape = inputs[0].shape();
    long width = shape.size(2);
    Object joined =
        made.note(
            call.allocate(inputs[0].dtype(), Shape.of(shape.size(0), shape.size(1), 3 * width)));
    for (int i = 0; joined instanceof DenseTensor target && i < 3; i++) {
      Object part = part(inputs[i], i, width);
      if (!(part instanceof DenseTensor product)) {
        return part;
      }
      Layout to = Views.narrowed(target.layout(), 2, i * width, width);
      Fault stop = Copying.copy(new Lookout(call), product, product.layout(), target, to);
      product.close();
      if (stop != null) {
        return stop;
      }
    }
    return joined;
  }

  private Object part(DenseTensor input, int index, long width) {
    DenseTensor weight = weights.input();
    DenseTensor bias = weights.inputBias();
    Object rows =
        made.note(
            weight.view(call.scope(), Views.narrowed(weight.layout(), 0, index * width, width)));
    Object addend =
        made.note(bias.view(call.scope(), Views.narrowed(bias.layout(), 0, index * width, width)));
    return rows instanceof DenseTensor factor && addend instanceof DenseTensor sum
        ? linear(input, factor, sum)
        : rows instanceof Fault ? rows : addend;
  }

  private Object linear(DenseTensor input, DenseTensor weight, DenseTensor bias) {
    return made.note(
        BatchedProduct.of(
            call,
            "linear",
            BatchedProduct.Operand.of(input),
            BatchedProduct.Operand.transposed(weight),
            new Addend(bias, 1L, 1L)));
  }

  /** The weights of attention, [batch, heads, length, length]; or a fault. */
  Object scores(DenseTensor projected, AttentionScores.RowMask mask) {
    Shape shape = projected.shape();
    int length = Shape.asInt(shape.size(1));
    Shape wanted = Shape.of(shape.size(0), heads, length, length);
    Object zeros = made.note(Filling.zeros(call, projected.dtype(), wanted));
    if (!(zeros instanceof DenseTensor scores)) {
      return zeros;
    }
    long size = shape.size(2) / 3 / heads;
    double scale = 1 / Math.sqrt((double) size);
    for (int i = 0; i < shape.size(0) * heads; i++) {
      MatrixView query = head(projected, i, 0);
      MatrixView key = head(projected, i, 1).transposed();
      long at = (long) i * length * length;
      MatrixView target =
          new MatrixView(scores.segment(), scores.dtype(), at, length, length, length, 1);
      Fault stop = MatrixProduct.add(call.environment(), query, key, target, scale);
      if (stop != null) {
        return stop;
      }
    }
    Fault stop = AttentionScores.normalize(call.environment(), scores, mask, false);
    return stop == null ? scores : stop;
  }

  /** Query, key or value (part 0 to 2) of one head of one sequence. */
  private MatrixView head(DenseTensor projected, int index, int part) {
    Shape shape = projected.shape();
    int length = Shape.asInt(shape.size(1));
    long row = shape.size(2);
    int size = Shape.asInt(row / 3 / heads);
    long at =
        (long) (index / heads) * length * row + part * (row / 3) + (long) (index % heads) * size;
    return new MatrixView(projected.segment(), projected.dtype(), at, length, size, row, 1);
  }

  /** What the heads see, projected: [batch, length, width]; or a fault. */
  Object output(DenseTensor projected, DenseTensor scores) {
    Shape shape = projected.shape();
    int length = Shape.asInt(shape.size(1));
    long width = shape.size(2) / 3;
    int size = Shape.asInt(width / heads);
    Shape wanted = Shape.of(shape.size(0), length, width);
    Object zeros = made.note(Filling.zeros(call, projected.dtype(), wanted));
    if (!(zeros instanceof DenseTensor seen)) {
      return zeros;
    }
    for (int i = 0; i < shape.size(0) * heads; i++) {
      long from = (long) i * length * length;
      MatrixView score =
          new MatrixView(scores.segment(), scores.dtype(), from, length, length, length, 1);
      long to = (long) (i / heads) * length * width + (long) (i % heads) * size;
      MatrixView target = new MatrixView(seen.segment(), seen.dtype(), to, length, size, width, 1);
      Fault stop = MatrixProduct.add(call.environment(), score, head(projected, i, 2), target, 1L);
      if (stop != null) {
        return stop;
      }
    }
    return linear(seen, weights.output(), weights.outputBias());
  }
}
