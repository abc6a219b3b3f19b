package dev.staunch.vector;

import dev.staunch.kernel.primitive.Constant;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Steps of an LSTM on one row, with a constant weight. The weight is packed so that all gates of a
 * vector of units are together, row after row: a step reads it sequentially.
 *
 * @param weight packed
 * @param size of the state, a whole number of vectors
 */
record FloatLstm(MemorySegment weight, int size) {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final long VECTOR = SPECIES.vectorByteSize();
  private static final int GATES = 4;
  private static final ValueLayout.OfFloat ELEMENT = ValueLayout.JAVA_FLOAT;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Multiplications per piece of a step, which other threads may take. */
  private static final int PIECE = 1 << 17;

  /** Returns the steps for {@code constant}, or null if this kernel does not fit. */
  static @Nullable FloatLstm of(@Nullable Constant constant, Layout weight) {
    long size = weight.shape().size(1);
    if (constant == null || size % LANES != 0) {
      return null;
    }
    DenseTensor packed =
        constant.packed(
            new GatesFormat(weight, LANES), (tensor, scope) -> pack(tensor, weight, scope));
    return packed == null ? null : new FloatLstm(packed.segment(), (int) size);
  }

  private static Object pack(DenseTensor tensor, Layout layout, ResourceScope scope) {
    Object made = DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(layout.shape().elements()));
    if (made instanceof DenseTensor packed) {
      long size = layout.shape().size(1);
      long to = packed.layout().offset();
      for (long unit = 0; unit < size; unit += LANES) {
        for (long k = 0; k < size; k++) {
          for (int gate = 0; gate < GATES; gate++) {
            long from = tensor.layout().offset() + k * layout.stride(1);
            long row = gate * size + unit;
            for (int lane = 0; lane < LANES; lane++) {
              float element =
                  tensor.segment().getAtIndex(ELEMENT, from + (row + lane) * layout.stride(0));
              packed.segment().setAtIndex(ELEMENT, to++, element);
            }
          }
        }
      }
    }
    return made;
  }

  /** Vectors of units in a step. */
  int vectors() {
    return size / LANES;
  }

  /** Vectors of units per piece of a step. */
  int grain() {
    return Math.max(1, PIECE / (GATES * LANES * size));
  }

  /**
   * Computes some units of one step. Positions count elements.
   *
   * @param first the first vector of units, up to {@code end}
   * @param backwards whether to take the last units first: their weight is still in the cache if
   *     the previous step ended with them
   * @param input the input's contribution to the gates, at {@code from}
   * @param bias in {@code work}, is added to that; it is followed by as much room for sums
   * @param state in {@code work}, like {@code cell}, which is overwritten, and {@code next}, which
   *     receives the new state
   */
  void step(
      long first,
      long end,
      boolean backwards,
      MemorySegment input,
      long from,
      MemorySegment work,
      long bias,
      long state,
      long cell,
      long next) {
    long sums = bias + (long) GATES * size;
    for (long i = first; i < end; i++) {
      long unit = (backwards ? first + end - 1 - i : i) * LANES;
      sum(weight, size, input, from + unit, work, bias + unit, state, unit);
    }
    long unit = first * LANES;
    int units = (int) (end - first) * LANES;
    FloatCells.lstm(work, sums + unit, size, cell + unit, next + unit, units);
  }

  /**
   * Sums the gates of a vector of units, whose bias is at {@code bias}. The weight is an argument
   * because HotSpot forgets, for a field read in the loop, what was checked before the loop, and
   * may then leave the checks of each access in the loop.
   */
  private static void sum(
      MemorySegment weight,
      int size,
      MemorySegment input,
      long from,
      MemorySegment work,
      long bias,
      long state,
      long unit) {
    NativeSegments.require(input);
    NativeSegments.require(work, weight);
    long gate = (long) size * Float.BYTES;
    long added = from * Float.BYTES;
    long start = bias * Float.BYTES;
    FloatVector i0 = load(work, start).add(load(input, added));
    FloatVector f0 = load(work, start + gate).add(load(input, added + gate));
    FloatVector c0 = load(work, start + 2 * gate).add(load(input, added + 2 * gate));
    FloatVector o0 = load(work, start + 3 * gate).add(load(input, added + 3 * gate));
    FloatVector i1 = FloatVector.zero(SPECIES);
    FloatVector f1 = i1;
    FloatVector c1 = i1;
    FloatVector o1 = i1;
    long at = unit * size * (GATES * Float.BYTES);
    long place = state * Float.BYTES;
    for (int k = 0; k < size; k += 2) {
      FloatVector p = FloatVector.broadcast(SPECIES, work.get(ELEMENT, place + k * 4L));
      FloatVector q = FloatVector.broadcast(SPECIES, work.get(ELEMENT, place + k * 4L + 4));
      long row = at + k * (GATES * VECTOR);
      i0 = p.fma(FloatVector.fromMemorySegment(SPECIES, weight, row, ORDER), i0);
      f0 = p.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + VECTOR, ORDER), f0);
      c0 = p.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + 2 * VECTOR, ORDER), c0);
      o0 = p.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + 3 * VECTOR, ORDER), o0);
      i1 = q.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + 4 * VECTOR, ORDER), i1);
      f1 = q.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + 5 * VECTOR, ORDER), f1);
      c1 = q.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + 6 * VECTOR, ORDER), c1);
      o1 = q.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + 7 * VECTOR, ORDER), o1);
    }
    long to = start + GATES * gate;
    i0.add(i1).intoMemorySegment(work, to, ORDER);
    f0.add(f1).intoMemorySegment(work, to + gate, ORDER);
    c0.add(c1).intoMemorySegment(work, to + 2 * gate, ORDER);
    o0.add(o1).intoMemorySegment(work, to + 3 * gate, ORDER);
  }

  private static FloatVector load(MemorySegment segment, long place) {
    return FloatVector.fromMemorySegment(SPECIES, segment, place, ORDER);
  }
}
