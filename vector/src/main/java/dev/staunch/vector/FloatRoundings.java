package dev.staunch.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Vectors rounded to whole numbers, with the bits of {@link Math}: a zero keeps the sign of its
 * element. The Vector API has no such operations.
 */
final class FloatRoundings {
  /**
   * From here on, all floats are whole; the sum with a smaller number is rounded to a whole one.
   */
  private static final float WHOLE = 1 << 23;

  private FloatRoundings() {}

  /** The nearest whole numbers, of two the even one. */
  static FloatVector round(FloatVector a) {
    FloatVector size = a.abs();
    return withSign(size.add(WHOLE).sub(WHOLE), size, a);
  }

  /** The nearest whole numbers within bounds up to 2^22, which are whole; no zero is negative. */
  static FloatVector within(FloatVector a, float low, float high) {
    return a.max(low).min(high).add(1.5f * WHOLE).sub(1.5f * WHOLE);
  }

  /** Towards zero. */
  static FloatVector trunc(FloatVector a) {
    FloatVector size = a.abs();
    FloatVector near = size.add(WHOLE).sub(WHOLE);
    return withSign(near.sub(1f, near.compare(VectorOperators.GT, size)), size, a);
  }

  /** Downwards. */
  static FloatVector floor(FloatVector a) {
    FloatVector near = round(a);
    return near.sub(1f, near.compare(VectorOperators.GT, a));
  }

  /** Upwards. */
  static FloatVector ceil(FloatVector a) {
    return floor(a.neg()).neg();
  }

  /** {@code rounded}, where the {@code size} of an element shows that it need not be whole. */
  private static FloatVector withSign(FloatVector rounded, FloatVector size, FloatVector a) {
    VectorMask<Float> small = size.compare(VectorOperators.LT, WHOLE);
    return a.blend(FloatFunctions.withSignOf(rounded, a), small);
  }
}
