package dev.staunch.kernel.attention;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.attention.AttentionScores.CausalMask;
import dev.staunch.kernel.attention.AttentionScores.RowMask;
import dev.staunch.kernel.linear.BatchedProduct;
import dev.staunch.kernel.linear.BatchedProduct.Addend;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.kernel.scalar.NumberText;
import dev.staunch.operation.Cost;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code scaled_dot_product_attention}: {@code softmax(query * key^T * scale + mask) * value} over
 * batches that broadcast. Made for one call.
 */
final class ScaledDotProduct {
  private static final String OPERANDS =
      "(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool ";
  private static final String NAME = "scaled_dot_product_attention";

  /**
   * The settings in which the overloads differ.
   *
   * @param scale the factor of the scores; NaN for one over the square root of the queries' size
   * @param grouped whether several heads of queries share one head of keys and values
   * @param emptyIsZero whether a query that sees no key gets zeros, as since libtorch 2.5, not NaN
   */
  private record Options(boolean causal, double scale, boolean grouped, boolean emptyIsZero) {}

  private final Operands operands;
  private final Options options;

  private ScaledDotProduct(Operands operands, Options options) {
    this.operands = operands;
    this.options = options;
  }

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder drawing =
        catalog
            .with(Trait.DRAWS_RANDOM)
            .withDTypes(DType.of(DType.Kind.FLOATING))
            .withCost(ScaledDotProduct::multiplyAdds);
    Catalog.Builder narrow = drawing.with(Trait.NARROW_AS_FLOAT32);
    narrow
        .withInference(call -> Steps.pick(forms(call, newer(call, 6), false), 0))
        .one(
            "aten::scaled_dot_product_attention"
                + OPERANDS
                + "is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor",
            call -> Steps.pick(run(call, newer(call, 6), false), 0));
    drawing
        .withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64))
        .withInference(call -> math(call, ScaledDotProduct::forms))
        .many(
            "aten::_scaled_dot_product_attention_math"
                + OPERANDS
                + "is_causal=False, Tensor? dropout_mask=None, *, float? scale=None, bool"
                + " enable_gqa=False) -> (Tensor, Tensor)",
            call -> math(call, ScaledDotProduct::run));
    narrow
        .withInference(call -> forms(call, older(call), call.bool(5)))
        .many(
            "aten::_scaled_dot_product_attention"
                + OPERANDS
                + "need_attn_weights=False, bool is_causal=False) -> (Tensor, Tensor)",
            call -> run(call, older(call), call.bool(5)));
  }

  private static long multiplyAdds(Operands call, Object results) {
    Shape query = call.shape(0);
    Shape key = call.shape(1);
    Shape seen = ((TensorForm) Steps.pick(results, 0)).shape();
    long size = Math.max(1, seen.size(seen.rank() - 1));
    long each = Cost.times(key.size(key.rank() - 2), query.size(query.rank() - 1) + size);
    return Cost.times(seen.elements() / size, each);
  }

  /** Either {@link #run} or {@link #forms}. */
  private interface Way<T extends Operands> {
    Object results(T call, Options options, boolean weights);
  }

  private static <T extends Operands> Object math(T call, Way<T> way) {
    return call.isNone(6)
        ? way.results(call, newer(call, 7), true)
        : Fault.unsupported(
            "`dropout_mask` is not supported; leave it out, or give `dropout_p` instead");
  }

  private static Options older(Operands call) {
    return new Options(call.bool(6), Double.NaN, false, false);
  }

  private static Options newer(Operands call, int at) {
    double scale = call.isNone(at) ? Double.NaN : call.real(at);
    return new Options(call.bool(5), scale, call.bool(at + 1), true);
  }

  private static Object run(Call call, Options options, boolean weights) {
    try (Temporaries made = new Temporaries()) {
      ScaledDotProduct product = new ScaledDotProduct(call, options);
      Fault fault = product.misfit();
      return fault == null ? product.results(call, made, weights) : fault;
    }
  }

  /** The output, and the attention weights or libtorch's undefined tensor; or the fault. */
  private static Object forms(Operands operands, Options options, boolean weights) {
    return new ScaledDotProduct(operands, options).forms(weights);
  }

  private Object forms(boolean wanted) {
    Fault fault = misfit();
    Object found = fault == null ? stacks() : fault;
    if (!(found instanceof Stacks stacks)) {
      return found;
    }
    Shape weights = wanted ? joined(stacks.scores.shape()) : Shape.of(0);
    return new Object[] {
      TensorForm.contiguous(stacks.output.dtype(), joined(stacks.output.shape())),
      TensorForm.contiguous(stacks.output.dtype(), weights)
    };
  }

  /**
   * The forms of both products, whose heads are grouped as the operands' heads are.
   *
   * @param mask the layout of the given mask, broadcast to the scores; or None
   */
  private record Stacks(TensorForm scores, Object mask, TensorForm output) {
    /** Whether several values share the same scores, which are computed once. */
    boolean share() {
      return !batch(scores).equals(batch(output));
    }

    static Shape batch(TensorForm stack) {
      return Shape.of(Arrays.copyOf(stack.shape().toArray(), stack.rank() - 2));
    }
  }

  /** The stacks, or the fault of operands that do not fit each other. */
  private Object stacks() {
    Object product =
        BatchedProduct.form(
            NAME, form(0, split(0)), form(1, BatchedProduct.Operand.transposed(split(1))), null);
    if (!(product instanceof TensorForm scores)) {
      return product;
    }
    Object mask = mask(joined(scores.shape()));
    Object seen =
        mask instanceof Fault ? mask : BatchedProduct.form(NAME, scores, form(2, split(2)), null);
    return seen instanceof TensorForm output ? new Stacks(scores, mask, output) : seen;
  }

  private TensorForm form(int operand, Layout layout) {
    return new TensorForm(operands.dtype(operand), layout);
  }

  private @Nullable Fault misfit() {
    DType query = operands.dtype(0);
    Fault fault = OperandChecks.floating(NAME, query);
    for (int i = 0; i < 3; i++) {
      String name = new String[] {"query", "key", "value"}[i];
      TensorForm tensor = operands.form(i);
      fault = fault == null ? OperandChecks.sameDType(NAME, query, name, tensor.dtype()) : fault;
      if (fault == null && tensor.rank() < 2) {
        String text = "`%s` of %s must have at least 2 dimensions, but its shape is %s";
        fault =
            OperandChecks.shape(
                Message.of(text, name, NAME, tensor.shape()),
                "[..., length, size]",
                tensor.shape());
      }
    }
    return fault == null ? settings(query) : fault;
  }

  private @Nullable Fault settings(DType query) {
    TensorForm mask = operands.optionalForm(3);
    if (mask != null && options.causal()) {
      return Fault.value("`is_causal` makes a mask of its own; leave out either it or `attn_mask`");
    }
    if (mask != null && !takes(mask.dtype(), query)) {
      String text = "`attn_mask` must be bool or, as `query` is, %s, but it is %s";
      return Fault.dtype(Message.of(text, query, mask.dtype()))
          .withExpected(ExpectedDType.of(DType.BOOL, query), mask.dtype());
    }
    double p = operands.real(4);
    if (!(p >= 0 && p <= 1)) {
      String text = "`dropout_p` must be from 0 to 1, but it is ";
      return Fault.value(text + NumberText.brief(p))
          .withExpected("a probability from 0 to 1", NumberText.brief(p));
    }
    return options.grouped() ? groups() : null;
  }

  /** Whether libtorch accepts a mask of this dtype; 1.13 accepted any real dtype. */
  private boolean takes(DType mask, DType query) {
    return mask == DType.BOOL
        || mask == DType.FLOAT32
        || mask == query
        || (!options.emptyIsZero() && mask.kind() != DType.Kind.COMPLEX);
  }

  private @Nullable Fault groups() {
    Shape query = operands.shape(0);
    for (int i = 1; i < 3; i++) {
      Shape other = operands.shape(i);
      boolean fits =
          query.rank() >= 3
              && other.rank() == query.rank()
              && heads(other) > 0
              && heads(query) % heads(other) == 0
              && heads(other) == heads(operands.shape(1));
      if (!fits) {
        return OperandChecks.shape(
            Message.of(
                "the heads of `key` and `value` must divide those of `query`, but the shapes are"
                    + " %s and %s",
                other, query),
            "heads that divide those of " + query,
            other);
      }
    }
    return null;
  }

  private static long heads(Shape shape) {
    return shape.size(shape.rank() - 3);
  }

  private Object results(Call call, Temporaries made, boolean wanted) {
    Object found = stacks();
    if (!(found instanceof Stacks stacks)) {
      return found;
    }
    Shape query = call.shape(0);
    double size = query.size(query.rank() - 1);
    double scale = Double.isNaN(options.scale()) ? 1 / Math.sqrt(size) : options.scale();
    boolean atOnce =
        wanted
            || call.real(4) > 0
            || stacks.share()
            || stacks.scores.elements() <= BlockedAttention.FEW
            || stacks.output.elements() == 0
            || size == 0;
    return atOnce ? atOnce(call, made, stacks, scale, wanted) : inBlocks(call, stacks, scale);
  }

  private Object inBlocks(Call call, Stacks stacks, double scale) {
    DType dtype = stacks.output.dtype();
    boolean adds = stacks.mask instanceof Layout && call.tensor(3).dtype() == dtype;
    BlockedAttention.@Nullable Stack addend =
        adds
            ? new BlockedAttention.Stack(call.tensor(3), split((Layout) stacks.mask, members()))
            : null;
    Object first = call.allocate(dtype, joined(stacks.output.shape()));
    Object second = first instanceof Fault ? first : call.allocate(dtype, Shape.of(0));
    if (!(first instanceof DenseTensor output)) {
      return first;
    }
    Fault fault =
        second instanceof Fault refused
            ? refused
            : new BlockedAttention(
                    call.environment().kernels(),
                    new BlockedAttention.Stack(call.tensor(0), split(0)),
                    new BlockedAttention.Stack(
                        call.tensor(1), BatchedProduct.Operand.transposed(split(1))),
                    new BlockedAttention.Stack(call.tensor(2), split(2)),
                    scale,
                    addend,
                    () -> adds ? AttentionScores.NO_MASK : hides(call, stacks),
                    options.emptyIsZero())
                .run(
                    call.environment(),
                    Stacks.batch(stacks.output),
                    new BlockedAttention.Stack(output, Layout.contiguous(stacks.output.shape())));
    if (fault == null) {
      return new Object[] {output, second};
    }
    output.close();
    if (second instanceof DenseTensor weights) {
      weights.close();
    }
    return fault;
  }

  /** The row mask for the scores; for one thread only. */
  private RowMask hides(Call call, Stacks stacks) {
    return stacks.mask instanceof Layout layout
        ? given(call.tensor(3), layout)
        : own(stacks.scores.shape());
  }

  private Object atOnce(Call call, Temporaries made, Stacks stacks, double scale, boolean wanted) {
    Object product =
        made.note(
            BatchedProduct.of(
                call, NAME, split(call, 0), split(call, 1).swapped(), new Addend(null, 1L, scale)));
    if (!(product instanceof DenseTensor scores)) {
      return product;
    }
    Fault stop =
        AttentionScores.normalize(
            call.environment(), scores, hides(call, stacks), options.emptyIsZero());
    if (stop != null) {
      return stop;
    }
    if (call.real(4) > 0) {
      AttentionScores.drop(scores, call.real(4), call.environment().random());
    }
    Object seen =
        made.note(
            BatchedProduct.of(
                call, 1, NAME, BatchedProduct.Operand.of(scores), split(call, 2), Addend.NOTHING));
    return seen instanceof DenseTensor output ? handles(call, output, scores, wanted) : seen;
  }

  /** Views of the results that outlive the intermediate tensors. */
  private Object handles(Call call, DenseTensor output, DenseTensor scores, boolean wanted) {
    Object first = output.view(call.scope(), Layout.contiguous(joined(output.shape())));
    Object second =
        wanted
            ? scores.view(call.scope(), Layout.contiguous(joined(scores.shape())))
            : call.allocate(output.dtype(), Shape.of(0));
    return Temporaries.both(first, second);
  }

  private BatchedProduct.Operand split(Call call, int operand) {
    return BatchedProduct.Operand.of(call.tensor(operand), split(operand));
  }

  /** Splits heads into [groups, members] if they are grouped; keys and values have one member. */
  private Layout split(int operand) {
    return split(operands.layout(operand), operand == 0 ? members() : 1);
  }

  /** How many heads of queries share one of keys and values. */
  private long members() {
    return options.grouped() ? heads(operands.shape(0)) / heads(operands.shape(1)) : 1;
  }

  private Layout split(Layout layout, long members) {
    if (!options.grouped()) {
      return layout;
    }
    int dim = layout.shape().rank() - 3;
    long[] sizes = Views.with(layout.shape().toArray(), dim, heads(layout.shape()) / members);
    sizes[dim + 1] = members;
    long stride = layout.stride(dim);
    long[] strides = Views.with(layout.strides(), dim, stride * members);
    return new Layout(Shape.of(sizes), strides, layout.offset());
  }

  /** The shape with groups and members merged into one dimension of heads again. */
  private Shape joined(Shape shape) {
    if (!options.grouped()) {
      return shape;
    }
    int dim = shape.rank() - 4;
    long[] sizes = Views.without(shape.toArray(), dim);
    sizes[dim] = shape.size(dim) * shape.size(dim + 1);
    return Shape.of(sizes);
  }

  /** The layout of the given mask, broadcast to scores of this shape; a fault; or None. */
  private Object mask(Shape scores) {
    TensorForm mask = operands.optionalForm(3);
    if (mask == null) {
      return None.NONE;
    }
    Object common = Broadcast.shape(scores, mask.shape());
    if (!(common instanceof Shape shape) || !shape.equals(scores)) {
      String text = "`attn_mask` %s does not broadcast to the scores %s";
      return OperandChecks.shape(
          Message.of(text, mask.shape(), scores), "a mask for " + scores, mask.shape());
    }
    return Broadcast.stretch(mask.layout(), scores);
  }

  /** The mask that needs no tensor: causal or none. */
  private RowMask own(Shape scores) {
    return options.causal()
        ? new CausalMask(scores.size(scores.rank() - 2))
        : AttentionScores.NO_MASK;
  }

  /** The mask given as a tensor, in a layout that is broadcast to row-major scores. */
  private static RowMask given(DenseTensor mask, Layout layout) {
    int last = layout.shape().rank() - 1;
    Places starts = rows(layout);
    long step = layout.stride(last);
    int keys = Shape.asInt(layout.shape().size(last));
    if (mask.dtype() == DType.BOOL) {
      return new FlagMask(mask, starts::at, step, keys, /* hidesSet= */ false);
    }
    double[] addends = new double[keys];
    Operand operand = Operand.of(mask);
    return (row, values) -> {
      operand.load(addends, starts.at(row), step, values.length);
      for (int j = 0; j < values.length; j++) {
        values[j] += addends[j];
      }
    };
  }

  /** Where the rows of a layout of two or more dimensions start. */
  private static Places rows(Layout layout) {
    int outer = layout.shape().rank() - 1;
    Shape sizes = Shape.of(Arrays.copyOf(layout.shape().toArray(), outer));
    return Places.of(new Layout(sizes, Arrays.copyOf(layout.strides(), outer), layout.offset()));
  }
}
