package dev.staunch.vector;

import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.KernelSetProvider;

/** Puts the kernels on the Vector API in front of others, if the JVM was started with that API. */
public final class VectorKernelsProvider implements KernelSetProvider {
  private static final String NEEDED = "jdk.incubator.vector";

  /** For {@link java.util.ServiceLoader}. */
  public VectorKernelsProvider() {}

  @Override
  public KernelSet over(KernelSet others) {
    if (ModuleLayer.boot().findModule(NEEDED).isPresent()) {
      KernelSet kernels = new VectorKernels(others);
      WarmUp.begin(kernels);
      return kernels;
    }
    System.getLogger(VectorKernelsProvider.class.getName())
        .log(
            System.Logger.Level.INFO,
            "the plain kernels are used; start java with --add-modules "
                + NEEDED
                + " for fast ones");
    return others;
  }
}
