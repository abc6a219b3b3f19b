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
 * Steps of an LSTM on one row, by a constant weight. It is packed so that a vector of units has all
 * of its gates together, row after row: such units are finished at once, while the weight of the
 * next ones is on its way, and a step waits for memory alone.
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

  /** Gates as they are packed: in, forget and out, which are sigmoids, and the candidate. */
  private static final int[] PACKED = {0, 1, 3, 2};

  /** Room for the gates of a vector of units. */
  private static final int SUMS = GATES * LANES;

  /** Multiplications of a piece of a step, which other threads may take. */
  private static final int PIECE = 1 << 17;

  /** The steps by {@code constant}, or null if they are not for this kernel. */
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
          for (int gate : PACKED) {
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

  /** Vectors of units that are a piece of a step. */
  int grain() {
    return Math.max(1, PIECE / (SUMS * size));
  }

  /**
   * Some units of one step. Places count elements.
   *
   * @param first of the vectors of units, up to {@code end}
   * @param backwards whether the last units come first: their weight is still in the cache if the
   *     step before ended with them
   * @param input what the input adds to the gates, at {@code from}
   * @param bias in {@code work}, is added to that
   * @param state in {@code work}, as {@code cell}, which is overwritten, and {@code next}, which
   *     gets the new state
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
    float[] sums = new float[SUMS];
    for (long i = first; i < end; i++) {
      int unit = (int) (backwards ? first + end - 1 - i : i) * LANES;
      begin(input, from + unit, work, bias + unit, sums);
      sum(work, state, unit, sums);
      finish(sums, work, cell + unit, next + unit);
    }
  }

  /** What the gates begin with: by itself, so that C2 has few calls to inline around the loop. */
  private void begin(MemorySegment input, long from, MemorySegment work, long bias, float[] sums) {
    NativeSegments.require(input, work);
    gate(input, from, work, bias, 0).intoArray(sums, 0);
    gate(input, from, work, bias, 1).intoArray(sums, LANES);
    gate(input, from, work, bias, 3).intoArray(sums, 2 * LANES);
    gate(input, from, work, bias, 2).intoArray(sums, 3 * LANES);
  }

  private void sum(MemorySegment work, long state, int unit, float[] sums) {
    NativeSegments.require(work, weight);
    FloatVector i0 = FloatVector.fromArray(SPECIES, sums, 0);
    FloatVector f0 = FloatVector.fromArray(SPECIES, sums, LANES);
    FloatVector o0 = FloatVector.fromArray(SPECIES, sums, 2 * LANES);
    FloatVector c0 = FloatVector.fromArray(SPECIES, sums, 3 * LANES);
    FloatVector i1 = FloatVector.zero(SPECIES);
    FloatVector f1 = i1;
    FloatVector o1 = i1;
    FloatVector c1 = i1;
    long at = (long) unit * size * (GATES * Float.BYTES);
    long place = state * Float.BYTES;
    for (int k = 0; k < size; k += 2) {
      FloatVector p = FloatVector.broadcast(SPECIES, work.get(ELEMENT, place + k * 4L));
      FloatVector q = FloatVector.broadcast(SPECIES, work.get(ELEMENT, place + k * 4L + 4));
      long row = at + k * (GATES * VECTOR);
      i0 = p.fma(FloatVector.fromMemorySegment(SPECIES, weight, row, ORDER), i0);
      f0 = p.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + VECTOR, ORDER), f0);
      o0 = p.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + 2 * VECTOR, ORDER), o0);
      c0 = p.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + 3 * VECTOR, ORDER), c0);
      i1 = q.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + 4 * VECTOR, ORDER), i1);
      f1 = q.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + 5 * VECTOR, ORDER), f1);
      o1 = q.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + 6 * VECTOR, ORDER), o1);
      c1 = q.fma(FloatVector.fromMemorySegment(SPECIES, weight, row + 7 * VECTOR, ORDER), c1);
    }
    i0.add(i1).intoArray(sums, 0);
    f0.add(f1).intoArray(sums, LANES);
    o0.add(o1).intoArray(sums, 2 * LANES);
    c0.add(c1).intoArray(sums, 3 * LANES);
  }

  private FloatVector gate(
      MemorySegment input, long from, MemorySegment work, long bias, int gate) {
    long shift = (long) gate * size;
    return FloatVector.fromMemorySegment(SPECIES, input, (from + shift) * Float.BYTES, ORDER)
        .add(FloatVector.fromMemorySegment(SPECIES, work, (bias + shift) * Float.BYTES, ORDER));
  }

  private static void finish(float[] sums, MemorySegment work, long cell, long next) {
    NativeSegments.require(work);
    for (int gate = 0; gate < 3 * LANES; gate += LANES) {
      FloatFunctions.sigmoid(FloatVector.fromArray(SPECIES, sums, gate)).intoArray(sums, gate);
    }
    FloatVector in = FloatVector.fromArray(SPECIES, sums, 0);
    FloatVector forget = FloatVector.fromArray(SPECIES, sums, LANES);
    FloatVector out = FloatVector.fromArray(SPECIES, sums, 2 * LANES);
    FloatVector candidate = FloatFunctions.tanh(FloatVector.fromArray(SPECIES, sums, 3 * LANES));
    FloatVector changed =
        FloatVector.fromMemorySegment(SPECIES, work, cell * Float.BYTES, ORDER)
            .fma(forget, in.mul(candidate));
    changed.intoMemorySegment(work, cell * Float.BYTES, ORDER);
    out.mul(FloatFunctions.tanh(changed)).intoMemorySegment(work, next * Float.BYTES, ORDER);
  }
}
