package dev.staunch.kernel.loop;

import dev.staunch.kernel.Call;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;

/** New tensors whose dimensions lie in the same order as another's ({@code preserve_format}). */
public final class DenseStrides {
  private DenseStrides() {}

  /** Whether the elements fill a run of the storage, in whatever order. */
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

  /** A layout of the same shape, and of the same strides if they leave no gaps. */
  public static Layout like(Layout source) {
    boolean keeps = !source.isContiguous() && isDense(source);
    return keeps
        ? new Layout(source.shape(), source.strides(), 0)
        : Layout.contiguous(source.shape());
  }

  /** A new tensor whose layout is {@link #like} that of {@code source}; or a fault. */
  public static Object allocateLike(Call call, DenseTensor source, DType dtype) {
    return allocate(call, new TensorForm(dtype, like(source.layout())));
  }

  /** A new tensor of this form, which leaves no gaps; or a fault. */
  public static Object allocate(Call call, TensorForm form) {
    Object made = call.allocate(form.dtype(), form.shape());
    Layout layout = form.strided();
    return layout == null ? made : restrided(call, made, layout.strides());
  }

  private static Object restrided(Call call, Object made, long[] strides) {
    if (!(made instanceof DenseTensor fresh)) {
      return made;
    }
    Object view = fresh.view(call.scope(), new Layout(fresh.shape(), strides, 0));
    fresh.close();
    return view;
  }
}
