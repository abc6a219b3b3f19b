package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.operation.None;
import org.jspecify.annotations.Nullable;

/**
 * What computes an operation. The variant is fixed by the number of results in the schema, and
 * {@link Catalog} refuses one that does not fit: an operation declared {@code -> ()} has no way to
 * produce a value.
 *
 * <p>A kernel gets arguments that match the schema, none of them faulted or closed, and computes
 * its results from them alone. What goes wrong with the data is returned as a {@link Fault}, never
 * thrown. Kernels hold no state and may run on any number of threads at once. Tensors it makes
 * belong to {@link Call#scope()}.
 *
 * <p>If it fails, none of what it made is left: it returned a fault for all its results, threw
 * something, or returned what its schema forbids; or the stand-ins of {@link Environment#later}
 * that it returned all became faults. A kernel that {@linkplain CatalogEntry#closesOnFailure
 * promises it} sees to that itself. Any other has a scope of its own, which is closed when the last
 * of its results is there; what is in those that are good goes to the scope of the caller, and with
 * them what it has put into lists and objects that it was given. What it needs for longer it makes
 * in, or hands over to, another scope; what work that goes on makes later is closed at once. A
 * scope that it opened, and bytes that it has not wrapped in a tensor, it closes and releases
 * itself.
 *
 * <p>Values at run time: a Tensor is a {@code DenseTensor}; int is {@code Long}; float is {@code
 * Double}; bool is {@code Boolean}; str and Device are {@code String}; complex is {@link
 * ComplexNumber}; None is {@link None#NONE}; a list is a {@code java.util.List} (mutable, shared by
 * reference as in Python); a tuple is {@link TupleValue}; a dict is a {@code
 * java.util.LinkedHashMap}.
 */
public sealed interface Kernel {

  /** For one result: returns it, or a {@link Fault}. */
  @FunctionalInterface
  non-sealed interface One extends Kernel {
    Object run(Call call);
  }

  /** For no result: returns null, or a {@link Fault}. */
  @FunctionalInterface
  non-sealed interface NoResult extends Kernel {
    @Nullable Fault run(Call call);
  }

  /**
   * For two or more results: returns an {@code Object[]} with a value or a {@link Fault} for each,
   * or a single {@link Fault} for all.
   */
  @FunctionalInterface
  non-sealed interface Many extends Kernel {
    Object run(Call call);
  }
}
