package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Type;
import java.util.List;
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
  /** The fault of handing this to {@code operation} as a Tensor, or null. */
  public @Nullable Fault refusedBy(CatalogEntry operation, int parameter) {
    List<Schema.Parameter> parameters = operation.schema().parameters();
    boolean asTensor = parameter < parameters.size() && tensor(parameters.get(parameter).type());
    return asTensor && !operation.effects().has(Trait.TAKES_NESTED)
        ? Fault.unsupported(
            operation.name()
                + " does not take a nested tensor; make it padded with `to_padded_tensor` before")
        : null;
  }

  private static boolean tensor(Type type) {
    return type == Type.Plain.TENSOR
        || (type instanceof Type.Optional optional && tensor(optional.element()));
  }
}
