package dev.staunch.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** Complex numbers in vectors: pairs of a real and an imaginary part. */
final class FloatPairs {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final VectorShuffle<Float> REAL = VectorShuffle.fromOp(SPECIES, i -> i & ~1);
  private static final VectorShuffle<Float> IMAGINARY = VectorShuffle.fromOp(SPECIES, i -> i | 1);
  private static final VectorShuffle<Float> TURNED = VectorShuffle.fromOp(SPECIES, i -> i ^ 1);
  private static final FloatVector SIGNS = signs();

  private FloatPairs() {}

  private static FloatVector signs() {
    float[] signs = new float[SPECIES.length()];
    for (int i = 0; i < signs.length; i++) {
      signs[i] = i % 2 == 0 ? -1 : 1;
    }
    return FloatVector.fromArray(SPECIES, signs, 0);
  }

  /** The products of pairs; each part is rounded after each of its multiplications and its sum. */
  static FloatVector product(FloatVector a, FloatVector b) {
    FloatVector turned = a.rearrange(TURNED).mul(b.rearrange(IMAGINARY)).mul(SIGNS);
    return a.mul(b.rearrange(REAL)).add(turned);
  }
}
