package dev.staunch.kernel.loop;

import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.type.DType;
import java.util.Arrays;

/**
 * Arrays through which the elements of a row pass, some at a time, in the kind of number that they
 * are combined in. C2 vectorises loops over arrays, not over memory segments.
 */
sealed interface Tile extends AutoCloseable
    permits BoolTile, NativeTile, Tile.Singles, Tile.Doubles, Tile.Longs {
  /** What {@link #size} is for most. */
  int SIZE = 1024;

  /** For {@code rule}, whose operands are combined in {@code computed}, some at a time. */
  static Tile of(DType computed, Rule rule, long width) {
    int size = (int) Math.min(SIZE, width);
    int operands = rule.operands();
    int numbers = rule instanceof Rule.Numbers ? size : 0;
    byte[] answers = new byte[size - numbers];
    return switch (computed) {
      case FLOAT32 -> new Singles(computed, new float[operands][size], new float[numbers], answers);
      case FLOAT64, FLOAT16, BFLOAT16 ->
          new Doubles(computed, new double[operands][size], new double[numbers], answers);
      case INT64, INT32, INT16, INT8, UINT8, BOOL, COMPLEX64, COMPLEX128 ->
          new Longs(computed, new long[operands][size], new long[numbers], answers);
    };
  }

  /**
   * As {@link #of}, where all reals are of the narrow dtype {@code computed}: in float32, which
   * holds them, and whose loops give what reals give, rounded to float32, as the narrow ones are
   * before they are narrowed.
   */
  static Tile ofNarrow(DType computed, Rule rule, long width) {
    int size = (int) Math.min(SIZE, width);
    int numbers = rule instanceof Rule.Numbers ? size : 0;
    float[][] in = new float[rule.operands()][size];
    return new Singles(computed, in, new float[numbers], new byte[size - numbers]);
  }

  /** The most elements of an operand that are in its array at a time. */
  default int size() {
    return SIZE;
  }

  /** Makes all elements of operand {@code k} a number. */
  void fill(int k, Object number);

  /** Reads elements of operand {@code k}. */
  void load(int k, Operand from, long at, long step, int count);

  /** Combines what was read and writes it. */
  void run(Rule rule, Operand target, long at, long step, int count);

  /** Gives back what is not on the heap. */
  @Override
  default void close() {}

  /** In float32, as whose elements all operands are read. */
  record Singles(DType computed, float[][] in, float[] out, byte[] answers) implements Tile {
    @Override
    public void fill(int k, Object number) {
      Arrays.fill(in[k], (float) Scalars.real(number, computed));
    }

    @Override
    public void load(int k, Operand from, long at, long step, int count) {
      from.load(in[k], at, step, count);
    }

    @Override
    public void run(Rule rule, Operand target, long at, long step, int count) {
      switch (rule) {
        case Rule.Numbers numbers -> {
          numbers.run(in, out, count);
          target.store(out, at, step, count);
        }
        case Rule.Truths truths -> {
          truths.run(in, answers, count);
          target.store(answers, at, step, count);
        }
      }
    }
  }

  /** In double precision, of elements as the dtype holds them. */
  record Doubles(DType computed, double[][] in, double[] out, byte[] answers) implements Tile {
    @Override
    public void fill(int k, Object number) {
      Arrays.fill(in[k], Scalars.real(number, computed));
    }

    @Override
    public void load(int k, Operand from, long at, long step, int count) {
      from.load(in[k], at, step, count, computed);
    }

    @Override
    public void run(Rule rule, Operand target, long at, long step, int count) {
      switch (rule) {
        case Rule.Numbers numbers -> {
          numbers.run(in, out, count);
          target.store(out, at, step, count);
        }
        case Rule.Truths truths -> {
          truths.run(in, answers, count);
          target.store(answers, at, step, count);
        }
      }
    }
  }

  /** In 64 bits, of elements as the dtype holds them. */
  record Longs(DType computed, long[][] in, long[] out, byte[] answers) implements Tile {
    @Override
    public void fill(int k, Object number) {
      Arrays.fill(in[k], Scalars.integer(number, computed));
      wrap(in[k], in[k].length);
    }

    @Override
    public void load(int k, Operand from, long at, long step, int count) {
      from.load(in[k], at, step, count);
      if (from.dtype() != computed) {
        wrap(in[k], count);
      }
    }

    /** Casts to the dtype in which elements are combined. */
    private void wrap(long[] values, int count) {
      for (int i = 0; i < count; i++) {
        values[i] =
            switch (computed) {
              case UINT8 -> values[i] & 0xff;
              case INT8 -> (byte) values[i];
              case INT16 -> (short) values[i];
              case INT32 -> (int) values[i];
              case BOOL -> values[i] == 0 ? 0 : 1;
              default -> values[i];
            };
      }
    }

    @Override
    public void run(Rule rule, Operand target, long at, long step, int count) {
      switch (rule) {
        case Rule.Numbers numbers -> {
          numbers.run(in, out, count);
          target.store(out, at, step, count);
        }
        case Rule.Truths truths -> {
          truths.run(in, answers, count);
          target.store(answers, at, step, count);
        }
      }
    }
  }
}
