package dev.staunch.kernel;

import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import java.util.List;

/**
 * A batch of sequences of different lengths, which scripts see as a Tensor with {@code is_nested}.
 * The transformer modules make it from a padding mask.
 *
 * @param padded [batch, longest, features]; beyond the end of a sequence it holds zeros, or values
 *     that nothing reads
 * @param lengths the number of steps of each sequence
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
