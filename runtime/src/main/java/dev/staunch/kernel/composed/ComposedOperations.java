package dev.staunch.kernel.composed;

import dev.staunch.kernel.Catalog;
import java.util.List;

/** All operations that are best expressed by other operations. */
public final class ComposedOperations {
  private ComposedOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        StridedViews::addTo,
        ArrangedTensors::addTo,
        NormedTensors::addTo,
        LabelLosses::addTo,
        AlignmentLoss::addTo,
        FractionalPooling::addTo,
        Gradients::addTo,
        MatrixPrograms::addTo,
        NumberPairs::addTo,
        PickedTensors::addTo,
        ShortPrograms::addTo);
  }
}
