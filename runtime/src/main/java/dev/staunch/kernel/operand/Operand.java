package dev.staunch.kernel.operand;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Moves runs of evenly spaced elements of any real dtype between a segment and an array. */
public record Operand(MemorySegment segment, DType dtype) {
  /**
   * From this many floats on, contiguous elements pass through an array: a loop over a segment is a
   * hundred times slower until it is compiled, and is not vectorised even then.
   */
  private static final int MANY = 64;

  /**
   * The most floats in such an array at a time, and so the garbage that one run leaves on the heap.
   */
  private static final int TILE = 64;

  /** Floats with at most this stride are read together with the floats between them. */
  private static final int CLOSE = 4;

  /** As {@link #MANY}, for other dtypes, whose arrays cost more per element. */
  private static final int MANY_NARROW = 512;

  /** For a short run, the array holds this fraction of it: about one byte per element. */
  private static final int PART = 4;

  /** The whole storage of {@code tensor}; positions count its elements. */
  public static Operand of(DenseTensor tensor) {
    return new Operand(tensor.segment(), tensor.dtype());
  }

  /** Reads {@code count} elements, starting at {@code at}, as doubles. */
  public void load(double[] into, long at, long step, int count) {
    load(into, 0, at, step, count);
  }

  /** Reads {@code count} elements, starting at {@code at}, rounded once to float32. */
  public void load(float[] into, long at, long step, int count) {
    if (dtype == DType.FLOAT32 && step == 1) { // the usual case, in one call
      MemorySegment.copy(segment, JAVA_FLOAT, at * Float.BYTES, into, 0, count);
    } else {
      load(into, 0, at, step, count);
    }
  }

  /** As {@link #load(float[], long, long, int)}, into the array from index {@code to} on. */
  public void load(float[] into, int to, long at, long step, int count) {
    if (step == 0) {
      Arrays.fill(into, to, to + count, single(at));
    } else if (dtype == DType.FLOAT32 && step == 1) {
      MemorySegment.copy(segment, JAVA_FLOAT, at * Float.BYTES, into, to, count);
    } else if (isNarrowRun(step, count)) {
      new NarrowTiles(segment, dtype).load(into, to, at, count);
    } else if (dtype == DType.INT64 && step == 1 && count >= MANY) {
      long[] tile = new long[TILE];
      for (int done = 0; done < count; done += TILE) {
        int part = Math.min(TILE, count - done);
        MemorySegment.copy(segment, JAVA_LONG, (at + done) * Long.BYTES, tile, 0, part);
        for (int i = 0; i < part; i++) {
          into[to + done + i] = tile[i];
        }
      }
    } else if (dtype == DType.FLOAT32 && step > 1 && step <= CLOSE && count >= MANY) {
      loadClose(into, to, at, (int) step, count);
    } else if (dtype == DType.FLOAT32) {
      for (int i = 0; i < count; i++) {
        into[to + i] = segment.getAtIndex(JAVA_FLOAT, at + i * step);
      }
    } else {
      for (int i = 0; i < count; i++) {
        into[to + i] = single(at + i * step);
      }
    }
  }

  /** Reads short rows of float32, one behind the other. */
  public void loadRows(float[] into, long at, long rowStep, int rows, long step, int width) {
    for (int row = 0, to = 0; row < rows; row++) {
      long first = at + row * rowStep;
      for (int i = 0; i < width; i++, to++) {
        into[to] = segment.getAtIndex(JAVA_FLOAT, first + i * step);
      }
    }
  }

  /** Reads elements together with those between them. */
  private void loadClose(float[] into, int to, long at, int step, int count) {
    float[] tile = new float[TILE * step];
    for (int done = 0; done < count; done += TILE) {
      int part = Math.min(TILE, count - done);
      long first = (at + (long) done * step) * Float.BYTES;
      MemorySegment.copy(segment, JAVA_FLOAT, first, tile, 0, (part - 1) * step + 1);
      for (int i = 0; i < part; i++) {
        into[to + done + i] = tile[i * step];
      }
    }
  }

  private float single(long at) {
    return dtype == DType.INT64
        ? (float) segment.getAtIndex(JAVA_LONG, at)
        : (float) Elements.asDouble(segment, dtype, at);
  }

  /**
   * As {@link #load(double[], long, long, int)}, rounded as by a cast to the floating dtype {@code
   * as}.
   */
  public void load(double[] into, long at, long step, int count, DType as) {
    load(into, 0, at, step, count, as);
  }

  /**
   * As {@link #load(double[], int, long, long, int)}, rounded as by a cast to the floating dtype
   * {@code as}.
   */
  public void load(double[] into, int to, long at, long step, int count, DType as) {
    if (dtype == DType.INT64 && as != DType.FLOAT64) {
      float[] singles = new float[count];
      load(singles, at, step, count);
      widen(singles, into, to, count);
    } else {
      load(into, to, at, step, count);
    }
    for (int i = to; dtype != as && as != DType.FLOAT64 && i < to + count; i++) {
      into[i] = as == DType.FLOAT32 ? (float) into[i] : Elements.rounded(as, into[i]);
    }
  }

  /** Reads the elements {@code first} to {@code first + count} of a layout as doubles. */
  public void load(double[] into, Places places, long first, int count) {
    for (int done = 0; done < count; ) {
      long at = places.at(first + done);
      int run = places.run(first + done, count - done);
      load(into, done, at, places.step(), run);
      done += run;
    }
  }

  /** As {@link #load(double[], long, long, int)}, into the array from index {@code to} on. */
  public void load(double[] into, int to, long at, long step, int count) {
    if (step == 0) {
      Arrays.fill(into, to, to + count, Elements.asDouble(segment, dtype, at));
      return;
    }
    if (isNarrowRun(step, count)) {
      new NarrowTiles(segment, dtype).load(into, to, at, count);
      return;
    }
    switch (dtype) {
      case FLOAT32 -> loadFloats(into, to, at, step, count);
      case FLOAT64 -> {
        if (step == 1) {
          MemorySegment.copy(segment, JAVA_DOUBLE, at * Double.BYTES, into, to, count);
          return;
        }
        for (int i = 0; i < count; i++) {
          into[to + i] = segment.getAtIndex(JAVA_DOUBLE, at + i * step);
        }
      }
      case INT64 -> loadLongs(into, to, at, step, count);
      default -> {
        for (int i = 0; i < count; i++) {
          into[to + i] = Elements.asDouble(segment, dtype, at + i * step);
        }
      }
    }
  }

  private void loadFloats(double[] into, int to, long at, long step, int count) {
    if (step > 1 && step <= CLOSE && count >= MANY) {
      float[] tile = new float[TILE * (int) step];
      for (int done = 0; done < count; done += TILE) {
        int part = Math.min(TILE, count - done);
        long first = (at + done * step) * Float.BYTES;
        MemorySegment.copy(segment, JAVA_FLOAT, first, tile, 0, (part - 1) * (int) step + 1);
        for (int i = 0; i < part; i++) {
          into[to + done + i] = tile[i * (int) step];
        }
      }
    } else if (step == 1 && count >= MANY) {
      float[] tile = new float[Math.min(count / PART, TILE)];
      for (int done = 0; done < count; done += tile.length) {
        int part = Math.min(tile.length, count - done);
        MemorySegment.copy(segment, JAVA_FLOAT, (at + done) * Float.BYTES, tile, 0, part);
        widen(tile, into, to + done, part);
      }
    } else {
      for (int i = 0; i < count; i++) {
        into[to + i] = segment.getAtIndex(JAVA_FLOAT, at + i * step);
      }
    }
  }

  private void loadLongs(double[] into, int to, long at, long step, int count) {
    if (step != 1 || count < MANY_NARROW) {
      for (int i = 0; i < count; i++) {
        into[to + i] = segment.getAtIndex(JAVA_LONG, at + i * step);
      }
      return;
    }
    long[] tile = new long[TILE];
    for (int done = 0; done < count; done += TILE) {
      int part = Math.min(TILE, count - done);
      MemorySegment.copy(segment, JAVA_LONG, (at + done) * Long.BYTES, tile, 0, part);
      for (int i = 0; i < part; i++) {
        into[to + done + i] = tile[i];
      }
    }
  }

  private static void widen(float[] from, double[] into, int to, int count) {
    for (int i = 0; i < count; i++) {
      into[to + i] = from[i];
    }
  }

  /** As {@link #load(double[], long, long, int)}, as longs; reals are truncated. */
  public void load(long[] into, long at, long step, int count) {
    load(into, 0, at, step, count);
  }

  /** As {@link #load(double[], Places, long, int)}, as longs; reals are truncated. */
  public void load(long[] into, Places places, long first, int count) {
    for (int done = 0; done < count; ) {
      long at = places.at(first + done);
      int run = places.run(first + done, count - done);
      load(into, done, at, places.step(), run);
      done += run;
    }
  }

  private boolean isNarrowRun(long step, int count) {
    return step == 1 && count >= MANY_NARROW && NarrowTiles.take(dtype);
  }

  /** As {@link #load(long[], long, long, int)}, into the array from index {@code to} on. */
  public void load(long[] into, int to, long at, long step, int count) {
    if (isNarrowRun(step, count) && !dtype.isFloating()) {
      new NarrowTiles(segment, dtype).load(into, to, at, count);
      return;
    }
    switch (dtype) {
      case INT64 -> {
        if (step == 1) {
          MemorySegment.copy(segment, JAVA_LONG, at * Long.BYTES, into, to, count);
          return;
        }
        for (int i = 0; i < count; i++) {
          into[to + i] = segment.getAtIndex(JAVA_LONG, at + i * step);
        }
      }
      case INT32 -> {
        for (int i = 0; i < count; i++) {
          into[to + i] = segment.getAtIndex(JAVA_INT, at + i * step);
        }
      }
      case BOOL -> {
        for (int i = 0; i < count; i++) {
          into[to + i] = segment.get(JAVA_BYTE, at + i * step) == 0 ? 0 : 1;
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          into[to + i] = Elements.asLong(segment, dtype, at + i * step);
        }
      }
    }
  }

  /** Reads {@code count} elements of an integer dtype of 32 bits or fewer. */
  public void load(int[] into, long at, long step, int count) {
    if (dtype == DType.INT32 && step == 1) {
      MemorySegment.copy(segment, JAVA_INT, at * Integer.BYTES, into, 0, count);
    } else if (step == 1 && count >= MANY) {
      new NarrowTiles(segment, dtype).load(into, at, count);
    } else {
      for (int i = 0; i < count; i++) {
        into[i] = (int) Elements.asLong(segment, dtype, at + i * step);
      }
    }
  }

  /** Writes {@code count} elements of an integer dtype of 32 bits or fewer, wrapping around. */
  public void store(int[] from, long at, long step, int count) {
    if (dtype == DType.INT32 && step == 1) {
      MemorySegment.copy(from, 0, segment, JAVA_INT, at * Integer.BYTES, count);
    } else if (step == 1 && count >= MANY) {
      new NarrowTiles(segment, dtype).store(from, at, count);
    } else {
      for (int i = 0; i < count; i++) {
        Elements.putLong(segment, dtype, at + i * step, from[i]);
      }
    }
  }

  /** Writes {@code count} elements, rounding to the dtype. */
  public void store(float[] from, long at, long step, int count) {
    if (dtype == DType.FLOAT32 && step == 1) {
      MemorySegment.copy(from, 0, segment, JAVA_FLOAT, at * Float.BYTES, count);
    } else if (isNarrowRun(step, count) && dtype.isFloating()) {
      new NarrowTiles(segment, dtype).store(from, at, count);
    } else if (dtype == DType.FLOAT32) {
      for (int i = 0; i < count; i++) {
        segment.setAtIndex(JAVA_FLOAT, at + i * step, from[i]);
      }
    } else {
      for (int i = 0; i < count; i++) {
        Elements.putDouble(segment, dtype, at + i * step, from[i]);
      }
    }
  }

  /** Writes {@code count} ones and zeros. */
  public void store(byte[] from, long at, long step, int count) {
    if (dtype == DType.BOOL && step == 1) {
      MemorySegment.copy(from, 0, segment, JAVA_BYTE, at, count);
    } else {
      for (int i = 0; i < count; i++) {
        Elements.putLong(segment, dtype, at + i * step, from[i]);
      }
    }
  }

  /** Writes {@code count} elements, rounding to the dtype. */
  public void store(double[] from, long at, long step, int count) {
    if (isNarrowRun(step, count)) {
      new NarrowTiles(segment, dtype).store(from, at, count);
      return;
    }
    switch (dtype) {
      case FLOAT32 -> storeFloats(from, at, step, count);
      case FLOAT64 -> {
        if (step == 1) {
          MemorySegment.copy(from, 0, segment, JAVA_DOUBLE, at * Double.BYTES, count);
          return;
        }
        for (int i = 0; i < count; i++) {
          segment.setAtIndex(JAVA_DOUBLE, at + i * step, from[i]);
        }
      }
      case INT64 -> storeLongs(from, at, step, count);
      case BOOL -> {
        for (int i = 0; i < count; i++) {
          segment.set(JAVA_BYTE, at + i * step, (byte) (from[i] == 0 ? 0 : 1));
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          Elements.putDouble(segment, dtype, at + i * step, from[i]);
        }
      }
    }
  }

  private void storeFloats(double[] from, long at, long step, int count) {
    if (step == 1 && count >= MANY) {
      float[] tile = new float[Math.min(count / PART, TILE)];
      for (int done = 0; done < count; done += tile.length) {
        int part = Math.min(tile.length, count - done);
        round(from, done, tile, part);
        MemorySegment.copy(tile, 0, segment, JAVA_FLOAT, (at + done) * Float.BYTES, part);
      }
    } else {
      for (int i = 0; i < count; i++) {
        segment.setAtIndex(JAVA_FLOAT, at + i * step, (float) from[i]);
      }
    }
  }

  private void storeLongs(double[] from, long at, long step, int count) {
    if (step != 1 || count < MANY_NARROW) {
      for (int i = 0; i < count; i++) {
        segment.setAtIndex(JAVA_LONG, at + i * step, Elements.wide(from[i]));
      }
      return;
    }
    long[] tile = new long[TILE];
    for (int done = 0; done < count; done += TILE) {
      int part = Math.min(TILE, count - done);
      for (int i = 0; i < part; i++) {
        tile[i] = Elements.wide(from[done + i]);
      }
      MemorySegment.copy(tile, 0, segment, JAVA_LONG, (at + done) * Long.BYTES, part);
    }
  }

  private static void round(double[] from, int first, float[] into, int count) {
    for (int i = 0; i < count; i++) {
      into[i] = (float) from[first + i];
    }
  }

  /** Writes {@code count} elements, wrapping around at the dtype's width. */
  public void store(long[] from, long at, long step, int count) {
    if (isNarrowRun(step, count) && !dtype.isFloating()) {
      new NarrowTiles(segment, dtype).store(from, at, count);
      return;
    }
    switch (dtype) {
      case INT64 -> {
        if (step == 1) {
          MemorySegment.copy(from, 0, segment, JAVA_LONG, at * Long.BYTES, count);
          return;
        }
        for (int i = 0; i < count; i++) {
          segment.setAtIndex(JAVA_LONG, at + i * step, from[i]);
        }
      }
      case INT32 -> {
        for (int i = 0; i < count; i++) {
          segment.setAtIndex(JAVA_INT, at + i * step, (int) from[i]);
        }
      }
      case FLOAT32 -> {
        float[] tile = new float[Math.min(count, TILE)];
        for (int done = 0; done < count; done += TILE) {
          int part = Math.min(TILE, count - done);
          for (int i = 0; i < part; i++) {
            tile[i] = (float) from[done + i];
          }
          store(tile, at + done * step, step, part);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          Elements.putLong(segment, dtype, at + i * step, from[i]);
        }
      }
    }
  }
}
