package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.primitive.RowSum;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** Sums of rows, a vector of columns at a time: half a vector of floats makes one of doubles. */
record FloatRowSum(RowSum others) implements RowSum {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Float> HALF =
      VectorSpecies.of(float.class, VectorShape.forBitSize(SPECIES.vectorBitSize() / 2));
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  @Override
  public void add(
      MemorySegment table, long offset, long stride, long[] picked, int count, double[] sum) {
    if (table.isMapped()) {
      others.add(table, offset, stride, picked, count, sum);
      return;
    }
    int whole = SPECIES.loopBound(sum.length);
    for (int i = 0; i < whole; i += SPECIES.length()) {
      DoubleVector lanes = DoubleVector.fromArray(SPECIES, sum, i);
      for (int k = 0; k < count; k++) {
        long at = offset + picked[k] * stride + i;
        lanes = lanes.add(columns(table, at));
      }
      lanes.intoArray(sum, i);
    }
    for (int i = whole; i < sum.length; i++) {
      for (int k = 0; k < count; k++) {
        sum[i] += table.getAtIndex(JAVA_FLOAT, offset + picked[k] * stride + i);
      }
    }
  }

  private static DoubleVector columns(MemorySegment table, long at) {
    return (DoubleVector)
        FloatVector.fromMemorySegment(HALF, table, at * Float.BYTES, ORDER)
            .convertShape(VectorOperators.F2D, SPECIES, 0);
  }
}
