package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;

/** Attention and the normalisation that newer transformers use. */
final class AttentionOperations {
  private AttentionOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Steps.add(
        catalog,
        "aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor?"
            + " attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None,"
            + " bool enable_gqa=False) -> Tensor",
        AttentionOperations::attention);
    Steps.add(
        catalog,
        "aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float?"
            + " eps=None) -> Tensor",
        AttentionOperations::rootMeanSquare);
  }

  private static Object attention(Steps steps, Call call) {
    DenseTensor query = call.tensor(0);
    DenseTensor key = call.tensor(1);
    for (int i = 0; i < 3; i++) {
      Fault fault = Steps.ranked("scaled_dot_product_attention", call.tensor(i), 2);
      if (fault != null) {
        return fault;
      }
    }
    if (call.bool(5) && !call.isNone(3)) {
      return Fault.value(
          "scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
    }
    double width = query.shape().size(query.rank() - 1);
    double scale = call.isNone(6) ? 1 / Math.sqrt(width) : call.real(6);
    Object keys = grouped(steps, call, query, key);
    Object values = grouped(steps, call, query, call.tensor(2));
    Object turned = steps.run("transpose.int", keys, -2L, -1L);
    Object scores = steps.scaled(steps.run("matmul", query, turned), scale);
    Object weights = steps.run("softmax.int", masked(steps, call, scores), -1L);
    if (call.real(4) > 0) {
      weights = steps.run("dropout", weights, call.real(4), true);
    }
    return steps.run("matmul", weights, values);
  }

  /** Each head of keys or values as often as query heads share it. */
  private static Object grouped(Steps steps, Call call, DenseTensor query, DenseTensor given) {
    if (!call.bool(7) || query.rank() < 3 || given.rank() < 3) {
      return given;
    }
    long heads = query.shape().size(query.rank() - 3);
    long own = given.shape().size(given.rank() - 3);
    if (own == 0 || heads % own != 0) {
      String text = "the %d heads of the query are no multiple of the %d heads of key and value";
      return Fault.shape(text.formatted(heads, own));
    }
    return heads == own ? given : steps.run("repeat_interleave.self_int", given, heads / own, -3L);
  }

  private static Object masked(Steps steps, Call call, Object scores) {
    double never = Double.NEGATIVE_INFINITY;
    if (call.bool(5) && scores instanceof DenseTensor known) {
      long rows = known.shape().size(known.rank() - 2);
      long columns = known.shape().size(known.rank() - 1);
      Object ones = steps.run("ones", Steps.ints(rows, columns), (long) DType.BOOL.code());
      Object hidden = steps.run("logical_not", steps.run("tril", ones));
      return steps.run("masked_fill.Scalar", scores, hidden, never);
    }
    DenseTensor mask = call.optionalTensor(3);
    if (mask == null) {
      return scores;
    }
    return mask.dtype() == DType.BOOL
        ? steps.run("masked_fill.Scalar", scores, steps.run("logical_not", mask), never)
        : steps.sum(scores, mask);
  }

  private static Object rootMeanSquare(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    long[] shape = call.integers(1);
    DenseTensor weight = call.optionalTensor(2);
    int lead = self.rank() - shape.length;
    boolean fits = shape.length > 0 && lead >= 0;
    for (int d = 0; fits && d < shape.length; d++) {
      fits = self.shape().size(lead + d) == shape[d];
    }
    if (!fits) {
      String text = "Given normalized_shape=%s, expected input with shape [*, that], but got %s";
      return Fault.shape(text.formatted(java.util.Arrays.toString(shape), self.shape()));
    }
    long[] dims = new long[shape.length];
    java.util.Arrays.setAll(dims, d -> lead + d);
    double eps =
        call.isNone(3) ? (self.dtype() == DType.FLOAT64 ? 0x1p-52 : 0x1p-23) : call.real(3);
    Object square = steps.run("mean.dim", steps.run("square", self), Steps.ints(dims), true);
    Object root = steps.run("rsqrt", steps.run("add.Scalar", square, eps));
    Object result = steps.product(self, root);
    return weight == null ? result : steps.product(result, weight);
  }
}
