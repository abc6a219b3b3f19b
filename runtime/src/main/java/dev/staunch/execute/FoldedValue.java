package dev.staunch.execute;

import dev.staunch.kernel.primitive.Constant;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a step that is the same in every request, because it is computed from the module's
 * tensors alone. Kept from the first request that computes it, and owned by the model.
 */
final class FoldedValue {
  private final ModelConstants constants;

  /** The module's tensors that it is computed from. */
  private final List<DenseTensor> tensors;

  /** Other folded values that it is computed from. */
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
   * Keeps {@code made}, unless there is no memory for it, a value was already kept, or any of the
   * sources has been written.
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
