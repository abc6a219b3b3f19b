package dev.staunch.kernel.loop;

import dev.staunch.kernel.Call;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.List;

/**
 * New tensors whose dimensions have the same memory order as another's ({@code preserve_format}).
 */
public final class DenseStrides {
  private DenseStrides() {}

  /** Whether the elements fill a contiguous range of the storage, in any order. */
  static boolean isDense(Layout layout) {
    int rank = layout.shape().rank();
    boolean[] used = new boolean[rank];
    long step = 1;
    for (int placed = 0; placed < rank; placed++) {
      int next = -1;
      for (int d = 0; d < rank; d++) {
        boolean fits = layout.shape().size(d) == 1 || layout.stride(d) == step;
        next = !used[d] && fits ? d : next;
      }
      if (next < 0) {
        return false;
      }
      used[next] = true;
      step *= layout.shape().size(next);
    }
    return true;
  }

  /** A layout of the same shape without gaps; it keeps the strides if they leave no gaps. */
  public static Layout like(Layout source) {
    Layout kept = source.isContiguous() ? null : ResultStrides.of(source.shape(), List.of(source));
    return kept == null ? Layout.contiguous(source.shape()) : kept;
  }

  /** The form of the combination of {@code operands}, stretched to {@code shape}. */
  public static TensorForm combined(DType dtype, Shape shape, Object... operands) {
    Layout kept = ResultStrides.of(shape, operands);
    return kept == null ? TensorForm.contiguous(dtype, shape) : new TensorForm(dtype, kept);
  }

  /** A new tensor with the layout that {@link #like} gives for {@code source}; or a fault. */
  public static Object allocateLike(Call call, DenseTensor source, DType dtype) {
    return allocate(call, new TensorForm(dtype, like(source.layout())));
  }

  /** A new tensor of this form, which has no gaps; or a fault. */
  public static Object allocate(Call call, TensorForm form) {
    Layout layout = form.strided();
    return layout == null
        ? call.allocate(form.dtype(), form.shape())
        : call.allocate(form.dtype(), layout);
  }
}
