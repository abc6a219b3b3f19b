package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import java.util.Objects;

/** Calls kernels without a door. */
final class Kernels {
  private Kernels() {}

  /** A value, an array of several or of none, or a fault. */
  static Object run(CatalogEntry operation, Call call) {
    return switch (Objects.requireNonNull(operation.kernel())) {
      case Kernel.One one -> one.run(call);
      case Kernel.Many many -> many.run(call);
      case Kernel.NoResult none -> {
        Fault fault = none.run(call);
        yield fault == null ? new Object[0] : fault;
      }
    };
  }
}
