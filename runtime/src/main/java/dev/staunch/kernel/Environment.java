package dev.staunch.kernel;

import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.memory.ResourceScope;
import java.util.function.Supplier;

/**
 * What a running program offers its kernels: a scope for results, gradient mode, random numbers,
 * cancellation and an output for what scripts print. One per request; used by one thread at a time,
 * but for {@link #scope} and {@link #cancelled}, which pieces of {@link #parallel} use, too.
 */
public interface Environment extends ExecutionContext {
  /**
   * Owns every tensor that kernels make; to a kernel that does not {@linkplain
   * CatalogEntry#closesOnFailure close what it made} a scope of its own, which its results leave.
   */
  @Override
  ResourceScope scope();

  /** The operations of the program, of which some kernels are made. */
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

  /** The next stream of random numbers; taken by a kernel once nothing can fail any more. */
  RandomStream random();

  /** Cancels everything of this request that has not started. */
  void cancel(String reason);

  /**
   * Runs {@code work} later, on another thread; returns a stand-in that a kernel may hand on as a
   * result, until the value, or fault, that {@code work} returns takes its place. The work may
   * refer to the {@link Call}.
   */
  Object later(Supplier<Object> work);

  /**
   * What an operation gives that the running one is made of. Who watches the program may see it
   * here.
   */
  default Object part(CatalogEntry operation, Call call) {
    return operation.run(call);
  }

  /** Takes one line that the script printed or warned; without line end. */
  void print(String line);
}
