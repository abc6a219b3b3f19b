package dev.staunch.eager;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.Layout;
import java.util.BitSet;

/** Which elements of their storage tensors reach. */
final class Layouts {
  private Layouts() {}

  /** How many elements of its storage {@code tensor} reaches. */
  static int reaches(DenseTensor tensor) {
    return reached(tensor.layout()).cardinality();
  }

  static BitSet reached(Layout layout) {
    BitSet reached = new BitSet();
    for (long position : Elements.positions(layout)) {
      reached.set(Math.toIntExact(position));
    }
    return reached;
  }

  /** Whether two elements of {@code tensor} share a position in memory. */
  static boolean overlapsItself(DenseTensor tensor) {
    return reaches(tensor) < tensor.elements();
  }
}
