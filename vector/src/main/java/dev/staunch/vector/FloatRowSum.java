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

/**
 * Sums of rows, a vector of columns at a time: half a vector of floats becomes one vector of
 * doubles. What was loaded is the receiver of each addition, because its class is known to HotSpot
 * without a profile; the class of a sum that a loop carries is not.
 */
record FloatRowSum(RowSum others) implements RowSum {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final VectorSpecies<Float> HALF =
      VectorSpecies.of(float.class, VectorShape.forBitSize(SPECIES.vectorBitSize() / 2));
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  @Override
  public void add(Table table, long[] picked, int from, int end, double[] sum) {
    if (table.segment().isMapped()) {
      others.add(table, picked, from, end, sum);
      return;
    }
    int whole = SPECIES.loopBound(sum.length);
    for (int i = 0; i < whole; i += LANES) {
      DoubleVector lanes = DoubleVector.fromArray(SPECIES, sum, i);
      for (int k = from; k < end; k++) {
        lanes = columns(table.segment(), table.at(picked[k]) + i).add(lanes);
      }
      lanes.intoArray(sum, i);
    }
    for (int i = whole; i < sum.length; i++) {
      for (int k = from; k < end; k++) {
        sum[i] += table.segment().getAtIndex(JAVA_FLOAT, table.at(picked[k]) + i);
      }
    }
  }

  @Override
  public void addBags(
      Table table, long[] picked, int[] ends, int bags, MemorySegment into, long to) {
    if (table.segment().isMapped()) {
      others.addBags(table, picked, ends, bags, into, to);
      return;
    }
    MemorySegment rows = table.segment();
    long start = table.offset();
    long stride = table.stride();
    int columns = table.columns();
    int from = 0;
    for (int bag = 0; bag < bags; bag++) {
      int end = ends[bag];
      long at = to + (long) bag * columns;
      int column = 0;
      for (; column + 2 * LANES <= columns; column += 2 * LANES) {
        addPair(rows, start + column, stride, picked, from, end, into, at + column);
      }
      for (; column + LANES <= columns; column += LANES) {
        addOne(table, picked, from, end, column, into, at + column);
      }
      for (; column < columns; column++) {
        into.setAtIndex(JAVA_FLOAT, at + column, sum(table, picked, from, end, column));
      }
      from = end;
    }
  }

  private static void addPair(
      MemorySegment rows,
      long first,
      long stride,
      long[] picked,
      int from,
      int end,
      MemorySegment into,
      long to) {
    NativeSegments.require(rows, into);
    DoubleVector a = DoubleVector.zero(SPECIES);
    DoubleVector b = a;
    for (int k = from; k < end; k++) {
      long at = first + picked[k] * stride;
      a = columns(rows, at).add(a);
      b = columns(rows, at + LANES).add(b);
    }
    store(a, into, to);
    store(b, into, to + LANES);
  }

  private static void addOne(
      Table table, long[] picked, int from, int end, int column, MemorySegment into, long to) {
    NativeSegments.require(table.segment(), into);
    DoubleVector a = DoubleVector.zero(SPECIES);
    for (int k = from; k < end; k++) {
      a = columns(table.segment(), table.at(picked[k]) + column).add(a);
    }
    store(a, into, to);
  }

  private static float sum(Table table, long[] picked, int from, int end, int column) {
    double sum = 0;
    for (int k = from; k < end; k++) {
      sum += table.segment().getAtIndex(JAVA_FLOAT, table.at(picked[k]) + column);
    }
    return (float) sum;
  }

  private static DoubleVector columns(MemorySegment table, long at) {
    return (DoubleVector)
        FloatVector.fromMemorySegment(HALF, table, at * Float.BYTES, ORDER)
            .convertShape(VectorOperators.F2D, SPECIES, 0);
  }

  private static void store(DoubleVector sums, MemorySegment into, long to) {
    FloatVector rounded = (FloatVector) sums.convertShape(VectorOperators.D2F, HALF, 0);
    rounded.intoMemorySegment(into, to * Float.BYTES, ORDER);
  }
}
