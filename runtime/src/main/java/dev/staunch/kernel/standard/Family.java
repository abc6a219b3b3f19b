package dev.staunch.kernel.standard;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.algebra.AlgebraOperations;
import dev.staunch.kernel.attention.AttentionOperations;
import dev.staunch.kernel.composed.ComposedOperations;
import dev.staunch.kernel.container.ContainerOperations;
import dev.staunch.kernel.create.CreationOperations;
import dev.staunch.kernel.index.IndexOperations;
import dev.staunch.kernel.linear.LinearOperations;
import dev.staunch.kernel.neural.NeuralOperations;
import dev.staunch.kernel.pointwise.PointwiseOperations;
import dev.staunch.kernel.quantized.QuantizedOperations;
import dev.staunch.kernel.random.RandomOperations;
import dev.staunch.kernel.recurrent.RecurrentOperations;
import dev.staunch.kernel.reduce.ReductionOperations;
import dev.staunch.kernel.scalar.ScalarOperations;
import dev.staunch.kernel.sparse.SparseOperations;
import dev.staunch.kernel.special.SpecialOperations;
import dev.staunch.kernel.spectral.ComplexForms;
import dev.staunch.kernel.spectral.SpectralOperations;
import dev.staunch.kernel.text.TextOperations;
import dev.staunch.kernel.view.ViewOperations;
import dev.staunch.kernel.vision.VisionOperations;
import dev.staunch.kernel.volume.VolumeOperations;
import dev.staunch.operation.Trait;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The families of operations. A definition in a later family replaces an earlier one of the same
 * name.
 */
enum Family {
  SCALAR,
  TEXT,
  CONTAINER,
  POINTWISE,
  CREATE,
  REDUCE,
  VIEW,
  INDEX,
  RANDOM,
  LINEAR,
  NEURAL,
  ATTENTION,
  RECURRENT,
  VOLUME,
  SPECTRAL,
  ALGEBRA,
  VISION,
  SPECIAL,
  COMPOSED,
  SPARSE,
  QUANTIZED,
  RENAMED;

  /** The groups of operations in this family. */
  List<Catalog.Group> groups() {
    return switch (this) {
      case SCALAR -> ScalarOperations.groups();
      case TEXT -> TextOperations.groups();
      case CONTAINER -> ContainerOperations.groups();
      case POINTWISE -> PointwiseOperations.groups();
      case CREATE -> CreationOperations.groups();
      case REDUCE -> ReductionOperations.groups();
      case VIEW -> ViewOperations.groups();
      case INDEX -> IndexOperations.groups();
      case RANDOM -> RandomOperations.groups();
      case LINEAR -> LinearOperations.groups();
      case NEURAL -> NeuralOperations.groups();
      case ATTENTION -> AttentionOperations.groups();
      case RECURRENT -> RecurrentOperations.groups();
      case VOLUME -> VolumeOperations.groups();
      case SPECTRAL -> SpectralOperations.groups();
      case ALGEBRA -> AlgebraOperations.groups();
      case VISION -> VisionOperations.groups();
      case SPECIAL -> SpecialOperations.groups();
      case COMPOSED -> ComposedOperations.groups();
      case SPARSE -> SparseOperations.groups();
      case QUANTIZED -> QuantizedOperations.groups();
      case RENAMED -> RenamedOperations.groups();
    };
  }

  /** The operation, completed with what other families add to it. */
  static CatalogEntry completed(CatalogEntry known) {
    CatalogEntry.Form sparse = SparseOperations.form(known);
    CatalogEntry.Form quantized = QuantizedOperations.form(known);
    List<CatalogEntry.Form> forms = new ArrayList<>();
    for (CatalogEntry.Form form :
        Arrays.asList(sparse, quantized, ComplexForms.of(known), NarrowForms.of(known))) {
      if (form != null) {
        forms.add(form);
      }
    }
    CatalogEntry whole = forms.isEmpty() ? known : known.with(forms);
    whole = quantized == null ? whole : whole.withTrait(Trait.TAKES_QUANTIZED);
    return sparse == null ? whole : whole.withTrait(Trait.TAKES_SPARSE);
  }
}
