package dev.staunch.kernel.loop;

import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.type.DType;
import java.util.Arrays;

/**
 * Arrays through which the elements of a row pass, some at a time, as the kind of number that they
 * are combined in. C2 vectorises loops over arrays but not over memory segments.
 */
sealed interface Tile extends AutoCloseable
    permits BoolTile, NativeTile, Tile.Singles, Tile.Doubles, Tile.Longs {
  /** The {@link #size} of most tiles. */
  int SIZE = 1024;

  /** A tile for {@code rule}, whose operands are combined in {@code computed}. */
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
   * As {@link #of}, if all reals have the narrow dtype {@code computed}. The tile combines them in
   * float32, which holds them exactly. Its loops return what the loops over reals return, rounded
   * to float32; narrow results are rounded to float32 in any case before they are narrowed.
   */
  static Tile ofNarrow(DType computed, Rule rule, long width) {
    int size = (int) Math.min(SIZE, width);
    int numbers = rule instanceof Rule.Numbers ? size : 0;
    float[][] in = new float[rule.operands()][size];
    return new Singles(computed, in, new float[numbers], new byte[size - numbers]);
  }

  /** The most elements of an operand in its array at a time. */
  default int size() {
    return SIZE;
  }

  /** Sets all elements of operand {@code k} to a number. */
  void fill(int k, Object number);

  /**
   * Reads elements of operand {@code k} into its array, from index {@code to} on, which is 0 where
   * bools are packed.
   */
  void load(int k, int to, Operand from, long at, long step, int count);

  /** Reads rows of operand {@code k} into its array, one behind the other. */
  default void loadRows(
      int k, Operand from, long at, long rowStep, int rows, long step, int width) {
    for (int i = 0; i < rows; i++) {
      load(k, i * width, from, at + i * rowStep, step, width);
    }
  }

  /** Combines the loaded elements and writes the result. */
  void run(Rule rule, Operand target, long at, long step, int count);

  /** Frees off-heap memory, if there is any. */
  @Override
  default void close() {}

  /** Combines in float32; all operands are read as float32. */
  record Singles(DType computed, float[][] in, float[] out, byte[] answers) implements Tile {
    @Override
    public void fill(int k, Object number) {
      Arrays.fill(in[k], (float) Scalars.real(number, computed));
    }

    @Override
    public void load(int k, int to, Operand from, long at, long step, int count) {
      from.load(in[k], to, at, step, count);
    }

    @Override
    public void loadRows(
        int k, Operand from, long at, long rowStep, int rows, long step, int width) {
      if (from.dtype() == DType.FLOAT32) {
        from.loadRows(in[k], at, rowStep, rows, step, width);
      } else {
        Tile.super.loadRows(k, from, at, rowStep, rows, step, width);
      }
    }

    @Override
    public void run(Rule rule, Operand target, long at, long step, int count) {
      if (rule instanceof Rule.Numbers numbers) {
        numbers.run(in, out, count);
        target.store(out, at, step, count);
      } else if (rule instanceof Rule.Truths truths) {
        truths.run(in, answers, count);
        target.store(answers, at, step, count);
      }
    }
  }

  /** Combines in double precision, after rounding the elements to the dtype. */
  record Doubles(DType computed, double[][] in, double[] out, byte[] answers) implements Tile {
    @Override
    public void fill(int k, Object number) {
      Arrays.fill(in[k], Scalars.real(number, computed));
    }

    @Override
    public void load(int k, int to, Operand from, long at, long step, int count) {
      from.load(in[k], to, at, step, count, computed);
    }

    @Override
    public void run(Rule rule, Operand target, long at, long step, int count) {
      if (rule instanceof Rule.Numbers numbers) {
        numbers.run(in, out, count);
        target.store(out, at, step, count);
      } else if (rule instanceof Rule.Truths truths) {
        truths.run(in, answers, count);
        target.store(answers, at, step, count);
      }
    }
  }

  /** Combines in 64 bits, after casting the elements to the dtype. */
  record Longs(DType computed, long[][] in, long[] out, byte[] answers) implements Tile {
    @Override
    public void fill(int k, Object number) {
      Arrays.fill(in[k], Scalars.integer(number, computed));
      wrap(in[k], 0, in[k].length);
    }

    @Override
    public void load(int k, int to, Operand from, long at, long step, int count) {
      from.load(in[k], to, at, step, count);
      if (from.dtype() != computed) {
        wrap(in[k], to, to + count);
      }
    }

    /** Casts to the dtype in which elements are combined. */
    private void wrap(long[] values, int first, int end) {
      for (int i = first; i < end; i++) {
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
      if (rule instanceof Rule.Numbers numbers) {
        numbers.run(in, out, count);
        target.store(out, at, step, count);
      } else if (rule instanceof Rule.Truths truths) {
        truths.run(in, answers, count);
        target.store(answers, at, step, count);
      }
    }
  }
}
