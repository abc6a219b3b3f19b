package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/** A copy from one layout to another, with a cast if the dtypes differ. */
public interface Copy {

  /**
   * What to copy; at least one element. The layouts have the same shape; their offsets count from
   * the first element of the storage.
   *
   * @param from complex only if {@code to} is the same dtype
   * @param source may have strides of 0
   * @param target maps no two elements to the same position
   */
  record Request(DType from, Layout source, DType to, Layout target) {}

  /**
   * Copies all elements. The two segments share no memory.
   *
   * @return the fault of a cancellation; only some elements are then copied
   */
  @Nullable Fault run(ExecutionContext context, DenseTensor source, DenseTensor target);
}
