package dev.staunch.kernel;

/** Calls kernels without a door. */
final class Kernels {
  private Kernels() {}

  /** A value, an array of several or of none, or a fault. */
  static Object run(CatalogEntry operation, Call call) {
    return operation.run(call);
  }
}
