package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Type;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A batch of sequences of different lengths, which scripts know as a Tensor that {@code is_nested}:
 * what the transformer modules make of a padding mask. It lives between a few operations of theirs;
 * every other one refuses it, and it does not leave a program.
 *
 * @param padded [batch, longest, features]; zeros, or what nobody reads, behind each end
 * @param lengths how many steps of each sequence count
 */
public record NestedTensor(DenseTensor padded, int[] lengths) {
  private static final Set<String> TAKERS =
      Set.of(
          "aten::_transformer_encoder_layer_fwd",
          "aten::to_padded_tensor",
          "aten::nested_to_padded_tensor",
          "aten::dim",
          "prim::is_nested",
          "prim::requires_grad",
          "prim::dtype",
          "prim::device",
          "prim::is_cuda",
          "prim::is_cpu");

  /** The fault of handing this to an operation of {@code schema} as a Tensor, or null. */
  public @Nullable Fault refusedBy(Schema schema, int parameter) {
    boolean asTensor =
        parameter < schema.parameters().size() && tensor(schema.parameters().get(parameter).type());
    return asTensor && !TAKERS.contains(schema.qualifiedName())
        ? Fault.unsupported(
            schema.qualifiedName()
                + " does not take a nested tensor; make it padded with `to_padded_tensor` before")
        : null;
  }

  private static boolean tensor(Type type) {
    return type == Type.Plain.TENSOR
        || (type instanceof Type.Optional optional && tensor(optional.element()));
  }
}
