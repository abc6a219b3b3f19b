package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.primitive.RowFormula;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Map;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Remainders of divisions, bit for bit equal to those of the plain loops. A quotient with few
 * digits is rounded to a nearby integer. The remainder for that integer is exact in float32, and so
 * is the sum that corrects it. Vectors with other quotients or with values that are not finite are
 * computed element by element.
 *
 * @param floored whether the remainder has the sign of the divisor, as in {@code remainder}, rather
 *     than that of the dividend, as in {@code fmod}
 */
record FloatRemainders(boolean floored) implements RowFormula {
  static final Map<String, RowFormula> ALL =
      Map.of("fmod", new FloatRemainders(false), "remainder", new FloatRemainders(true));

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** A sum with this has no digits after the point. */
  private static final float ROUNDING = 3 << 22;

  /** The largest quotients for which that holds. */
  private static final float FEW = 1 << 22;

  @Override
  public void run(
      MemorySegment x,
      long fromX,
      MemorySegment y,
      long fromY,
      MemorySegment out,
      long to,
      int count) {
    NativeSegments.require(x, out);
    NativeSegments.require(y);
    int whole = SPECIES.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector a = FloatVector.fromMemorySegment(SPECIES, x, (fromX + i) * Float.BYTES, ORDER);
      FloatVector b = FloatVector.fromMemorySegment(SPECIES, y, (fromY + i) * Float.BYTES, ORDER);
      FloatVector quotient = a.abs().div(b.abs());
      if (arePlain(quotient, b)) {
        rest(a, b, quotient).intoMemorySegment(out, (to + i) * Float.BYTES, ORDER);
      } else {
        for (int k = i; k < i + LANES; k++) {
          float divisor = y.getAtIndex(JAVA_FLOAT, fromY + k);
          out.setAtIndex(JAVA_FLOAT, to + k, rest(x.getAtIndex(JAVA_FLOAT, fromX + k), divisor));
        }
      }
    }
    for (int k = whole; k < count; k++) {
      float divisor = y.getAtIndex(JAVA_FLOAT, fromY + k);
      out.setAtIndex(JAVA_FLOAT, to + k, rest(x.getAtIndex(JAVA_FLOAT, fromX + k), divisor));
    }
  }

  @Override
  public void run(
      MemorySegment x, long fromX, double number, MemorySegment out, long to, int count) {
    NativeSegments.require(x, out);
    FloatVector b = FloatVector.broadcast(SPECIES, (float) number);
    int whole = SPECIES.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector a = FloatVector.fromMemorySegment(SPECIES, x, (fromX + i) * Float.BYTES, ORDER);
      FloatVector quotient = a.abs().div(b.abs());
      if (arePlain(quotient, b)) {
        rest(a, b, quotient).intoMemorySegment(out, (to + i) * Float.BYTES, ORDER);
      } else {
        for (int k = i; k < i + LANES; k++) {
          out.setAtIndex(
              JAVA_FLOAT, to + k, rest(x.getAtIndex(JAVA_FLOAT, fromX + k), (float) number));
        }
      }
    }
    for (int k = whole; k < count; k++) {
      out.setAtIndex(JAVA_FLOAT, to + k, rest(x.getAtIndex(JAVA_FLOAT, fromX + k), (float) number));
    }
  }

  private static boolean arePlain(FloatVector quotient, FloatVector divisor) {
    return quotient
        .compare(VectorOperators.LT, FEW)
        .and(divisor.abs().compare(VectorOperators.LE, Float.MAX_VALUE))
        .allTrue();
  }

  private FloatVector rest(FloatVector a, FloatVector b, FloatVector quotient) {
    FloatVector divisor = b.abs();
    FloatVector whole = quotient.add(ROUNDING).sub(ROUNDING);
    FloatVector size = whole.neg().fma(divisor, a.abs());
    size = size.add(divisor, size.compare(VectorOperators.LT, 0f));
    // Without branches, where vectors would merge on the heap.
    float turns = floored ? 1f : 0f;
    FloatVector sign = FloatFunctions.withSignOf(FloatVector.broadcast(SPECIES, turns), a);
    VectorMask<Float> none = size.compare(VectorOperators.EQ, 0f);
    FloatVector rest = size.blend(divisor.sub(size), sign.mul(b).compare(VectorOperators.LT, 0f));
    return FloatFunctions.withSignOf(
        rest.blend(0f, none), b.blend(a, none.or(SPECIES.maskAll(!floored))));
  }

  private float rest(float a, float b) {
    if (!floored) {
      return a % b;
    }
    double divisor = b;
    double rest = a % divisor;
    return (float) (rest != 0 && (divisor < 0) != (rest < 0) ? rest + divisor : rest);
  }
}
