package dev.staunch.kernel.standard;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.plain.PlainKernels;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.KernelSetProvider;
import java.util.ServiceLoader;

/** The operations that come with Staunch. */
public final class StandardOperations {
  private static final Catalog CATALOG = made();

  private StandardOperations() {}

  /**
   * The catalog of all operations: one for the whole process, whose entries are made when they are
   * first asked for.
   */
  public static Catalog catalog() {
    return CATALOG;
  }

  /**
   * The primitives in plain Java. A catalog {@linkplain Catalog#with with} this set gives the same
   * results on every machine.
   */
  public static KernelSet plainKernels() {
    return PlainKernels.set();
  }

  /** The plain set, or the sets that providers layer over it. */
  private static KernelSet kernels() {
    KernelSet kernels = plainKernels();
    for (KernelSetProvider provider : ServiceLoader.load(KernelSetProvider.class)) {
      kernels = provider.over(kernels);
    }
    return kernels;
  }

  private static Catalog made() {
    Catalog.Builder catalog = new Catalog.Builder().kernels(kernels());
    OperationIndex.addTo(catalog);
    return catalog.build();
  }
}
