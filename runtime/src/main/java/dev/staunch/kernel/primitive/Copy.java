package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/** A copy from one layout to another, with a cast if the dtypes differ. */
public interface Copy {

  /**
   * What is to be copied: at least one element. Layouts have one shape; their offsets count from
   * the first element of the storage.
   *
   * @param from is complex only if {@code to} is the same
   * @param source may have strides of 0
   * @param target no two places are the same
   */
  record Request(DType from, Layout source, DType to, Layout target) {}

  /**
   * Copies all elements; the two share no memory.
   *
   * @return the fault of a cancellation; some elements are copied then
   */
  @Nullable Fault run(ExecutionContext context, DenseTensor source, DenseTensor target);
}
