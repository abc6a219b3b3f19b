package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.operation.None;
import org.jspecify.annotations.Nullable;

/**
 * What computes an operation. The number of results in the schema fixes the variant, and {@link
 * Catalog} refuses one that does not fit: an operation declared {@code -> ()} has no way to produce
 * a value.
 *
 * <p>A kernel receives arguments that match the schema, none of them faulted or closed, and
 * computes its results from them alone. It returns errors in the data as a {@link Fault} and never
 * throws them. Kernels hold no state and may run on any number of threads at once. {@link
 * Call#scope()} owns the tensors that a kernel makes.
 *
 * <p>If a kernel fails, nothing that it made remains. It fails if it returns a fault for all its
 * results, throws, returns something that its schema forbids, or if all stand-ins of {@link
 * Environment#defer} that it returned become faults. A kernel that {@linkplain
 * CatalogEntry#closesOnFailure promises} to clean up does so itself. Any other kernel gets a scope
 * of its own, which is closed when the last of its results is there. What its good results contain
 * moves to the caller's scope, together with whatever the kernel put into lists and objects that it
 * received. If the kernel needs something for longer, it makes it in another scope or hands it over
 * to one; whatever its continuing work makes later is closed at once. The kernel itself closes any
 * scope that it opened, and releases any bytes that it has not wrapped in a tensor.
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
