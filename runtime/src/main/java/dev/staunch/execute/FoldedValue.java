package dev.staunch.execute;

import dev.staunch.kernel.primitive.Constant;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a step gives in every request, since it is computed of the module's tensors alone. It is
 * kept from the first request that computes it, and belongs to the model.
 */
final class FoldedValue {
  private final ModelConstants constants;

  /** Tensors of the module that it is computed of. */
  private final List<DenseTensor> tensors;

  /** Others that it is computed of. */
  private final List<FoldedValue> others;

  private volatile @Nullable Constant result;

  FoldedValue(ModelConstants constants, List<DenseTensor> tensors, List<FoldedValue> others) {
    this.constants = constants;
    this.tensors = tensors;
    this.others = others;
  }

  /** The tensor; null if it has to be computed. */
  @Nullable DenseTensor get() {
    Constant known = result;
    return known != null && known.isCurrent() ? known.tensor() : null;
  }

  /**
   * Keeps {@code made}, unless there is no memory for it, one was kept before or some of what it
   * was computed of has been written.
   */
  synchronized void keep(DenseTensor made) {
    if (result != null) {
      return;
    }
    List<DenseTensor> sources = new ArrayList<>(tensors);
    for (FoldedValue other : others) {
      DenseTensor known = other.get();
      if (known == null) {
        return;
      }
      sources.add(known);
    }
    result = constants.derive(List.of(made), sources);
  }
}
