package dev.staunch.kernel.attention;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.NestedTensor;
import dev.staunch.kernel.attention.MultiHeadAttention.Weights;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.linear.BatchedProduct;
import dev.staunch.kernel.linear.BatchedProduct.Addend;
import dev.staunch.kernel.linear.ProductFaults;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.neural.LayerNormalization;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code _transformer_encoder_layer_fwd}: attention and a feed-forward network, each with its
 * residual and its normalisation, which comes before or after. Made for one call.
 */
final class EncoderLayer {
  private final Call call;
  private final Temporaries made;

  private EncoderLayer(Call call, Temporaries made) {
    this.call = call;
    this.made = made;
  }

  static void addTo(Catalog.Builder catalog) {
    Composite steps = Composite.of(catalog, EncoderLayer::inferred);
    catalog
        .with(Trait.TAKES_NESTED, Trait.NARROW_AS_FLOAT32)
        .withDTypes(DType.of(DType.Kind.FLOATING))
        .withInference(steps)
        .withCost(steps)
        .one(
            "aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor"
                + " qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu,"
                + " bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor"
                + " norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor"
                + " ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None)"
                + " -> Tensor",
            EncoderLayer::run);
  }

  /** Follows the steps of {@link #layer} on forms, to infer its result and its cost. */
  private static Object inferred(Steps steps, Operands call) {
    if (!call.isTensor(0)) {
      return Inference.Unknown.DEPENDS_ON_VALUES;
    }
    TensorForm source = call.form(0);
    Fault fault = misfit(source, call);
    if (fault != null || source.elements() == 0) {
      return fault == null ? source : fault;
    }
    fault =
        HeadMask.misfit(
            call.optionalForm(18), call.integerOr(19, -1), source.shape(), call.integer(2));
    boolean first = call.bool(8);
    Object x = fault == null && first ? normalized(steps, source, call, 10) : source;
    x = fault == null ? attended(steps, x, call) : fault;
    Object residual = steps.run("add_.Tensor", x, source);
    residual = first ? residual : normalized(steps, residual, call, 10);
    x = first ? normalized(steps, residual, call, 12) : residual;
    for (int at = 14; at <= 16; at += 2) {
      fault = Steps.isTensor(x) ? flat(call.form(at)) : null;
      x = fault == null ? steps.run("linear", x, call.value(at), call.value(at + 1)) : fault;
    }
    x = steps.run("add_.Tensor", x, residual);
    return first ? x : normalized(steps, x, call, 12);
  }

  private static Object attended(Steps steps, Object x, Operands call) {
    Object results =
        steps.run(
            "_native_multi_head_attention",
            x,
            x,
            x,
            call.value(1),
            call.value(2),
            call.value(3),
            call.value(4),
            call.value(5),
            call.value(6));
    return Steps.pick(results, 0);
  }

  private static Object normalized(Steps steps, Object x, Operands call, int at) {
    List<Object> size = Steps.ints(call.shape(0).size(2));
    return steps.run("layer_norm", x, size, call.value(at), call.value(at + 1), call.real(9), true);
  }

  private static @Nullable Fault misfit(TensorForm source, Operands call) {
    TensorForm[] weights = {call.form(3), call.form(4), call.form(5), call.form(6)};
    return MultiHeadAttention.misfit(
        new TensorForm[] {source, source, source},
        weights,
        MultiHeadAttention.heads(call, 2),
        call.integer(1));
  }

  private static @Nullable Fault flat(TensorForm weight) {
    return ProductFaults.rank("the weight of the feed-forward net", weight, 2);
  }

  private static Object run(Call call) {
    if (!(call.value(0) instanceof NestedTensor nested)) {
      return run(call, call.tensor(0), null);
    }
    if (!call.isNone(18)) {
      return Fault.unsupported(
          "a nested tensor takes no mask, since its lengths are its mask; leave `mask` out");
    }
    Object result = run(call, nested.padded(), nested.lengths());
    return result instanceof DenseTensor padded
        ? new NestedTensor(padded, nested.lengths())
        : result;
  }

  private static Object run(Call call, DenseTensor source, int @Nullable [] lengths) {
    try (Temporaries made = new Temporaries()) {
      Object result = new EncoderLayer(call, made).layer(source, lengths);
      return result instanceof DenseTensor tensor ? Views.same(call, tensor) : result;
    }
  }

  private Object layer(DenseTensor source, int @Nullable [] lengths) {
    boolean first = call.bool(8);
    MultiHeadAttention attention = attention();
    Fault fault = misfit(Call.formOf(source), call);
    if (fault != null || source.elements() == 0) {
      return fault == null ? source : fault;
    }
    long type = call.integerOr(19, -1);
    int heads = MultiHeadAttention.heads(call, 2);
    fault = HeadMask.misfit(call.optionalForm(18), type, source.shape(), heads);
    if (fault != null) {
      return fault;
    }
    Supplier<AttentionScores.RowMask> hides =
        lengths == null
            ? () -> HeadMask.of(call.optionalTensor(18), type, source.shape(), heads)
            : () -> HeadMask.lengths(lengths, heads * source.shape().size(1));
    Object x = first ? normalized(source, 10) : source;
    x = x instanceof DenseTensor tensor ? attended(attention, tensor, hides) : x;
    x = x instanceof DenseTensor tensor ? sum(tensor, source) : x;
    x = x instanceof DenseTensor tensor && !first ? normalized(tensor, 10) : x;
    if (!(x instanceof DenseTensor residual)) {
      return x;
    }
    x = first ? normalized(residual, 12) : residual;
    x = x instanceof DenseTensor tensor ? forward(tensor) : x;
    x = x instanceof DenseTensor tensor ? sum(tensor, residual) : x;
    return x instanceof DenseTensor tensor && !first ? normalized(tensor, 12) : x;
  }

  private MultiHeadAttention attention() {
    Weights weights = new Weights(call.tensor(3), call.tensor(4), call.tensor(5), call.tensor(6));
    return new MultiHeadAttention(call, weights, MultiHeadAttention.heads(call, 2), made);
  }

  private Object attended(
      MultiHeadAttention attention, DenseTensor x, Supplier<AttentionScores.RowMask> masks) {
    Object projected = attention.projected(new DenseTensor[] {x, x, x});
    return projected instanceof DenseTensor heard ? attention.output(heard, masks) : projected;
  }

  /** Normalises over the last dimension; weight and bias are the arguments from {@code at} on. */
  private Object normalized(DenseTensor x, int at) {
    List<Object> shape = List.of(x.shape().size(2));
    return made.note(
        LayerNormalization.run(
            part(x, shape, call.tensor(at), call.tensor(at + 1), call.real(9), true)));
  }

  /** Adds {@code residual} to {@code x} in place. */
  private Object sum(DenseTensor x, DenseTensor residual) {
    return Pointwise.write(part(x), Combination.of("add", x.dtype(), Formulas.add(), x, residual));
  }

  private Object forward(DenseTensor x) {
    Object hidden = linear(x, 14);
    if (!(hidden instanceof DenseTensor wide)) {
      return hidden;
    }
    Call own = part(wide);
    Object active =
        call.bool(7)
            ? Pointwise.write(own, Combination.of("gelu", wide.dtype(), Formulas.gelu(), wide))
            : Pointwise.write(
                own, Combination.of("relu", wide.dtype(), Formulas.greater(), wide, 0L));
    return active instanceof DenseTensor tensor ? linear(tensor, 16) : active;
  }

  private Object linear(DenseTensor x, int at) {
    DenseTensor weight = call.tensor(at);
    Fault fault = flat(Call.formOf(weight));
    return fault != null
        ? fault
        : made.note(
            BatchedProduct.of(
                call,
                at,
                "linear",
                BatchedProduct.Operand.of(x),
                BatchedProduct.Operand.transposed(weight),
                new Addend(call.tensor(at + 1), 1L, 1L)));
  }

  /** The call that a kernel used within this one sees. */
  private Call part(Object... arguments) {
    return new Call(call.environment(), arguments);
  }
}
