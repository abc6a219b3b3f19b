package dev.staunch.kernel.operand;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;

/**
 * Reads and writes contiguous elements of 32 bits or fewer, except float32, through small arrays: a
 * loop over a segment is a hundred times slower until it is compiled, and is not vectorised even
 * then. Converts as {@link Elements} does. For one thread.
 */
final class NarrowTiles {
  private static final int SIZE = 64;

  /** The tile size for {@link Halves}: the arrays for these dtypes cost less per element. */
  private static final int HALVES = 256;

  private final MemorySegment segment;
  private final DType dtype;

  /** The elements of a tile: integers as they are, reals as their bits. */
  private final int[] values = new int[SIZE];

  private final short[] shorts;
  private final byte[] bytes;
  private final float[] floats;

  NarrowTiles(MemorySegment segment, DType dtype) {
    this.segment = segment;
    this.dtype = dtype;
    this.shorts = new short[dtype.bytes() == Short.BYTES ? SIZE : 0];
    this.bytes = new byte[dtype.bytes() == 1 ? SIZE : 0];
    this.floats = new float[bytes.length];
  }

  /** Whether this class can move elements of {@code dtype}. */
  static boolean take(DType dtype) {
    return dtype.bytes() <= Integer.BYTES && dtype != DType.FLOAT32;
  }

  void load(double[] into, int to, long at, int count) {
    for (int done = 0; done < count; done += SIZE) {
      int part = Math.min(SIZE, count - done);
      read(at + done, part);
      int first = to + done;
      if (dtype == DType.FLOAT16) {
        for (int i = 0; i < part; i++) {
          into[first + i] = Float.float16ToFloat(shorts[i]);
        }
      } else if (dtype == DType.BFLOAT16) {
        for (int i = 0; i < part; i++) {
          into[first + i] = Float.intBitsToFloat(values[i] << Short.SIZE);
        }
      } else {
        for (int i = 0; i < part; i++) {
          into[first + i] = values[i];
        }
      }
    }
  }

  void load(float[] into, int to, long at, int count) {
    if (Halves.are(dtype)) {
      new Halves(dtype, HALVES).widen(segment, at, MemorySegment.ofArray(into), to, count);
      return;
    }
    for (int done = 0; done < count; done += SIZE) {
      int part = Math.min(SIZE, count - done);
      read(at + done, part);
      for (int i = 0; i < part; i++) {
        into[to + done + i] = values[i];
      }
    }
  }

  /** Reads integers and bools. */
  void load(long[] into, int to, long at, int count) {
    for (int done = 0; done < count; done += SIZE) {
      int part = Math.min(SIZE, count - done);
      read(at + done, part);
      for (int i = 0; i < part; i++) {
        into[to + done + i] = values[i];
      }
    }
  }

  /** Reads integers. */
  void load(int[] into, long at, int count) {
    for (int done = 0; done < count; done += SIZE) {
      int part = Math.min(SIZE, count - done);
      read(at + done, part);
      System.arraycopy(values, 0, into, done, part);
    }
  }

  /** Writes integers. */
  void store(int[] from, long at, int count) {
    for (int done = 0; done < count; done += SIZE) {
      int part = Math.min(SIZE, count - done);
      System.arraycopy(from, done, values, 0, part);
      write(at + done, part);
    }
  }

  /** Writes float16 and bfloat16. */
  void store(float[] from, long at, int count) {
    new Halves(dtype, HALVES).narrow(MemorySegment.ofArray(from), 0, segment, at, count);
  }

  void store(double[] from, long at, int count) {
    for (int done = 0; done < count; done += SIZE) {
      int part = Math.min(SIZE, count - done);
      switch (dtype) {
        case FLOAT16 -> {
          for (int i = 0; i < part; i++) {
            values[i] = Float.floatToFloat16((float) from[done + i]);
          }
        }
        case BFLOAT16 -> {
          for (int i = 0; i < part; i++) {
            values[i] = Elements.toBfloat16((float) from[done + i]);
          }
        }
        case BOOL -> {
          for (int i = 0; i < part; i++) {
            values[i] = from[done + i] == 0 ? 0 : 1;
          }
        }
        case UINT8 -> {
          for (int i = 0; i < part; i++) {
            values[i] = (int) Elements.wide(from[done + i]);
          }
        }
        default -> {
          for (int i = 0; i < part; i++) {
            values[i] = Elements.narrow(from[done + i]);
          }
        }
      }
      write(at + done, part);
    }
  }

  /** Writes integers and bools. */
  void store(long[] from, long at, int count) {
    for (int done = 0; done < count; done += SIZE) {
      int part = Math.min(SIZE, count - done);
      if (dtype == DType.BOOL) {
        for (int i = 0; i < part; i++) {
          long each = from[done + i];
          values[i] = (int) ((each | -each) >>> (Long.SIZE - 1));
        }
      } else {
        for (int i = 0; i < part; i++) {
          values[i] = (int) from[done + i];
        }
      }
      write(at + done, part);
    }
  }

  private void read(long at, int count) {
    if (shorts.length > 0) {
      MemorySegment.copy(segment, JAVA_SHORT, at * Short.BYTES, shorts, 0, count);
      for (int i = 0; i < count; i++) {
        values[i] = shorts[i];
      }
    } else if (bytes.length > 0) {
      MemorySegment.copy(segment, JAVA_BYTE, at, bytes, 0, count);
      WideBytes.widen(bytes, floats, values, count, dtype);
    } else {
      MemorySegment.copy(segment, JAVA_INT, at * Integer.BYTES, values, 0, count);
    }
  }

  private void write(long at, int count) {
    if (shorts.length > 0) {
      for (int i = 0; i < count; i++) {
        shorts[i] = (short) values[i];
      }
      MemorySegment.copy(shorts, 0, segment, JAVA_SHORT, at * Short.BYTES, count);
    } else if (bytes.length > 0) {
      for (int i = 0; i < count; i++) {
        bytes[i] = (byte) values[i];
      }
      MemorySegment.copy(bytes, 0, segment, JAVA_BYTE, at, count);
    } else {
      MemorySegment.copy(values, 0, segment, JAVA_INT, at * Integer.BYTES, count);
    }
  }
}
