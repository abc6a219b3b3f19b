package dev.staunch.kernel.standard;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.algebra.AlgebraOperations;
import dev.staunch.kernel.attention.AttentionOperations;
import dev.staunch.kernel.composed.ComposedOperations;
import dev.staunch.kernel.container.ContainerOperations;
import dev.staunch.kernel.create.CreationOperations;
import dev.staunch.kernel.index.IndexOperations;
import dev.staunch.kernel.linear.LinearOperations;
import dev.staunch.kernel.neural.NeuralOperations;
import dev.staunch.kernel.plain.PlainKernels;
import dev.staunch.kernel.pointwise.PointwiseOperations;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.KernelSetProvider;
import dev.staunch.kernel.random.RandomOperations;
import dev.staunch.kernel.recurrent.RecurrentOperations;
import dev.staunch.kernel.reduce.ReductionOperations;
import dev.staunch.kernel.scalar.ScalarOperations;
import dev.staunch.kernel.special.SpecialOperations;
import dev.staunch.kernel.spectral.SpectralOperations;
import dev.staunch.kernel.text.TextOperations;
import dev.staunch.kernel.view.ViewOperations;
import dev.staunch.kernel.vision.VisionOperations;
import dev.staunch.kernel.volume.VolumeOperations;
import java.util.ServiceLoader;

/** The operations that come with Staunch. */
public final class StandardOperations {
  private static final Catalog CATALOG = made();

  private StandardOperations() {}

  /** All of them: one catalog for the whole process, made when first asked for. */
  public static Catalog catalog() {
    return CATALOG;
  }

  /**
   * The primitives in plain Java, for a catalog {@linkplain Catalog#with with} which results are
   * the same on every machine.
   */
  public static KernelSet plainKernels() {
    return PlainKernels.set();
  }

  /** The plain set, or what providers put over it. */
  private static KernelSet kernels() {
    KernelSet kernels = plainKernels();
    for (KernelSetProvider provider : ServiceLoader.load(KernelSetProvider.class)) {
      kernels = provider.over(kernels);
    }
    return kernels;
  }

  private static Catalog made() {
    Catalog.Builder catalog = new Catalog.Builder().tidy().deferred().kernels(kernels());
    ScalarOperations.addTo(catalog);
    TextOperations.addTo(catalog);
    ContainerOperations.addTo(catalog);
    PointwiseOperations.addTo(catalog);
    CreationOperations.addTo(catalog);
    ReductionOperations.addTo(catalog);
    ViewOperations.addTo(catalog);
    IndexOperations.addTo(catalog);
    RandomOperations.addTo(catalog);
    LinearOperations.addTo(catalog);
    NeuralOperations.addTo(catalog);
    AttentionOperations.addTo(catalog); // replaces a few of those above, for nested tensors
    RecurrentOperations.addTo(catalog);
    VolumeOperations.addTo(catalog);
    SpectralOperations.addTo(catalog);
    AlgebraOperations.addTo(catalog);
    VisionOperations.addTo(catalog);
    SpecialOperations.addTo(catalog);
    ComposedOperations.addTo(catalog);
    RenamedOperations.addTo(catalog);
    ComplexForms.addTo(catalog);
    NarrowForms.addTo(catalog);
    AutocastPolicies.addTo(catalog);
    InPlaceForms.addTo(catalog);
    OutForms.addTo(catalog);
    return catalog.build();
  }
}
