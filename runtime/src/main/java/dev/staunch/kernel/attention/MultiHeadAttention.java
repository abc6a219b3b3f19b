package dev.staunch.kernel.attention;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.linear.BatchedProduct;
import dev.staunch.kernel.linear.BatchedProduct.Addend;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Cost;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Multi-head attention with its projections, as on the fast path of {@code nn.MultiheadAttention}.
 * The heads are read in place from the projected tensor; nothing is transposed. Made for one call.
 */
final class MultiHeadAttention {
  /**
   * The parameters. The weights of query, key and value are rows of one matrix [3 * width, width].
   */
  record Weights(
      DenseTensor input, DenseTensor inputBias, DenseTensor output, DenseTensor outputBias) {}

  private final Call call;
  private final Weights weights;
  private final int heads;
  private final Temporaries made;

  /** Records every tensor it makes in {@code made}, including the results. */
  MultiHeadAttention(Call call, Weights weights, int heads, Temporaries made) {
    this.call = call;
    this.weights = weights;
    this.heads = heads;
    this.made = made;
  }

  /** The argument that is the number of heads. */
  static int heads(Operands operands, int at) {
    return Math.toIntExact(Math.clamp(operands.integer(at), -1L, Integer.MAX_VALUE));
  }

  /**
   * The fault of the first operand that does not fit.
   *
   * @param inputs query, key and value, [batch, length, width]
   * @param weights in the order of {@link Weights}
   */
  static @Nullable Fault misfit(TensorForm[] inputs, TensorForm[] weights, int heads, long width) {
    String[] names = {"query", "key", "value"};
    for (int i = 0; i < inputs.length; i++) {
      if (inputs[i].rank() != 3) {
        String text = "`%s` must be [batch, length, features], but its shape is %s";
        return OperandChecks.shape(
            Message.of(text, names[i], inputs[i].shape()),
            names[i] + " [batch, length, " + width + "]",
            inputs[i].shape());
      }
      if (!inputs[i].shape().equals(inputs[0].shape())) {
        String text = "`%s` must have the shape of `query`, %s, but it is %s";
        return OperandChecks.shape(
            Message.of(text, names[i], inputs[0].shape(), inputs[i].shape()),
            names[i] + " " + inputs[0].shape(),
            inputs[i].shape());
      }
    }
    Shape shape = inputs[0].shape();
    if (shape.size(2) != width) {
      String text = "`embed_dim` is %d, but `query` has %d features in its last dimension";
      return OperandChecks.shape(
          Message.of(text, width, shape.size(2)), "query [*, *, " + width + "]", shape);
    }
    if (heads < 1 || width % heads != 0) {
      String text = "`embed_dim` %d is not a multiple of `num_head` %d";
      return Fault.value(Message.of(text, width, heads));
    }
    return parameters(inputs, weights, width);
  }

  private static @Nullable Fault parameters(TensorForm[] inputs, TensorForm[] weights, long width) {
    DType query = inputs[0].dtype();
    String name = "_native_multi_head_attention";
    return OperandChecks.first(
        OperandChecks.sameDType(name, query, "key", inputs[1].dtype()),
        OperandChecks.sameDType(name, query, "value", inputs[2].dtype()),
        OperandChecks.sameDType(name, query, "qkv_weight", weights[0].dtype()),
        OperandChecks.sameDType(name, query, "qkv_bias", weights[1].dtype()),
        OperandChecks.sameDType(name, query, "proj_weight", weights[2].dtype()),
        OperandChecks.sameDType(name, query, "proj_bias", weights[3].dtype()),
        OperandChecks.floating(name, query),
        parameter("qkv_weight", weights[0], 3 * width, width),
        parameter("qkv_bias", weights[1], 3 * width),
        parameter("proj_weight", weights[2], width, width),
        parameter("proj_bias", weights[3], width));
  }

  private static @Nullable Fault parameter(String name, TensorForm tensor, long... sizes) {
    Shape wanted = Shape.of(sizes);
    String text = "`%s` must be %s, but its shape is %s";
    return tensor.shape().equals(wanted)
        ? null
        : OperandChecks.shape(
            Message.of(text, name, wanted, tensor.shape()), name + " " + wanted, tensor.shape());
  }

  /** Queries, keys and values side by side: [batch, length, 3 * width]; or a fault. */
  Object projected(DenseTensor[] inputs) {
    if (inputs[1].is(inputs[0]) && inputs[2].is(inputs[0])) {
      return linear(0, inputs[0], weights.input(), weights.inputBias());
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
      Fault stop = Copying.copy(new CancellationPoll(call), product, product.layout(), target, to);
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
        ? linear(index, input, factor, sum)
        : rows instanceof Fault ? rows : addend;
  }

  private Object linear(int slot, DenseTensor input, DenseTensor weight, DenseTensor bias) {
    return made.note(
        BatchedProduct.of(
            call,
            slot,
            "linear",
            BatchedProduct.Operand.of(input),
            BatchedProduct.Operand.transposed(weight),
            new Addend(bias, 1L, 1L)));
  }

  /** The attention weights, [batch, heads, length, length]; or a fault. */
  Object scores(DenseTensor projected, AttentionScores.RowMask mask) {
    long size = projected.shape().size(2) / 3 / heads;
    double scale = 1 / Math.sqrt((double) size);
    Object product =
        made.note(
            BatchedProduct.of(
                call,
                3,
                "matmul",
                heads(projected, 0),
                heads(projected, 1).swapped(),
                new Addend(null, 1L, scale)));
    if (!(product instanceof DenseTensor scores)) {
      return product;
    }
    Fault stop = AttentionScores.normalize(call.environment(), scores, mask, false);
    return stop == null ? scores : stop;
  }

  /** Query, key or value (part 0 to 2) of all heads: [batch, heads, length, size]. */
  private BatchedProduct.Operand heads(DenseTensor projected, int part) {
    Shape shape = projected.shape();
    long length = shape.size(1);
    long row = shape.size(2);
    long size = row / 3 / heads;
    long[] strides = {length * row, size, row, 1};
    long offset = projected.layout().offset() + part * (row / 3);
    return BatchedProduct.Operand.of(
        projected, new Layout(Shape.of(shape.size(0), heads, length, size), strides, offset));
  }

  /**
   * The heads' output, projected: [batch, length, width]; or a fault.
   *
   * @param masks supplies one mask for each thread
   */
  Object output(DenseTensor projected, Supplier<AttentionScores.RowMask> masks) {
    Shape shape = projected.shape();
    long length = shape.size(1);
    if (Cost.times(shape.size(0) * heads, Cost.times(length, length)) <= BlockedAttention.FEW) {
      Object scores = scores(projected, masks.get());
      return scores instanceof DenseTensor weights ? output(projected, weights) : scores;
    }
    long width = shape.size(2) / 3;
    long size = width / heads;
    Object allocated =
        made.note(call.allocate(projected.dtype(), Shape.of(shape.size(0), length, width)));
    if (!(allocated instanceof DenseTensor seen)) {
      return allocated;
    }
    long[] strides = {length * width, size, width, 1};
    Layout sideBySide = new Layout(Shape.of(shape.size(0), heads, length, size), strides, 0);
    Fault stop =
        new BlockedAttention(
                call.environment().kernels(),
                stack(heads(projected, 0)),
                stack(heads(projected, 1).swapped()),
                stack(heads(projected, 2)),
                1 / Math.sqrt((double) size),
                null,
                masks,
                false)
            .run(
                call.environment(),
                Shape.of(shape.size(0), heads),
                new BlockedAttention.Stack(seen, sideBySide));
    return stop == null ? linear(5, seen, weights.output(), weights.outputBias()) : stop;
  }

  private static BlockedAttention.Stack stack(BatchedProduct.Operand operand) {
    Layout layout =
        operand.transposed() ? BatchedProduct.Operand.transposed(operand.own()) : operand.own();
    return new BlockedAttention.Stack(operand.tensor(), layout);
  }

  /** As {@link #output(DenseTensor, Supplier)}, from given attention weights. */
  Object output(DenseTensor projected, DenseTensor scores) {
    Object product =
        made.note(
            BatchedProduct.of(
                call,
                4,
                "matmul",
                BatchedProduct.Operand.of(scores),
                heads(projected, 2),
                Addend.NOTHING));
    if (!(product instanceof DenseTensor apart)) {
      return product;
    }
    Shape each = apart.shape();
    Shape wanted = Shape.of(each.size(0), each.size(2), heads * each.size(3));
    Object allocated = made.note(call.allocate(apart.dtype(), wanted));
    if (!(allocated instanceof DenseTensor seen)) {
      return allocated;
    }
    long[] strides = {each.size(2) * wanted.size(2), each.size(3), wanted.size(2), 1};
    Layout sideBySide = new Layout(each, strides, 0);
    Fault stop = Copying.copy(new CancellationPoll(call), apart, apart.layout(), seen, sideBySide);
    return stop == null ? linear(5, seen, weights.output(), weights.outputBias()) : stop;
  }
}
