package dev.staunch.vector;

import dev.staunch.kernel.primitive.RowFormula;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Steps of recurrent cells on one row: what the input adds to the gates, and in {@code work} what
 * the state adds to them, which is overwritten, and the state. One function at a time, so that the
 * loops are those of the pointwise operations.
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
   * An LSTM's functions, from the sums of its gates on. They are called as members of an array, so
   * that HotSpot puts none of them into its caller: behind others, in a method that has grown
   * large, it would refuse what they call ({@link FloatFunctions}), or not, by what it compiled
   * first.
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

  /** Gates in, forget, candidate and out. */
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
   * @param gates of these units, whole, one {@code stride} after the other
   * @param state is written only
   */
  static void lstm(MemorySegment work, long gates, long stride, long cell, long state, int units) {
    long[] places = {gates, gates + stride, gates + 2 * stride, gates + 3 * stride, cell, state};
    for (Pass pass : LSTM) {
      pass.formula.run(work, places[pass.a], work, places[pass.b], work, places[pass.to], units);
    }
  }

  /** Gates reset, update and candidate; the reset acts on the product. */
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

  /** The hyperbolic tangent. */
  static void tanh(
      MemorySegment input, long from, MemorySegment work, long gates, long state, int size) {
    ADD.run(work, gates, input, from, work, gates, size);
    TANH.run(work, gates, 0, work, state, size);
  }

  /** What is positive. */
  static void relu(
      MemorySegment input, long from, MemorySegment work, long gates, long state, int size) {
    ADD.run(work, gates, input, from, work, gates, size);
    GREATER.run(work, gates, 0, work, state, size);
  }

  /** {@code addend + a * b}. */
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

  /** A loop, and of which rows. */
  private record Pass(RowFormula formula, int a, int b, int to) {}
}
