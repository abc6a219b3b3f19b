package dev.staunch.kernel;

import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import java.util.List;

/**
 * A batch of sequences of different lengths, which scripts know as a Tensor that {@code is_nested}:
 * what the transformer modules make of a padding mask.
 *
 * @param padded [batch, longest, features]; zeros, or what nobody reads, behind each end
 * @param lengths how many steps of each sequence count
 */
public record NestedTensor(DenseTensor padded, int[] lengths) implements CompoundTensor {
  @Override
  public List<DenseTensor> parts() {
    return List.of(padded);
  }

  @Override
  public Trait knownBy() {
    return Trait.TAKES_NESTED;
  }

  @Override
  public String remedy() {
    return "a nested tensor; make it padded with `to_padded_tensor` before";
  }
}
