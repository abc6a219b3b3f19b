package dev.staunch.vector;

import dev.staunch.kernel.primitive.RowFormula;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Steps of recurrent cells on one row: the input's contribution to the gates; in {@code work},
 * which is overwritten, the state's contribution to them; and the state. The functions run one at a
 * time, so that the loops are those of the pointwise operations.
 */
final class FloatCells {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final AddRow ADD = new AddRow();
  private static final MultiplyRow MULTIPLY = new MultiplyRow();
  private static final SubtractRow SUBTRACT = new SubtractRow();
  private static final SigmoidRow SIGMOID = new SigmoidRow();
  private static final TanhRow TANH = new TanhRow();
  private static final GreaterRow GREATER = new GreaterRow();

  private static final int IN = 0;
  private static final int FORGET = 1;
  private static final int CANDIDATE = 2;
  private static final int OUT = 3;
  private static final int CELL = 4;
  private static final int STATE = 5;

  /**
   * The functions of an LSTM, starting from the sums of its gates. They are called as elements of
   * an array so that HotSpot inlines none of them into the caller. In a caller that has grown
   * large, whether HotSpot still inlines what they call ({@link FloatFunctions}) would depend on
   * the order of compilation.
   */
  private static final Pass[] LSTM = {
    new Pass(SIGMOID, IN, IN, IN),
    new Pass(SIGMOID, FORGET, FORGET, FORGET),
    new Pass(TANH, CANDIDATE, CANDIDATE, CANDIDATE),
    new Pass(SIGMOID, OUT, OUT, OUT),
    new Pass(MULTIPLY, FORGET, CELL, CELL),
    new Pass(MULTIPLY, IN, CANDIDATE, IN),
    new Pass(ADD, CELL, IN, CELL),
    new Pass(TANH, CELL, CELL, STATE),
    new Pass(MULTIPLY, STATE, OUT, STATE),
  };

  private FloatCells() {}

  /** The gates are in the order in, forget, candidate, out. */
  static void lstm(
      MemorySegment input,
      long from,
      MemorySegment work,
      long gates,
      long cell,
      long state,
      int size) {
    ADD.run(work, gates, input, from, work, gates, 4 * size);
    lstm(work, gates, size, cell, state, size);
  }

  /**
   * As above, for some units.
   *
   * @param gates all gates of these units, {@code stride} apart
   * @param state is only written
   */
  static void lstm(MemorySegment work, long gates, long stride, long cell, long state, int units) {
    long[] places = {gates, gates + stride, gates + 2 * stride, gates + 3 * stride, cell, state};
    for (Pass pass : LSTM) {
      pass.formula.run(work, places[pass.a], work, places[pass.b], work, places[pass.to], units);
    }
  }

  /** The gates are in the order reset, update, candidate; the reset gate applies to the product. */
  static void gru(
      MemorySegment input, long from, MemorySegment work, long gates, long state, int size) {
    long update = gates + size;
    long candidate = gates + 2L * size;
    ADD.run(work, gates, input, from, work, gates, 2 * size);
    SIGMOID.run(work, gates, 0, work, gates, 2 * size);
    MULTIPLY.run(work, candidate, work, gates, work, candidate, size);
    ADD.run(work, candidate, input, from + 2L * size, work, candidate, size);
    TANH.run(work, candidate, 0, work, candidate, size);
    // candidate + update * (state - candidate)
    SUBTRACT.run(work, state, work, candidate, work, state, size);
    addProduct(work, candidate, state, update, state, size);
  }

  /** A cell with the hyperbolic tangent. */
  static void tanh(
      MemorySegment input, long from, MemorySegment work, long gates, long state, int size) {
    ADD.run(work, gates, input, from, work, gates, size);
    TANH.run(work, gates, 0, work, state, size);
  }

  /** A cell with the rectifier. */
  static void relu(
      MemorySegment input, long from, MemorySegment work, long gates, long state, int size) {
    ADD.run(work, gates, input, from, work, gates, size);
    GREATER.run(work, gates, 0, work, state, size);
  }

  /** Computes {@code addend + a * b}. */
  private static void addProduct(
      MemorySegment work, long addend, long a, long b, long to, int count) {
    NativeSegments.require(work);
    int whole = SPECIES.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, work, (a + i) * Float.BYTES, ORDER);
      FloatVector y = FloatVector.fromMemorySegment(SPECIES, work, (b + i) * Float.BYTES, ORDER);
      x.fma(y, FloatVector.fromMemorySegment(SPECIES, work, (addend + i) * Float.BYTES, ORDER))
          .intoMemorySegment(work, (to + i) * Float.BYTES, ORDER);
    }
    if (whole < count) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, count);
      long at = whole * (long) Float.BYTES;
      FloatVector x =
          FloatVector.fromMemorySegment(SPECIES, work, a * Float.BYTES + at, ORDER, rest);
      FloatVector y =
          FloatVector.fromMemorySegment(SPECIES, work, b * Float.BYTES + at, ORDER, rest);
      FloatVector z =
          FloatVector.fromMemorySegment(SPECIES, work, addend * Float.BYTES + at, ORDER, rest);
      x.fma(y, z).intoMemorySegment(work, to * Float.BYTES + at, ORDER, rest);
    }
  }

  /** A loop, and the rows that it reads and writes. */
  private record Pass(RowFormula formula, int a, int b, int to) {}
}
