package dev.staunch.data.row;

import dev.staunch.tensor.Elements;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Rows of equal size, contiguous, with elements in native order as in a tensor. */
public final class DenseColumn implements Column {
  private static final VarHandle FLOATS =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.nativeOrder());
  private static final VarHandle DOUBLES =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.nativeOrder());
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());

  private final Field field;
  private final int width;
  private byte[] bytes = {};

  DenseColumn(Field field) {
    this.field = field;
    this.width = field.rowBytes();
  }

  @Override
  public Field field() {
    return field;
  }

  /** The array of rows; {@link #reserve} replaces it when there is too little room. */
  public byte[] bytes() {
    return bytes;
  }

  /** The size of one row in bytes. */
  public int width() {
    return width;
  }

  @Override
  public void reserve(int rows) {
    int needed = Math.multiplyExact(rows, width);
    if (needed > bytes.length) {
      int doubled = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, Math.max(needed, doubled));
    }
  }

  @Override
  public void copy(Column from, int first, int count, int at) {
    reserve(at + count);
    System.arraycopy(((DenseColumn) from).bytes, first * width, bytes, at * width, count * width);
  }

  @Override
  public void endRow(int at) {}

  @Override
  public void dropRow(int at) {}

  @Override
  public long bytes(int rows) {
    return (long) rows * width;
  }

  /** Stores an element; for a dtype that is not floating-point, converts it like a Java cast. */
  public void putDouble(int row, int element, double value) {
    int at = row * width + element * field.dtype().bytes();
    switch (field.dtype()) {
      case FLOAT32 -> FLOATS.set(bytes, at, (float) value);
      case FLOAT64 -> DOUBLES.set(bytes, at, value);
      case FLOAT16 -> SHORTS.set(bytes, at, Float.floatToFloat16((float) value));
      case BFLOAT16 -> SHORTS.set(bytes, at, Elements.toBfloat16((float) value));
      case INT64, INT32, INT16, INT8, UINT8 -> putLong(row, element, (long) value);
      case BOOL -> bytes[at] = (byte) (value == 0 ? 0 : 1);
      case COMPLEX64, COMPLEX128 -> throw new IllegalStateException("a field is never complex");
    }
  }

  /** Stores an element; an integer that is too wide is truncated, as by a Java cast. */
  public void putLong(int row, int element, long value) {
    int at = row * width + element * field.dtype().bytes();
    switch (field.dtype()) {
      case INT64 -> LONGS.set(bytes, at, value);
      case INT32 -> INTS.set(bytes, at, (int) value);
      case INT16 -> SHORTS.set(bytes, at, (short) value);
      case INT8, UINT8 -> bytes[at] = (byte) value;
      case BOOL -> bytes[at] = (byte) (value == 0 ? 0 : 1);
      case FLOAT32, FLOAT64, FLOAT16, BFLOAT16 -> putDouble(row, element, (double) value);
      case COMPLEX64, COMPLEX128 -> throw new IllegalStateException("a field is never complex");
    }
  }

  /** The float at element {@code at} of a float32 field, counted over all rows. */
  public float floatAt(int at) {
    return (float) FLOATS.get(bytes, at * Float.BYTES);
  }

  /** Stores a float at byte {@code at} of a float32 field; for hot loops. */
  public static void putFloat(byte[] bytes, int at, float value) {
    FLOATS.set(bytes, at, value);
  }
}
