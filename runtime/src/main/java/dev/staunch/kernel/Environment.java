package dev.staunch.kernel;

import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.memory.ResourceScope;
import java.util.function.Supplier;

/**
 * What a running program offers its kernels: a scope for results, the gradient mode, random
 * numbers, cancellation, and an output for what scripts print. Each request has one. One thread
 * uses it at a time, except that pieces of {@link #parallel} also use {@link #scope} and {@link
 * #cancelled}.
 */
public interface Environment extends ExecutionContext {
  /**
   * Owns every tensor that kernels make. A kernel that does not {@linkplain
   * CatalogEntry#closesOnFailure close what it made} gets a scope of its own, and its results move
   * out of that scope.
   */
  @Override
  ResourceScope scope();

  /** The operations of the program, which kernels made of other operations look up. */
  Catalog catalog();

  /** The primitives that the program computes with. */
  default KernelSet kernels() {
    return catalog().kernels();
  }

  @Override
  default Copy copy(Copy.Request request) {
    return kernels().copy(request);
  }

  boolean gradEnabled();

  /** Set by {@code set_grad_enabled}; the runner restores it at the end of the request. */
  void setGradEnabled(boolean enabled);

  /** Supplies the random numbers of operations that are given no generator of their own. */
  Generator generator();

  /** The next stream of random numbers. A kernel takes it only once nothing can fail any more. */
  default RandomStream random() {
    return generator().next();
  }

  /** Cancels all work of this request that has not started. */
  void cancel(String reason);

  /**
   * Runs {@code work} later, on another thread. Returns a stand-in that a kernel may return as a
   * result; the value or fault that {@code work} returns replaces it. The work may refer to the
   * {@link Call}.
   */
  Object defer(Supplier<Object> work);

  /**
   * Calls an operation that the running operation is made of, and returns its outcome. Code that
   * observes the program can intercept the call here.
   */
  default Object runNested(CatalogEntry operation, Call call) {
    return operation.run(call);
  }

  /** Takes one line that the script printed or issued as a warning, without a line end. */
  void print(String line);
}
