package dev.staunch.kernel.attention;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.attention.MultiHeadAttention.Weights;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Cost;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Attention: {@code scaled_dot_product_attention} in its several forms, and the fast paths of the
 * transformer modules.
 */
public final class AttentionOperations {
  private AttentionOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        AttentionOperations::multiHeads,
        EncoderLayer::addTo,
        ScaledDotProduct::addTo,
        NestedOperations::addTo);
  }

  private static void multiHeads(Catalog.Builder catalog) {
    catalog
        .with(Trait.NARROW_AS_FLOAT32)
        .withDTypes(DType.of(DType.Kind.FLOATING))
        .withInference(AttentionOperations::forms)
        .withCost(Cost.Work.rows(5, 7).and(AttentionOperations::scored))
        .many(
            "aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim,"
                + " int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor"
                + " proj_bias, Tensor? mask=None, bool need_weights=True, bool"
                + " average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)",
            call -> multiHead(call));
  }

  /** The output, and the attention weights or libtorch's undefined tensor. */
  private static Object forms(Operands call) {
    TensorForm query = call.form(0);
    TensorForm[] inputs = {query, call.form(1), call.form(2)};
    TensorForm[] weights = {call.form(5), call.form(6), call.form(7), call.form(8)};
    int heads = MultiHeadAttention.heads(call, 4);
    Fault fault = MultiHeadAttention.misfit(inputs, weights, heads, call.integer(3));
    boolean empty = fault == null && query.elements() == 0;
    if (fault == null && !empty) {
      long type = call.integerOr(12, -1);
      fault = HeadMask.misfit(call.optionalForm(9), type, query.shape(), heads);
    }
    if (fault != null) {
      return fault;
    }
    Shape scores = Shape.of(0);
    if (call.bool(10) && !empty) {
      long batch = query.shape().size(0);
      long length = query.shape().size(1);
      scores =
          call.bool(11) ? Shape.of(batch, length, length) : Shape.of(batch, heads, length, length);
    }
    return new Object[] {
      empty ? query : query.cast(query.dtype()), TensorForm.contiguous(query.dtype(), scores)
    };
  }

  /** The multiply-adds of the scores and of the product with the values. */
  private static long scored(Operands call, Object results) {
    Shape query = call.shape(0);
    return Cost.times(query.elements(), 2 * query.size(1));
  }

  private static Object multiHead(Call call) {
    if (forms(call) instanceof Fault fault) {
      return fault;
    }
    DenseTensor[] inputs = {call.tensor(0), call.tensor(1), call.tensor(2)};
    Weights weights = new Weights(call.tensor(5), call.tensor(6), call.tensor(7), call.tensor(8));
    int heads = MultiHeadAttention.heads(call, 4);
    try (Temporaries made = new Temporaries()) {
      MultiHeadAttention attention = new MultiHeadAttention(call, weights, heads, made);
      if (inputs[0].elements() == 0) {
        return Temporaries.both(Views.same(call, inputs[0]), nothing(call));
      }
      Supplier<AttentionScores.RowMask> hides =
          () ->
              HeadMask.of(call.optionalTensor(9), call.integerOr(12, -1), inputs[0].shape(), heads);
      Object projected = attention.projected(inputs);
      if (projected instanceof DenseTensor heard && !call.bool(10)) {
        Object output = attention.output(heard, hides);
        return output instanceof DenseTensor result
            ? Temporaries.both(Views.same(call, result), nothing(call))
            : output;
      }
      Object scores =
          projected instanceof DenseTensor heard ? attention.scores(heard, hides.get()) : projected;
      Object output =
          projected instanceof DenseTensor heard && scores instanceof DenseTensor seen
              ? attention.output(heard, seen)
              : scores;
      return output instanceof DenseTensor result
          ? results(call, result, (DenseTensor) scores)
          : output;
    }
  }

  /** New handles for the results, because all intermediate tensors are closed. */
  private static Object results(Call call, DenseTensor output, DenseTensor scores) {
    Object weights = call.bool(11) ? averaged(call, scores) : Views.same(call, scores);
    return weights instanceof Fault ? weights : Temporaries.both(Views.same(call, output), weights);
  }

  /** The tensor that stands for libtorch's undefined tensor. */
  private static Object nothing(Call call) {
    return call.allocate(call.tensor(0).dtype(), Shape.of(0));
  }

  /** The mean over the heads. */
  private static Object averaged(Call call, DenseTensor scores) {
    Shape shape = scores.shape();
    int heads = Shape.asInt(shape.size(1));
    int width = Shape.asInt(shape.size(2) * shape.size(3));
    Object made =
        call.allocate(scores.dtype(), Shape.of(shape.size(0), shape.size(2), shape.size(3)));
    if (!(made instanceof DenseTensor mean)) {
      return made;
    }
    double[] sums = new double[width];
    double[] values = new double[width];
    for (int b = 0; b < shape.size(0); b++) {
      Arrays.fill(sums, 0);
      for (int h = 0; h < heads; h++) {
        Operand.of(scores).load(values, ((long) b * heads + h) * width, 1, width);
        for (int i = 0; i < width; i++) {
          sums[i] += values[i] / heads;
        }
      }
      Operand.of(mean).store(sums, (long) b * width, 1, width);
    }
    return mean;
  }
}
