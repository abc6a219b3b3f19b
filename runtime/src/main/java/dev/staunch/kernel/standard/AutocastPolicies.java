package dev.staunch.kernel.standard;

import dev.staunch.kernel.CatalogEntry;
import dev.staunch.operation.Trait;
import java.util.HashMap;
import java.util.Map;

/**
 * What {@code torch.autocast} does to an operation's tensors, for all overloads of its name that
 * write none.
 *
 * <p>Source: torch/csrc/jit/passes/autocast.cpp. What is promoted there "to the widest type" is
 * cast to float32 whatever its tensors are: scripts do not say their dtypes.
 *
 * <p>Softmax is widened there on other devices alone.
 */
final class AutocastPolicies {
  private static final Map<Trait, String> NAMES =
      Map.of(
          Trait.AUTOCAST_REDUCES,
          "_convolution convolution conv1d conv2d conv3d conv_tbc conv_transpose1d prelu addmm addmv"
              + " addr matmul mm mv linear addbmm baddbmm bmm chain_matmul lstm_cell gru_cell"
              + " rnn_tanh_cell rnn_relu_cell",
          Trait.AUTOCAST_WIDENS,
          "native_layer_norm acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt"
              + " sinh tan pow softplus gelu layer_norm group_norm frobenius_norm nuclear_norm"
              + " cosine_similarity cosine_embedding_loss nll_loss nll_loss2d hinge_embedding_loss"
              + " kl_div l1_loss smooth_l1_loss mse_loss margin_ranking_loss"
              + " multilabel_margin_loss soft_margin_loss triplet_margin_loss multi_margin_loss"
              + " binary_cross_entropy_with_logits dist pdist cdist renorm logsumexp"
              + " prod log_softmax cumprod cumsum sum"
              + " addcdiv addcmul atan2 bilinear cross dot equal index_put tensordot"
              + " add sub mul div",
          Trait.AUTOCAST_REFUSES,
          "binary_cross_entropy");

  private static final Map<String, Trait> TRAITS = new HashMap<>();

  static {
    NAMES.forEach((trait, names) -> {
      for (String name : names.split(" ", -1)) {
        TRAITS.put("aten::" + name, trait);
      }
    });
  }

  private AutocastPolicies() {}

  /** The same operation with its trait, if it has one. */
  static CatalogEntry marked(CatalogEntry operation) {
    String name = operation.name();
    Trait trait = TRAITS.get(name.substring(0, (name + ".").indexOf('.')));
    return trait == null ? operation : operation.also(trait);
  }
}
