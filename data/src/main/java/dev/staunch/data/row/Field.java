package dev.staunch.data.row;

import dev.staunch.fault.Message;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;

/**
 * One named part of every example, such as {@code data} or {@code label}.
 *
 * @param name unique among the fields of an example
 * @param shape of one example; a batch has one more dimension in front
 * @param sparse whether examples name only their non-zero elements; the shape then has one
 *     dimension, and a batch has three tensors (compressed sparse rows)
 */
public record Field(String name, DType dtype, Shape shape, boolean sparse) {
  /** More than a batch can hold. */
  private static final long MOST_BYTES = 1L << 30;

  /** From here on, numbers are rounded to infinity. */
  private static final double BEYOND_FLOAT16 = 65520;

  private static final int BFLOAT16_INFINITY = 0x7f80;
  private static final double BEYOND_INT64 = 0x1p63;

  public Field {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a field needs a name");
    }
    if (dtype.kind() == DType.Kind.COMPLEX) {
      throw new IllegalArgumentException(
          Message.of("the field `%s` is %s; complex numbers are not read", name, dtype));
    }
    if (!sparse && shape.elements() > MOST_BYTES / dtype.bytes()) {
      throw new IllegalArgumentException(
          Message.of(
              "an example of the field `%s` has more than %d bytes: %s%s",
              name, MOST_BYTES, dtype, shape));
    }
    if (sparse && shape.rank() != 1) {
      throw new IllegalArgumentException(
          Message.of(
              "the sparse field `%s` needs one dimension, but its shape is %s", name, shape));
    }
  }

  public static Field of(String name, DType dtype, long... shape) {
    return new Field(name, dtype, Shape.of(shape), false);
  }

  /** A sparse field of {@code width} elements, few of which are non-zero. */
  public static Field sparse(String name, DType dtype, long width) {
    return new Field(name, dtype, Shape.of(width), true);
  }

  /** The number of elements of an example; for a sparse field, how many it could have. */
  public long elements() {
    return shape.elements();
  }

  /** The size of one example of a dense field in bytes. */
  public int rowBytes() {
    return sparse ? 0 : (int) (shape.elements() * dtype.bytes());
  }

  /**
   * Whether the dtype holds {@code value}: exactly if it is an integer dtype, rounded to a finite
   * number otherwise. Real dtypes hold infinities and NaN, too; of bools, 1 is true and 0 false.
   */
  public boolean holds(double value) {
    return switch (dtype) {
      case FLOAT64 -> true;
      case FLOAT32 -> !Double.isFinite(value) || Float.isFinite((float) value);
      case FLOAT16 -> !Double.isFinite(value) || Math.abs(value) < BEYOND_FLOAT16;
      case BFLOAT16 ->
          !Double.isFinite(value)
              || (Elements.toBfloat16((float) value) & 0x7fff) < BFLOAT16_INFINITY;
      case INT64, INT32, INT16, INT8, UINT8, BOOL ->
          value == Math.rint(value) && Math.abs(value) < BEYOND_INT64 && holds((long) value);
      case COMPLEX64, COMPLEX128 -> false;
    };
  }

  /** As {@link #holds(double)}; exact for integers of any size. */
  public boolean holds(long value) {
    return switch (dtype) {
      case BOOL -> value == 0 || value == 1;
      case UINT8 -> value >= 0 && value <= 0xff;
      case INT8 -> value == (byte) value;
      case INT16 -> value == (short) value;
      case INT32 -> value == (int) value;
      case FLOAT16 -> Math.abs((double) value) < BEYOND_FLOAT16;
      case INT64, FLOAT32, FLOAT64, BFLOAT16 -> true;
      case COMPLEX64, COMPLEX128 -> false;
    };
  }

  /** The form used in messages: {@code data float32[4, 10]}. */
  @Override
  public String toString() {
    return name + " " + (sparse ? "sparse " : "") + dtype + shape;
  }
}
